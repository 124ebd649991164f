// While a round runs, a second thread looks at the files and ends the round when one of them is saved: its verdict
// would be of a file that is no longer there. Tests: tests/cli/check_rounds_test.cc, watch_test.cc with the built
// program.
#include "grader/cli/check_rounds.h"

#include <algorithm>
#include <filesystem>
#include <thread>
#include <utility>

#include "grader/cli/executable_path.h"
#include "grader/cli/home_sandbox.h"
#include "grader/cli/merged_report.h"
#include "grader/cli/metric_names.h"
#include "grader/cli/rung_work.h"
#include "grader/cli/selection.h"
#include "grader/config/kit.h"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;

constexpr FileWatch::Duration kLook{50};  // while a round runs

// Where the files of the lab are: in its own folder, or beside each other.
std::string FolderToWatch(const SessionOptions& session) {
  std::error_code ignored;
  const fs::path own = fs::path(session.paths.at(0)) / session.labs.at(0);
  return fs::is_directory(own, ignored) ? own.string() : session.paths[0];
}

}  // namespace

Result<std::vector<std::string>> NamesOfRungs(const std::string& course_yaml, const std::string& lab,
                                              const std::vector<std::string>& chosen) {
  std::string path = course_yaml;
  if (path.empty()) {
    const auto kit = config::FindKit(ExecutablePath());
    if (!kit) return kit.error();
    path = kit->course_yaml;
  }
  const auto course = config::LoadCourse(path, MetricNames(), {}, {}, config::BrokenLabs::kKeep);
  if (!course) return course.error();
  const auto labs = SelectRungs(*course, {lab}, chosen);
  if (!labs) return labs.error();
  std::vector<std::string> names;
  for (const config::Lab& one : *labs) {
    for (const config::Rung& rung : one.rungs) names.push_back(rung.name);
    if (one.quiz) names.emplace_back(config::kQuizName);
  }
  return names;
}

CheckRounds::CheckRounds(SessionOptions session, std::vector<std::string> rungs, RoundEvents events)
    : session_(std::move(session)),
      rungs_(std::move(rungs)),
      events_(std::move(events)),
      watch_(FolderToWatch(session_),
             [this](const std::string& name) {
               return std::find(rungs_.begin(), rungs_.end(), RungOfFile(name)) != rungs_.end();
             }),
      left_(rungs_.begin(), rungs_.end()) {}

// REQUIRES: something is left.
Result<SessionResult> CheckRounds::Grade(const std::atomic<bool>& stop) {
  SessionOptions session = session_;
  session.rungs.assign(left_.begin(), left_.end());
  session.cancel = &cancel_;
  session.on_progress = events_.on_progress;
  cancel_ = false;
  std::atomic<bool> done{false};
  const std::jthread looking([this, &stop, &done] {
    while (!done && !cancel_) {
      if (stop || !watch_.Changed().empty()) {
        cancel_ = true;
      } else {
        std::this_thread::sleep_for(kLook);
      }
    }
  });
  Result<SessionResult> result = RunAtHome(session);
  done = true;
  return result;
}

void CheckRounds::Keep(const score::GradingReport& report) {
  for (const score::SubmissionScore& submission : report.submissions) {
    for (const score::LabScore& lab : submission.labs) {
      for (const score::RungScore& rung : lab.rungs) left_.erase(rung.rung);
    }
  }
  merged_ = Merged(merged_, report, rungs_);
  for (score::SubmissionScore& submission : merged_.submissions) AddRooflines(merged_.device, &submission);
}

void CheckRounds::Run(const std::atomic<bool>& stop) {
  std::vector<std::string> saved;
  watch_.Take();
  while (!stop) {
    if (events_.on_begin) events_.on_begin(saved);
    const Result<SessionResult> result = Grade(stop);
    if (result) Keep(result->report);
    if (stop) return;
    if (!result && events_.on_error) events_.on_error(result.error());
    if (result && !result->interrupted && events_.on_report) events_.on_report(merged_, result->failures);
    saved = watch_.AwaitSave(stop);
    watch_.Take();
    for (const std::string& name : saved) left_.insert(RungOfFile(name));
  }
}

}  // namespace warpgrade::cli
