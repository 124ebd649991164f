// Grades the lab of one person, and again whenever one of its files is saved: `check --watch` and `ui`.
#pragma once

#include <atomic>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "grader/cli/file_watch.h"
#include "grader/cli/grading_session.h"
#include "grader/config/course.h"
#include "grader/result/result.h"
#include "grader/score/measurement.h"

namespace warpgrade::cli {

// What happens in a round. All but on_progress are called by the thread of Run.
struct RoundEvents {
  // A round begins. `saved`: the files that were saved, or empty for the first one.
  std::function<void(const std::vector<std::string>& saved)> on_begin;
  std::function<void(int finished, int total, const std::string& what)> on_progress;  // as SessionOptions::on_progress
  // A round has ended. Its report has all rungs, those of earlier rounds too. `failures`: of the machine.
  std::function<void(const score::GradingReport& report, const std::vector<std::string>& failures)> on_report;
  // A round could not begin: the folder is not there, for example.
  std::function<void(const Error& error)> on_error;
};

// A round grades the rungs whose files were saved since they were graded. If a file is saved meanwhile, the round ends
// at once, and the next one grades what it left.
class CheckRounds {
 public:
  // `session`: as for one round, with one path and one lab. `rungs`: the names of all that are to be graded, with
  // "quiz" where it is.
  CheckRounds(SessionOptions session, std::vector<std::string> rungs, RoundEvents events);

  // Returns when `stop` is set.
  void Run(const std::atomic<bool>& stop);

 private:
  Result<SessionResult> Grade(const std::atomic<bool>& stop);
  void Keep(const score::GradingReport& report);

  const SessionOptions session_;
  const std::vector<std::string> rungs_;
  const RoundEvents events_;
  FileWatch watch_;
  std::set<std::string> left_;  // of rungs_: without a result, or saved since
  score::GradingReport merged_;
  std::atomic<bool> cancel_{false};  // of the round: a file was saved, or `stop`
};

// The names of a lab's rungs, chosen as SelectRungs does, with "quiz" where it is one of them. Errors (kUsage): as
// SelectRungs, or there is no such course.yaml.
Result<std::vector<std::string>> NamesOfRungs(const std::string& course_yaml, const std::string& lab,
                                              const std::vector<std::string>& chosen);

}  // namespace warpgrade::cli
