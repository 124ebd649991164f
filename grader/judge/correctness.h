// Runs the cases of a rung one after the other, in one worker until one of its kernels faults. Records which passed,
// which failed first, and what ended the rung.
#pragma once

#include <string>
#include <vector>

#include "grader/judge/case_run.h"
#include "grader/judge/device.h"
#include "grader/judge/random_source.h"
#include "grader/judge/session.h"
#include "grader/lab/lab.h"
#include "grader/score/measurement.h"

namespace warpgrade::judge {

// This many failures are kept with their details, and further ones are only counted. Chosen: a student corrects the
// first failures first.
inline constexpr size_t kMaxFailures = 5;

// After this many cases with a kernel fault, no further case is run on a GPU, because a new worker takes more than half
// a second there.
inline constexpr int kMostFaultsOnGpu = 8;

// What every measurement of one rung on one device needs. All references outlive the measurement.
struct RungContext {
  const Lab& lab;
  const std::string& rung;
  JudgeDevice& device;
  Session& session;
  RandomSource& random;
  // The limit for bytes that a call brings from device memory to where host code can read them. The emulator counts
  // them. Not checked in cases with host arrays.
  uint64_t most_host_visible_bytes;
};

// Runs `cases` and adds to the measurement's counts of cases, failures, findings and messages. Its status becomes worse
// when a case fails, and stays the same when all pass. A case in which a kernel faults fails, and the next one gets a
// new worker. No further case is run after a crash of the program, a hang or a limit, or after kMostFaultsOnGpu faults.
// Errors: the machine failed, or grading was cancelled.
Status RunCases(const RungContext& context, const std::vector<Case>& cases, score::RungMeasurement* measurement);

// True while nothing has failed, so that a further measurement makes sense.
inline bool StillPassing(const score::RungMeasurement& measurement) {
  return measurement.status == score::RungStatus::kPassed;
}

// Adds a failure. The failure that ended the rung (`worst`) comes first; the others follow in the order of the cases.
void AddFailure(score::CaseFailure failure, bool worst, score::RungMeasurement* measurement);

// Records why the session ended. Errors: it was cancelled, or its sandbox failed.
Status RecordEnd(const WorkerEnd& end, score::RungMeasurement* measurement);

}  // namespace warpgrade::judge
