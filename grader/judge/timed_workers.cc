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
  return NotTimed{"the course's solution, which throughput is a share of, failed beside it: " + why +
                  ". Grade this rung again; if it happens again, whether 'warpgrade grade solutions --device gpu' is "
                  "right says whose fault it is"};
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
