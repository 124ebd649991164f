// The rows of labs/LAB/mutants/mutants.yaml, as far as a command needs them. tests/course/mutants_test.cc explains the
// file.
#pragma once

#include <string>
#include <vector>

#include "grader/result/result.h"

namespace warpgrade::config {

struct MutantRow {
  std::string name;  // "v3_padded__unpadded"
  std::string lost;  // "correctness", "technique" or "nothing"
};

// In the order of the file. Errors (kUsage): the file cannot be read, or a row has no name.
Result<std::vector<MutantRow>> ReadMutantRows(const std::string& path);

}  // namespace warpgrade::config
