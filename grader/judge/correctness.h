// Runs the cases of a rung one after the other, in one worker until one of its kernels faults. Records which passed,
// which failed first, and what ended the rung.
#pragma once

#include <string>
#include <vector>

#include "grader/judge/case_progress.h"
#include "grader/judge/case_run.h"
#include "grader/judge/device.h"
#include "grader/judge/random_source.h"
#include "grader/judge/session.h"
#include "grader/lab/lab.h"
#include "grader/score/measurement.h"

namespace warpgrade::judge {

// This many failures are kept with their details, of as many kinds as there are (score::KindOf), and further ones are
// only counted. Chosen: a student corrects the first failures first.
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
  // From it comes the order of blocks and warps in every second case. 0: it is that of their numbers in all cases.
  // The cases are numbered as they stand in the list, so that a public case has the same order when it runs alone.
  uint64_t order_seed = 0;
  bool pictures = false;             // MeasuredParts
  CaseProgress* progress = nullptr;  // JudgeRequest's
  // What the calls of this measurement leave in their workspaces, for the next one. nullptr: workspaces are poison.
  Leftovers* leftovers = nullptr;
};

// Another order than that of the numbers (JudgeDevice::BeginCase). `number`: of the case. Never 0.
uint64_t AnotherOrder(uint64_t order_seed, uint64_t number);

// Runs `cases` and adds to the measurement's counts of cases, failures, findings and messages. Its status becomes worse
// when a case fails, and stays the same when all pass. A case in which a kernel faults fails, and the next one gets a
// new worker. No further case is run after a crash of the program, a hang or a limit, or after kMostFaultsOnGpu faults.
// Cases in which an allocation fails (Case::failing_allocation) are left out on a device that cannot do that. Errors:
// the machine failed, or grading was cancelled.
//
// A case that fails in another order than that of the numbers is run once more, with the same input and in the order of
// the numbers. If it fails there as well, only that is recorded. If not, the measurement says that the result depends
// on the order.
Status RunCases(const RungContext& context, std::vector<Case> cases, score::RungMeasurement* measurement);

// Runs a case in this order in addition to those of RunCases. If it fails, the last case of RunCases counts as failed.
// REQUIRES: that one passed, in the order of the numbers; if `order` is another one, it was the same case. Errors: as
// RunCases.
Status RunOneMore(const RungContext& context, const Case& c, uint64_t order, score::RungMeasurement* measurement);

// True while nothing has failed, so that a further measurement makes sense.
inline bool StillPassing(const score::RungMeasurement& measurement) {
  return measurement.status == score::RungStatus::kPassed;
}

// Adds a failure. The failure that ended the rung (`worst`) comes first; the others follow in the order of the cases.
void AddFailure(score::CaseFailure failure, bool worst, score::RungMeasurement* measurement);

// Records why the session ended. Errors: it was cancelled, or its sandbox failed.
Status RecordEnd(const WorkerEnd& end, score::RungMeasurement* measurement);

}  // namespace warpgrade::judge
