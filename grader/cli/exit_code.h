// The exit statuses of `warpgrade`. Scripts rely on them.
#pragma once

#include "grader/result/result.h"

namespace warpgrade::cli {

inline constexpr int kDone = 0;           // the work is done, whatever the points
inline constexpr int kUsage = 2;          // the command line or course.yaml is wrong
inline constexpr int kMachineFailed = 3;  // no nvcc, disk full, GPU lost
inline constexpr int kInterrupted = 130;  // Ctrl-C: the rungs graded until then are printed and written

// For the help of commands.
inline constexpr char kExitStatusHelp[] =
    "Exit status: 0 the work is done, whatever the points; 2 the command line or course.yaml is wrong;\n"
    "3 the machine failed (no nvcc, a full disk); 130 interrupted (Ctrl-C).";

// The exit code for an error that ends the command.
inline int ExitCodeOf(const Error& error) { return error.kind == ErrorKind::kUsage ? kUsage : kMachineFailed; }

// The exit statuses of a ctest test that neither passed nor failed, and of a rung that was not built.
inline constexpr int kRungDoesNotCompile = 1;   // `warpgrade build-rung`, to cmake/build_rung.sh
inline constexpr int kTestDoesNotCompile = 65;  // the stand-in of cmake/build_rung.sh
inline constexpr int kTestMissing = 66;         // as above: the submission has no such file
inline constexpr int kTestSkipped = 77;         // not written yet, or not possible here; ctest's SKIP_RETURN_CODE

}  // namespace warpgrade::cli
