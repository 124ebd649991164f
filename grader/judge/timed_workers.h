// The two workers of a timing session, and who is responsible for a failure. A fault of the student's program counts
// for the rung. If the course's solution fails, there is nothing to compare with, so the rung is not timed. If the
// calibrator ends, that is an error of the machine.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "grader/judge/session.h"
#include "grader/judge/timing_end.h"

namespace warpgrade::judge {

class TimedWorkers {
 public:
  // `calibrator` is the grader's own worker, which contains the solution if one is timed. Both workers outlive this
  // object. Failures name the case `case_name`.
  TimedWorkers(Session& student, Session& calibrator, std::string case_name)
      : student_(student), calibrator_(calibrator), case_name_(std::move(case_name)) {}

  Session& student() const { return student_; }
  Session& calibrator() const { return calibrator_; }
  Session& OtherThan(const Session& worker) const { return IsStudents(worker) ? calibrator_ : student_; }

  // How the session ends after `worker` has ended. REQUIRES: !worker.alive().
  TimingEnd Ended(const Session& worker) const;

  // How the session ends after `worker` wrote a wrong output.
  TimingEnd WroteWrong(const Session& worker, score::CaseFailure failure) const;

  // How the session ends after the solution failed for this reason. It is not an error, because memory that the
  // student's program left allocated on the GPU may be the cause.
  static TimingEnd SolutionFailed(const std::string& why);

  // The answer of `worker` to a call, when there is one and it says that the call went well.
  TimingResult<Session::Answer> WentWell(const Session& worker, const std::optional<Session::Answer>& answer) const;

 private:
  bool IsStudents(const Session& worker) const { return &worker == &student_; }
  TimingEnd Failed(const Session& worker, FailedCall failed) const;

  Session& student_;
  Session& calibrator_;
  const std::string case_name_;
};

}  // namespace warpgrade::judge
