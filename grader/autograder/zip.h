// Writes a zip file.
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

// Writes the file at `path` with these entries, in this order. The same entries give the same bytes. A reader sees the
// old file or the whole new one. Errors (kMachine): the path and the reason.
Status WriteZip(const std::string& path, const std::vector<ZipEntry>& entries);

}  // namespace warpgrade::autograder
