// Why a worker process ended before its work was done, in words for the student.
#pragma once

#include <string>
#include <vector>

#include "grader/config/course.h"
#include "grader/sandbox/process.h"
#include "grader/score/measurement.h"

namespace warpgrade::judge {

// What the worker was doing, as far as the judge can tell.
enum class Stage {
  kStarting,  // main() has not reported: static constructors, or a main() of the student's own
  kIdle,      // between calls
  kHostCode,  // in the student's host function
  kKernel,    // the host function has returned, or waits for a kernel that the emulator runs
};

struct WorkerEnd {
  score::RungStatus status = score::RungStatus::kCrashed;
  std::vector<std::string> messages;  // the reason, then the last output of the program
  bool blameless = false;             // we stopped it, or its sandbox failed: the rung is not graded
  bool out_of_time = false;           // RungMeasurement::out_of_time
  bool unsupported = false;           // it called a runtime function that the device does not have
};

// The worker ended by itself or went over a limit. `crash`: what crash_place.h knows of a crash; "" for a general
// guess.
WorkerEnd DescribeProcessEnd(const sandbox::ProcessResult& result, Stage stage, const config::RunLimits& limits,
                             const std::string& crash = "");

// The judge stopped the worker because the rung's time was up.
WorkerEnd DescribeTimeout(Stage stage, const config::RunLimits& limits, const std::string& output);

// The worker broke the protocol. `what` completes "the program ...".
WorkerEnd DescribeMisbehaviour(const std::string& what, const std::string& output);

// The worker's own calls left it unusable for the judge. `what`: "d_in of n = 3 cannot be opened: ...".
WorkerEnd DescribeUnusable(const std::string& what, const std::string& output);

// Before any call, the worker said the same, and a worker without a student can open it.
WorkerEnd DescribeFalseAlarm(const std::string& what, const std::string& output);

// The name of a signal for people: "segmentation fault", or "signal 42" when it has none.
std::string PlainSignalName(int signal);

}  // namespace warpgrade::judge
