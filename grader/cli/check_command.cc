// `warpgrade check LAB [RUNG]`: the student's view of grading, on the public cases. With --part it is one of the ctest
// tests of cmake/labs.cmake. Tests: tests/cli/command_line_test.cc, tests/course/*.
#include <fmt/format.h>
#include <unistd.h>

#include <ctime>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "grader/cli/check_quiz.h"
#include "grader/cli/check_rounds.h"
#include "grader/cli/choice.h"
#include "grader/cli/commands.h"
#include "grader/cli/device_option.h"
#include "grader/cli/edition.h"
#include "grader/cli/executable_path.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/grading_session.h"
#include "grader/cli/home_sandbox.h"
#include "grader/cli/interrupt.h"
#include "grader/cli/outside_labs.h"
#include "grader/cli/part_verdict.h"
#include "grader/cli/progress.h"
#include "grader/cli/report_output.h"
#include "grader/cli/running.h"
#include "grader/cli/test_record.h"
#include "grader/config/kit.h"
#include "grader/report/text.h"

namespace warpgrade::cli {
namespace {

struct CheckOptions {
  SessionOptions session;
  ReportFiles files;
  std::string lab, rung, submission;
  std::string only_case;  // as typed
  Part part = Part::kAll;
  std::string record_folder;
  bool watch = false;
};

// Of a rung that course.yaml does not show now.
PartVerdict NotShown(const score::SubmissionScore& submission) {
  PartVerdict verdict;
  verdict.exit_code = kTestSkipped;
  verdict.text = "skipped: not shown now";
  if (!submission.messages.empty()) verdict.text += ": " + report::PrintableLine(submission.messages.front());
  verdict.record.outcome = Outcome::kSkipped;
  verdict.record.note = verdict.text;
  return verdict;
}

// Prints the outcome of one part for ctest, writes its record for the table after the tests, and returns the exit
// status.
int ReportPart(const CheckOptions& options, const SessionResult& result) {
  if (const int code = Conclude(result); code != kDone) return code;
  const score::GradingReport seen = score::ReportFor(score::Reader::kStudents, std::time(nullptr), result.report);
  const score::SubmissionScore& submission = seen.submissions.at(0);
  const bool is_shown = !submission.labs.at(0).rungs.empty();
  const PartVerdict verdict = is_shown ? JudgePart(submission.labs[0].rungs[0], options.part) : NotShown(submission);
  const score::RungScore& rung = result.report.submissions.at(0).labs.at(0).rungs.at(0);
  TestRecord record = verdict.record;
  // The technique is always measured on the emulator. The table names the device of the other parts.
  if (options.part != Part::kTechnique) record.device = result.report.device.name;
  if (!options.record_folder.empty()) {
    const std::string test = fmt::format("{}.{}.{}", options.lab, rung.rung, Name(options.part));
    if (const Status written = WriteRecord(options.record_folder, test, record); !written.ok()) {
      return Fail(written.error());
    }
  }
  if (verdict.exit_code != kTestSkipped) {
    if (const Status printed = PrintReport(result.report, true, score::Reader::kStudents); !printed.ok())
      return Fail(printed.error());
  }
  fmt::print("{} {} {}: {}\n", options.lab, rung.rung, Name(options.part), verdict.text);
  return verdict.exit_code;
}

// The exit status of a part that needs no grading, because there is no GPU; nullopt if the part must be graded.
Result<std::optional<int>> SkipPart(CheckOptions* options) {
  if (options->part == Part::kTechnique) options->session.device = Device::kEmulator;  // where it is always measured
  if (options->part != Part::kThroughput) return std::optional<int>();
  const auto choice = ChooseDevice(options->session.device);
  if (!choice) return choice.error();
  if (choice->device == Device::kGpu) return std::optional<int>();
  const std::string test = fmt::format("{}.{}.throughput", options->lab, options->rung);
  const TestRecord record{.outcome = Outcome::kSkipped, .device = choice->why, .note = "skipped: no GPU"};
  fmt::print("{}: {}\n", test, record.note);
  if (!options->record_folder.empty()) {
    if (const Status written = WriteRecord(options->record_folder, test, record); !written.ok()) {
      return written.error();
    }
  }
  return std::optional<int>(kTestSkipped);
}

// Checks only the quiz, which needs no compiler and no device.
int CheckQuizOnly(const CheckOptions& options) {
  for (const auto& [flag, file] : options.files) {
    if (file.empty()) continue;
    std::string words = fmt::format("`check {} quiz` prints the marks of the quiz and writes no files; leave out {}",
                                    options.lab, flag);
    if (!ThisEdition().for_students) {
      words += fmt::format(", or run `warpgrade grade SUBMISSION --lab {} --rung quiz {} {}`", options.lab, flag, file);
    }
    return Fail(Error{ErrorKind::kUsage, words});
  }
  const Status checked =
      CheckQuiz({options.lab, options.submission, options.session.course_yaml, options.session.who.named});
  return checked.ok() ? kDone : Fail(checked.error());
}

// True if the test of correctness, in the same run of ctest, has passed the public cases on the emulator, which checks
// them. Then the test of technique need not run them again. On a machine with a GPU they ran there, without the checks.
bool HasJustPassed(const CheckOptions& options) {
  if (options.record_folder.empty()) return false;
  const auto choice = ChooseDevice(Device::kAuto);
  if (!choice || choice->device != Device::kEmulator) return false;
  const auto records = ReadRecords(options.record_folder);
  const auto correctness = records.find(fmt::format("{}.{}.correctness", options.lab, options.rung));
  return correctness != records.end() && correctness->second.outcome == Outcome::kPassed;
}

// For who has written a function but left the starter's first line in: the file in starter/ does not tell which it is.
void SayWhatIsNotWritten(const score::GradingReport& report) {
  for (const score::LabScore& lab : report.submissions.at(0).labs) {  // none if nothing could be graded
    for (const score::RungScore& rung : lab.rungs) {
      if (rung.measurement.status != score::RungStatus::kNotWritten) continue;
      fmt::print(stderr,
                 "warpgrade: {}.cu still has the line NOT_WRITTEN_YET(); delete it when you have written the rest\n",
                 rung.rung);
    }
  }
}

// Grades again whenever a file is saved, until Ctrl-C.
int Watch(const CheckOptions& options, const std::string& check_options, Progress* progress) {
  const SessionOptions& session = options.session;
  const auto rungs = NamesOfRungs(session.course_yaml, options.lab, session.rungs);
  if (!rungs) return Fail(rungs.error());
  RoundEvents events;
  events.on_begin = [](const std::vector<std::string>& saved) {
    if (saved.empty()) return;
    const std::time_t now = std::time(nullptr);
    std::tm local = {};
    localtime_r(&now, &local);
    fmt::print(stderr, "\n{:02}:{:02}:{:02} saved: {}\n", local.tm_hour, local.tm_min, local.tm_sec,
               fmt::join(saved, ", "));
  };
  events.on_progress = session.on_progress;
  events.on_report = [&](score::GradingReport report, const std::vector<std::string>& failures) {
    progress->Clear();
    report.check_program = LauncherPath();
    report.check_options = check_options;
    report.own_files = true;
    const Status handed_out = HandOut(report, options.files, true, ViewOf(score::Reader::kStudents));
    if (!handed_out.ok()) Fail(handed_out.error());
    for (const std::string& failure : failures) fmt::print(stderr, "warpgrade: {}\n", failure);
    fmt::print(stderr, "waiting until a file is saved; Ctrl-C ends this\n");
  };
  events.on_error = [progress](const Error& error) {
    progress->Clear();
    Fail(error);
    fmt::print(stderr, "waiting until a file is saved; Ctrl-C ends this\n");
  };
  CheckRounds(session, *rungs, std::move(events)).Run(*session.cancel);
  progress->Clear();
  return kInterrupted;
}

int ReportCase(const SessionResult& result) {
  if (const Status printed = PrintCase(result.report, result.only_case); !printed.ok()) return Fail(printed.error());
  return Conclude(result);
}

int Check(CheckOptions options) {
  if (options.rung == config::kQuizName && options.part == Part::kAll && !options.watch) {
    return CheckQuizOnly(options);
  }
  const auto skipped = SkipPart(&options);
  if (!skipped) return Fail(skipped.error());
  if (skipped->has_value()) return **skipped;
  const std::string check_options =
      options.submission.empty() ? "" : " --submission " + WordForShell(options.submission);
  if (options.submission.empty()) {
    const auto kit = config::FindKit(ExecutablePath());
    if (!kit) return Fail(kit.error());
    options.submission = StarterFolder(*kit, options.session.course_yaml, options.lab);
  }
  if (const Status can = CheckFiles(options.files); !can.ok()) return Fail(can.error());
  Running running;
  Progress progress(stderr, isatty(STDERR_FILENO) != 0, TerminalColumns(stderr));
  SessionOptions& session = options.session;
  session.paths = {options.submission};
  session.labs = {options.lab};
  if (!options.rung.empty()) session.rungs = {options.rung};
  session.parts.hidden_cases = false;
  session.who.at_home = true;
  session.keep_objects = true;  // `make LAB` wants it next
  session.parts.public_cases = options.part != Part::kTechnique || !HasJustPassed(options);
  session.parts.technique = options.part == Part::kAll || options.part == Part::kTechnique;
  session.parts.throughput = options.part == Part::kAll || options.part == Part::kThroughput;
  const auto page = options.files.find("--html");
  session.parts.pictures = page != options.files.end() && !page->second.empty();
  if (session.parts.pictures) session.parts.steps.emplace();
  if (!options.only_case.empty()) {
    session.only_case = options.only_case;
    session.parts.technique = session.parts.throughput = false;
  }
  session.cancel = &CatchInterrupts();
  session.on_progress = [&progress](int finished, int total, const std::string& what) {
    progress.Show(finished, total, what);
  };
  session.running = &running;
  progress.Watch(running);
  if (options.watch) return Watch(options, check_options, &progress);
  Result<SessionResult> result = RunAtHome(session);
  progress.Clear();
  if (!result) return Fail(result.error());
  result->report.check_program = LauncherPath();
  result->report.check_options = check_options;
  result->report.own_files = true;
  if (options.part != Part::kAll) return ReportPart(options, *result);
  if (!options.only_case.empty()) return ReportCase(*result);
  if (const Status handed_out = HandOut(result->report, options.files, true, ViewOf(score::Reader::kStudents));
      !handed_out.ok()) {
    return Fail(handed_out.error());
  }
  if (!options.rung.empty()) SayWhatIsNotWritten(result->report);
  return Conclude(*result);
}

}  // namespace

void AddCheckCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("check", "Grade your own lab on the public cases");
  command->footer(
      "Examples:\n"
      "  warpgrade check lab1                          check every rung of starter/lab1\n"
      "  warpgrade check lab1 v3                       check one rung\n"
      "  warpgrade check lab1 v3 --case 7              run only this case, and show what is wrong in it\n"
      "  warpgrade check lab1 v3 --watch               check it again whenever you save it, until Ctrl-C\n"
      "  warpgrade check lab1 quiz                     check which of your answers to the quiz are right\n"
      "  warpgrade check lab2 v3 --submission my-work  check files in another folder\n"
      "\n"
      "The course's grader uses more sizes and other values than `check`. So write kernels that are right for all "
      "sizes\n"
      "and values, not only for those of `check`.\n"
      "\n" +
      std::string(kExitStatusHelp));
  auto options = std::make_shared<CheckOptions>();
  static const std::map<std::string, Part> kParts = {
      {"correctness", Part::kCorrectness}, {"technique", Part::kTechnique}, {"throughput", Part::kThroughput}};
  command->add_option("lab", options->lab, "The lab, such as lab1")->required()->type_name("");
  command->add_option("rung", options->rung, "The rung: v3, or v3_sequential, or quiz (default: all rungs)")
      ->type_name("");
  command->add_option("--submission", options->submission, "The folder with your files (default: starter/)")
      ->type_name("DIR");
  command
      ->add_option("--student", options->session.who.named,
                   "The id of the student whose quiz it is (default: the one in answers.yaml)")
      ->type_name("ID");
  AddDeviceOption(*command, &options->session.device);
  command->add_option("--course", options->session.course_yaml, "Use this course.yaml (default: the one of the kit)")
      ->type_name("FILE");
  CLI::Option* only_case =
      command->add_option("--case", options->only_case, "Run only this case: a number that a report gives, or a name");
  only_case->type_name("N")->needs(command->get_option("rung"));
  command
      ->add_option("--seed", options->session.delay_seed,
                   "Delay and order work as a report with this number did; 0: as a simple device does (default: drawn)")
      ->type_name("N");
  AddFormatOptions(
      *command, [](const report::Format& format) { return !format.compares_submissions; }, &options->files);
  for (const auto& [flag, file] : options->files) only_case->excludes(command->get_option(flag));
  command->add_flag("--watch", options->watch, "Check again whenever a file is saved, until Ctrl-C")
      ->excludes(only_case);
  CLI::Option* part = command->add_option("--part", options->part)->transform(OneOf(kParts));
  part->group("")->needs(command->get_option("rung"))->excludes(only_case);
  part->excludes(command->get_option("--watch"));
  command->add_option("--record", options->record_folder)->group("")->needs(part);
  // For which GPU `make LAB` has built the rung, so that it need not be built again.
  command->add_option("--built-for", options->session.built_for)->group("")->needs(part);
  command->callback([options, exit_code] { *exit_code = Check(*options); });
}

}  // namespace warpgrade::cli
