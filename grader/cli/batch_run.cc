// Runs a session for a batch, and prints. The live line is on a terminal only.
// Tests: tests/cli/batch_command_test.cc.
#include "grader/cli/batch_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <ctime>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "grader/cli/batch_progress.h"
#include "grader/cli/book_marks.h"
#include "grader/cli/commands.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/interrupt.h"
#include "grader/cli/place_options.h"
#include "grader/cli/progress.h"
#include "grader/cli/report_output.h"
#include "grader/gradebook/marks.h"
#include "grader/report/file.h"
#include "grader/report/html.h"
#include "grader/result/counted.h"
#include "grader/score/visibility.h"
#include "grader/submission/printable.h"

namespace warpgrade::cli {
namespace {

double SteadySeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Refreshes the live line once a second until it is destroyed.
class LiveLine {
 public:
  explicit LiveLine(BatchProgress* progress)
      : progress_(*progress), thread_([this](const std::stop_token& stop) { Run(stop); }) {}
  ~LiveLine() {
    thread_.request_stop();
    thread_.join();
    progress_.Finish();
  }
  LiveLine(const LiveLine&) = delete;
  LiveLine& operator=(const LiveLine&) = delete;

 private:
  void Run(const std::stop_token& stop) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any wakes;
    while (!stop.stop_requested()) {
      wakes.wait_for(lock, stop, std::chrono::seconds(1), [] { return false; });
      if (!stop.stop_requested()) progress_.Refresh();
    }
  }

  BatchProgress& progress_;
  std::jthread thread_;
};

void PrintList(const std::string& title, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  fmt::print("\n{}\n", title);
  for (const std::string& line : lines) fmt::print("  {}\n", submission::Escaped(line));
}

// "3 submissions: 2 graded, 1 unchanged (neither built nor run again)".
std::string SummaryOf(const BatchSummary& summary) {
  std::string text =
      fmt::format("{}: {} graded", Counted(static_cast<uint64_t>(summary.found), "submission"), summary.graded);
  const int unchanged = summary.unchanged + summary.repeated;
  if (unchanged > 0) text += fmt::format(", {} unchanged (neither built nor run again)", unchanged);
  if (summary.meanwhile > 0) text += fmt::format(", {} graded by another process meanwhile", summary.meanwhile);
  if (summary.failed > 0) text += fmt::format(", {} not graded because the machine failed", summary.failed);
  if (!summary.unmatched.empty()) text += fmt::format(", {} of no student", summary.unmatched.size());
  return text;
}

int Conclude(const std::string& gradebook, const BatchSummary& summary, const SessionResult& result) {
  for (const std::string& remark : result.remarks) fmt::print(stderr, "warpgrade: {}\n", remark);
  for (const std::string& failure : result.failures) fmt::print(stderr, "warpgrade: {}\n", failure);
  if (result.interrupted) {
    fmt::print(stderr, "warpgrade: interrupted; {} has all that was graded. Run the same command again to go on\n",
               gradebook);
    return kInterrupted;
  }
  if (summary.failed == 0) return kDone;
  fmt::print(
      stderr,
      "warpgrade: the machine failed for some submissions; see the messages above. Run the same command again to "
      "grade them\n");
  return kMachineFailed;
}

// The page of the class with the marks of the lab as they are now.
Status WritePage(const BatchRun& run, const BatchSummary& summary, const SessionResult& result,
                 score::GradingReport marks) {
  marks.class_notes = run.notes;
  marks.class_notes.unmatched = summary.unmatched;
  marks.class_notes.failures = result.failures;
  return report::WriteFile(
      run.html, report::ClassPage(score::ReportFor(score::Reader::kStaff, std::time(nullptr), std::move(marks))));
}

}  // namespace

void AddSessionOptions(CLI::App* command, SessionOptions* session) {
  AddPlaceOptions(command, session);
  command->add_flag_callback(
      "--no-cache", [session] { session->use_cache = false; },
      "Compile every rung again, even if it was compiled before");
}

int RunBatch(const BatchRun& run, SessionOptions session, gradebook::Gradebook* book) {
  const bool terminal = isatty(STDERR_FILENO) != 0;
  BatchProgress progress(stderr, terminal, TerminalColumns(stderr), SteadySeconds);
  Batch batch(run.lab, run.again, run.roster, book, &progress);
  session.cancel = &CatchInterrupts();
  if (const Status prepared = run.prepare(&batch, &session); !prepared.ok()) return Fail(prepared.error());
  if (run.engine) {
    if (const Status ready = run.engine(&batch, &progress, &session); !ready.ok()) return Fail(ready.error());
  }
  std::unique_ptr<LiveLine> live = terminal ? std::make_unique<LiveLine>(&progress) : nullptr;
  const Result<SessionResult> result = RunSession(session);
  live.reset();
  if (!result) return Fail(result.error());
  const Result<config::Course> course = CourseAt(session.course_yaml);
  if (!course) return Fail(course.error());
  Result<score::GradingReport> marks = gradebook::CurrentMarks(
      book, {.student = run.student, .lab = run.lab, .details = !run.html.empty(), .course = &*course});
  if (!marks) return Fail(marks.error());
  if (const Status printed = PrintMarks(*marks); !printed.ok()) return Fail(printed.error());
  const BatchSummary& summary = batch.summary();
  if (!run.html.empty()) {
    if (const Status written = WritePage(run, summary, *result, std::move(*marks)); !written.ok()) {
      return Fail(written.error());
    }
  }
  PrintList("Of no student:", summary.unmatched);
  PrintList("Handed nothing in:", summary.handed_nothing);
  fmt::print("\n{}\n", SummaryOf(summary));
  return Conclude(book->path(), summary, *result);
}

}  // namespace warpgrade::cli
