// `warpgrade run` on the emulator: runs the program, then prints what the emulated runtime found and counted.
#pragma once

#include <string>
#include <vector>

#include "grader/cli/finding_file.h"
#include "grader/cli/run_options.h"
#include "grader/result/result.h"

namespace warpgrade::cli {

// Returns the exit status: that of the program if there are no findings, else the one for findings; 128 + n if signal n
// ended the program. REQUIRES: the loader finds our libcudart.so.13 first.
Result<int> RunEmulated(const RunOptions& options);

// Runs the program of a test. The runtime prints the findings while it runs, without the lines of host code. This
// prints those lines at the end. REQUIRES: as RunEmulated.
Result<ProgramEnd> RunTestEmulated(const std::vector<std::string>& program);

}  // namespace warpgrade::cli
