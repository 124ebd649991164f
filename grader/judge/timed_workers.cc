// Tests: tests/judge/timed_workers_test.cc.
#include "grader/judge/timed_workers.h"

#include "grader/judge/case_run.h"
#include "grader/judge/empty_calls.h"

namespace warpgrade::judge {

TimingEnd TimedWorkers::Ended(const Session& worker) const {
  if (IsStudents(worker)) return worker.end();
  return CalibratorEnded(worker.end()).error();
}

TimingEnd TimedWorkers::WroteWrong(const Session& worker, score::CaseFailure failure) const {
  return Failed(worker, {std::move(failure), score::RungStatus::kFailed, false});
}

TimingEnd TimedWorkers::SolutionFailed(const std::string& why) {
  return NotTimed{"throughput is compared with the course's solution, but the solution failed: " + why +
                  ". Grade this rung again. If it happens again, run 'warpgrade grade solutions --device gpu': if the "
                  "solution is right there, the fault is in this submission"};
}

TimingEnd TimedWorkers::Failed(const Session& worker, FailedCall failed) const {
  if (!IsStudents(worker)) return SolutionFailed(failed.failure.message);
  return failed;
}

TimingResult<Session::Answer> TimedWorkers::WentWell(const Session& worker,
                                                     const std::optional<Session::Answer>& answer) const {
  if (!answer) return Ended(worker);
  CaseOutcome outcome = Interpret(answer->done, case_name_);
  if (outcome.kind == CaseOutcome::Kind::kPassed) return *answer;
  const bool fatal = outcome.kind == CaseOutcome::Kind::kFatal;
  return Failed(worker, {std::move(outcome.failure), fatal ? outcome.fatal_status : score::RungStatus::kFailed, fatal});
}

}  // namespace warpgrade::judge
