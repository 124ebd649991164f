// `warpgrade run` on the emulator: runs the program, then shows what the emulated runtime in it found and counted.
#pragma once

#include "grader/cli/run_options.h"
#include "grader/result/result.h"

namespace warpgrade::cli {

// The code to exit with: the program's own when nothing was found, else the one asked for; 128 + n when signal n ended
// the program. REQUIRES: the loader finds our libcudart.so.13 first.
Result<int> RunEmulated(const RunOptions& options);

}  // namespace warpgrade::cli
