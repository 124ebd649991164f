// Runs a rung's cases one after the other in one worker and writes down what passed, what failed first, and what ended
// the rung.
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

// The failures kept with their details; the others only count.
inline constexpr size_t kMaxFailures = 5;

// What every measurement of one rung on one device needs. All outlive the measurement.
struct RungContext {
  const Lab& lab;
  const std::string& rung;
  JudgeDevice& device;
  Session& session;
  RandomSource& random;
  // What a call may bring from device memory to where host code can read it, on the emulator, which counts it. Not
  // looked at in cases with host arrays.
  uint64_t most_host_visible_bytes;
};

// Runs `cases`, adding to measurement's cases, cases_passed, failures, findings and messages; its status becomes worse
// when one fails, and stays as it is when all pass. After a crash, a hang, a limit or a lost device no further case is
// run. Errors: the machine failed, or grading was cancelled.
Status RunCases(const RungContext& context, const std::vector<Case>& cases, score::RungMeasurement* measurement);

// True while nothing has gone wrong, so that a further measurement makes sense.
inline bool StillPassing(const score::RungMeasurement& measurement) {
  return measurement.status == score::RungStatus::kPassed;
}

// Adds a failure, in its place: what ended the rung first, then by the order of the cases.
void AddFailure(score::CaseFailure failure, bool worst, score::RungMeasurement* measurement);

// Writes down why the session ended. Errors: it was cancelled, or its sandbox failed.
Status RecordEnd(const WorkerEnd& end, score::RungMeasurement* measurement);

}  // namespace warpgrade::judge
