// What `warpgrade` exits with. Scripts rely on these.
#pragma once

#include "grader/result/result.h"

namespace warpgrade::cli {

inline constexpr int kDone = 0;           // the work was done, whatever the marks
inline constexpr int kUsage = 2;          // the command line or course.yaml is wrong
inline constexpr int kMachineFailed = 3;  // no nvcc, disk full, GPU lost
inline constexpr int kInterrupted = 130;  // Ctrl-C: what had been graded was printed and written

// The exit code for an error that ends the command.
inline int ExitCodeOf(const Error& error) { return error.kind == ErrorKind::kUsage ? kUsage : kMachineFailed; }

// Between a test program, ctest and us: how a test says that it is neither passed nor failed.
inline constexpr int kRungDoesNotCompile = 1;   // `warpgrade build-rung`, to cmake/build_rung.sh
inline constexpr int kTestDoesNotCompile = 65;  // the stand-in of cmake/build_rung.sh
inline constexpr int kTestMissing = 66;         // as above: the submission has no such file
inline constexpr int kTestSkipped = 77;         // not written yet, or not possible here; ctest's SKIP_RETURN_CODE

}  // namespace warpgrade::cli
