// Why a worker process is gone before its work was done, in words for the student whose code it ran.
#pragma once

#include <string>
#include <vector>

#include "grader/config/course.h"
#include "grader/sandbox/process.h"
#include "grader/score/measurement.h"

namespace warpgrade::judge {

// Where the worker was, as far as the judge can tell.
enum class Stage {
  kStarting,  // main() has not reported: static constructors, or a main() of the student's own
  kIdle,      // between calls
  kHostCode,  // in the student's host function
  kKernel,    // the host function is back, or waits for a kernel that the emulator runs
};

struct WorkerEnd {
  score::RungStatus status = score::RungStatus::kCrashed;
  std::vector<std::string> messages;  // the reason first, then what the program last printed
  bool blameless = false;             // we stopped it, or its sandbox failed: it is not graded
  bool unsupported = false;           // it called a runtime function that the device does not have
};

// The worker ended by itself or because it went over a limit. `crash`: what is known of a crash (crash_place.h), in
// place of a guess; or "".
WorkerEnd DescribeProcessEnd(const sandbox::ProcessResult& result, Stage stage, const config::RunLimits& limits,
                             const std::string& crash = "");

// The judge stopped it because the rung's time was up.
WorkerEnd DescribeTimeout(Stage stage, const config::RunLimits& limits, const std::string& output);

// It broke the protocol: `what` completes "the program ...".
WorkerEnd DescribeMisbehaviour(const std::string& what, const std::string& output);

// After its own calls it can do nothing more for the judge; `what`: "d_in of n = 3 cannot be opened: ...".
WorkerEnd DescribeUnusable(const std::string& what, const std::string& output);

// "segmentation fault"; "signal 42" when it has no plain name.
std::string PlainSignalName(int signal);

}  // namespace warpgrade::judge
