// `warpgrade batch`: grades a class into a gradebook. batch.cc does the work; this file has the options and what is
// printed. Tests: tests/cli/batch_command_test.cc.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "grader/cli/batch.h"
#include "grader/cli/choice.h"
#include "grader/cli/commands.h"
#include "grader/cli/device_option.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/interrupt.h"
#include "grader/cli/progress.h"
#include "grader/cli/report_output.h"
#include "grader/gradebook/marks.h"
#include "grader/result/counted.h"
#include "grader/submission/printable.h"

namespace warpgrade::cli {
namespace {

struct BatchOptions {
  SessionOptions session;
  std::string lab, gradebook, roster;
  bool fresh = false, no_cache = false, quiet = false;
};

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

int Conclude(const BatchOptions& options, const BatchSummary& summary, const SessionResult& result) {
  for (const std::string& failure : result.failures) fmt::print(stderr, "warpgrade: {}\n", failure);
  if (result.interrupted) {
    fmt::print(stderr, "warpgrade: interrupted; {} has all that was graded. Run the same command again to go on\n",
               options.gradebook);
    return kInterrupted;
  }
  if (summary.failed == 0) return kDone;
  fmt::print(
      stderr,
      "warpgrade: the machine failed for some submissions; see the messages above. Run the same command again to "
      "grade them\n");
  return kMachineFailed;
}

Result<std::vector<roster::Student>> RosterOf(const BatchOptions& options) {
  if (options.roster.empty()) return std::vector<roster::Student>();
  return roster::ReadRoster(options.roster);
}

int RunBatch(BatchOptions options) {
  const Result<std::vector<roster::Student>> students = RosterOf(options);
  if (!students) return Fail(students.error());
  Result<gradebook::Gradebook> book =
      gradebook::Gradebook::Open(options.gradebook, gradebook::Access::kCreate, WARPGRADE_VERSION);
  if (!book) return Fail(book.error());
  const bool terminal = isatty(STDERR_FILENO) != 0;
  BatchProgress progress(stderr, terminal, TerminalColumns(stderr), SteadySeconds);
  Batch batch(options.lab, options.fresh, options.roster.empty() ? nullptr : &*students, &*book, &progress);
  options.session.use_cache = !options.no_cache;
  options.session.cancel = &CatchInterrupts();
  if (const Status prepared = batch.Prepare(&options.session); !prepared.ok()) return Fail(prepared.error());
  std::unique_ptr<LiveLine> live = terminal ? std::make_unique<LiveLine>(&progress) : nullptr;
  const Result<SessionResult> result = RunSession(options.session);
  live.reset();
  if (!result) return Fail(result.error());
  const Result<score::GradingReport> marks = gradebook::CurrentMarks(&*book, {.lab = options.lab, .details = false});
  if (!marks) return Fail(marks.error());
  if (const Status printed = PrintMarks(*marks); !printed.ok()) return Fail(printed.error());
  const BatchSummary& summary = batch.summary();
  PrintList("Of no student:", summary.unmatched);
  PrintList("Handed nothing in:", summary.handed_nothing);
  fmt::print("\n{}\n", SummaryOf(summary));
  return Conclude(options, summary, *result);
}

constexpr char kFooter[] =
    "Examples:\n"
    "  warpgrade batch submissions/ --lab lab3 --gradebook marks.db\n"
    "                                         grade a class, or go on after an interruption\n"
    "  warpgrade batch submissions/ --lab lab3 --gradebook marks.db --roster roster.csv\n"
    "                                         the same, and list who handed nothing in\n"
    "  warpgrade export marks.db --format csv --output marks.csv\n"
    "                                         write the marks for a spreadsheet\n"
    "\n"
    "The gradebook keeps every attempt, its sources and every grading of it; nothing in it is overwritten. "
    "Submissions\n"
    "that have not changed since they were graded are neither built nor run again. The submissions may be named as\n"
    "Canvas, Gradescope and GitHub Classroom export them, or by the ids of the students.\n"
    "\n"
    "The roster is a CSV file with a line of headings: id,name,e-mail,section,extension. Only id must be there.\n"
    "\n";

void AddSandboxOption(CLI::App& command, SessionOptions* session) {
  session->sandbox = Sandbox::kBubblewrap;
  static const std::map<std::string, Sandbox> kSandboxes = {{"bubblewrap", Sandbox::kBubblewrap},
                                                            {"none", Sandbox::kNone}};
  command
      .add_option(
          "--sandbox", session->sandbox,
          "How to confine submissions: bubblewrap (the default), or none, so that they run with all your rights")
      ->envname("WARPGRADE_SANDBOX")
      ->transform(OneOf(kSandboxes))
      ->type_name("KIND");
}

}  // namespace

void AddBatchCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("batch", "Grade a class into a gradebook; go on after an interruption");
  command->footer(std::string(kFooter) + kExitStatusHelp);
  auto options = std::make_shared<BatchOptions>();
  SessionOptions& session = options->session;
  command->add_option("path", session.paths, "A folder of submissions, or one submission")
      ->required()
      ->type_name("DIR");
  command->add_option("--lab", options->lab, "The lab that was handed in")->required()->type_name("LAB");
  command->add_option("--gradebook", options->gradebook, "The gradebook; it is made if there is none")
      ->required()
      ->type_name("FILE");
  command->add_option("--roster", options->roster, "The students of the course, as CSV")->type_name("FILE");
  command->add_flag("--fresh", options->fresh, "Grade every submission again, even if it has not changed");
  AddDeviceOption(*command, &session.device);
  command
      ->add_option("--jobs,-j", session.jobs, "How many rungs to grade at the same time (default: one for each core)")
      ->check(CLI::Range(1, 1024).description(""))
      ->type_name("N");
  AddSandboxOption(*command, &session);
  command->add_flag("--no-cache", options->no_cache, "Compile every rung again, even if it was compiled before");
  command->add_option("--course", session.course_yaml, "Use this course.yaml (default: the one of the kit)")
      ->type_name("FILE");
  command->callback([options, exit_code] { *exit_code = RunBatch(*options); });
}

}  // namespace warpgrade::cli
