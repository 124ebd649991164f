// Compiles several rungs of one submission with one run of nvcc (rungs_together.h), and links each of them alone.
#pragma once

#include <atomic>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "grader/build/rung_compiler.h"

namespace warpgrade::build {

// The executables in `directory`, by rung. `directory` must be empty, and has nothing else afterwards. All jobs are of
// one lab, and their rungs can be together (CanBeTogether). A rung that is missing in the result must be compiled
// alone: it has an error, or breaks a rule, or it could mean something else in the unit. If a rung has an error, the
// others are tried once more without it. Errors (kMachine) as for CompileRung.
Result<std::map<std::string, std::string>> CompileTogether(const std::vector<RungJob>& jobs,
                                                           const std::filesystem::path& directory,
                                                           const std::atomic<bool>* cancel);

}  // namespace warpgrade::build
