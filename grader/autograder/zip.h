// Makes a zip file.
#pragma once

#include <string>
#include <vector>

#include "grader/result/result.h"

namespace warpgrade::autograder {

struct ZipEntry {
  std::string name;     // "kit/bin/warpgrade"
  std::string content;  // all of its bytes, less than 4 GB
  bool executable = false;
};

// The whole zip file with these entries, in this order. The same entries give the same bytes. Errors (kMachine): there
// is too little memory.
Result<std::string> ZipText(const std::vector<ZipEntry>& entries);

}  // namespace warpgrade::autograder
