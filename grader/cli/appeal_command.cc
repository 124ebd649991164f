// `warpgrade book appeal`: writes all that the gradebook knows of one attempt into a folder, with a command that grades
// it again on the emulator. Tests: tests/cli/book_command_test.cc, tests/cli/batch_command_test.cc.
#include <fmt/format.h>

#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "grader/cli/book_command.h"
#include "grader/cli/book_marks.h"
#include "grader/cli/book_text.h"
#include "grader/cli/commands.h"
#include "grader/cli/executable_path.h"
#include "grader/cli/exit_code.h"
#include "grader/config/kit.h"
#include "grader/gradebook/marks.h"
#include "grader/report/file.h"
#include "grader/report/table.h"
#include "grader/report/text.h"
#include "grader/score/visibility.h"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;
using gradebook::Attempt;
using gradebook::Gradebook;

struct AppealOptions {
  std::string gradebook, student, lab, output, course_yaml;
  int attempt = 0;  // 0: the one that counts
};

// Writes files below one folder; keeps the first error.
class Bundle {
 public:
  explicit Bundle(std::string folder) : folder_(std::move(folder)) {}

  void Add(const std::string& name, const std::string& text) {
    const std::string path = folder_ + "/" + name;
    std::error_code error;
    fs::create_directories(fs::path(path).parent_path(), error);
    const Status written =
        error ? Status(Error{ErrorKind::kMachine, fmt::format("{}: cannot be made: {}", path, error.message())})
              : report::WriteFile(path, text);
    if (first_.ok()) first_ = written;
  }
  const Status& status() const { return first_; }

 private:
  const std::string folder_;
  Status first_;
};

// The names in a gradebook are those of rungs, but the file may be damaged.
bool IsSafeName(const std::string& name) {
  return !name.starts_with('/') && ("/" + name + "/").find("/../") == std::string::npos;
}

Result<Attempt> ChooseAttempt(Gradebook* book, const config::Course& course, const AppealOptions& options) {
  const Result<std::vector<Attempt>> attempts = book->Attempts(options.student, options.lab);
  if (!attempts) return attempts.error();
  const Result<std::string> lab = LabOf(*attempts, options.student, options.lab);
  if (!lab) return lab.error();
  if (options.attempt > 0) {
    const Result<const Attempt*> attempt = FindAttempt(*attempts, options.student, *lab, options.attempt);
    return attempt ? Result<Attempt>(**attempt) : attempt.error();
  }
  const auto counting = gradebook::CountedAttempts(book, {.student = options.student, .lab = *lab, .course = &course});
  if (!counting) return counting.error();
  if (counting->empty()) return NothingHandedIn(options.student, *lab);
  return counting->front().attempt;
}

// A word for a POSIX shell.
std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

uint64_t DelaySeedIn(const score::GradingReport& report) {
  for (const score::RungScore& rung : report.submissions.at(0).labs.at(0).rungs) {
    if (rung.measurement.delay_seed > 0) return rung.measurement.delay_seed;
  }
  return 0;
}

std::string RerunScript(const Attempt& attempt, uint64_t delay_seed) {
  return fmt::format(
      "#!/bin/sh\n"
      "# Grades this attempt again on the emulator, by the rules in course.yaml, and writes rerun.json.\n"
      "# warpgrade must be on PATH, or name it: WARPGRADE=/path/to/warpgrade ./rerun.sh\n"
      "cd \"$(dirname \"$0\")\" || exit 2\n"
      "exec \"${{WARPGRADE:-warpgrade}}\" grade submission --lab {} --student {} --device emulator --seed {} \\\n"
      "  --course course.yaml --details --json rerun.json\n",
      attempt.lab, Quoted(attempt.student), delay_seed);
}

std::string ReadMe(const Attempt& attempt, const std::string& student_text) {
  std::string text = student_text + "\n";
  text += fmt::format("lab         {}\nattempt     {}, {} ({})\nsources     SHA-256 {}\n", attempt.lab, attempt.number,
                      attempt.handed_in, attempt.time_from, attempt.sources);
  if (attempt.grading) {
    const gradebook::Grading& grading = *attempt.grading;
    text += fmt::format("graded      {} ({}) by warpgrade {} on {}\nrules       SHA-256 {}\n", grading.graded_at,
                        grading.why, grading.conditions.kit_version, grading.conditions.device_name,
                        grading.conditions.rules);
  }
  return text +
         "\n"
         "submission/   what was handed in\n"
         "result.txt    the result as a table\n"
         "result.json   everything that was measured\n"
         "log.txt       what the grader did, and when\n"
         "history.txt   all attempts, gradings and overrides of this student for this lab\n"
         "course.yaml   the rules\n"
         "rerun.sh      grades it again on the emulator\n"
         "\n"
         "A right rung gets the same counts each time. The grader draws the values of the hidden cases anew each time, "
         "so\n"
         "a wrong rung may fail at another element or in another number of cases. A race may be found in other "
         "cases.\n";
}

// A bundle is for staff. Says what a student who gets it would see too early.
std::string NotForStudents(const score::GradingReport& report) {
  std::string text;
  for (const score::RungScore& rung : report.submissions.at(0).labs.at(0).rungs) {
    if (!rung.visibility_note.empty()) text += fmt::format("  {}: {}\n", rung.rung, rung.visibility_note);
  }
  return text.empty() ? "" : "\nDo not give this folder to the student now. By course.yaml:\n" + text;
}

void AddResult(Gradebook* book, const config::Course& course, const Attempt& attempt, Bundle* bundle,
               uint64_t* delay_seed, std::string* not_for_students, Status* status) {
  if (!attempt.grading) return;
  Result<score::GradingReport> report = book->Report(attempt.grading->measured);
  const Result<std::string> text = book->ReportText(attempt.grading->measured);
  const Result<std::string> log = book->Log(attempt.grading->measured);
  if (!report || !text || !log) {
    *status = !report ? report.error() : !text ? text.error() : log.error();
    return;
  }
  *delay_seed = DelaySeedIn(*report);
  bundle->Add("result.json", *text);
  report->visibility = score::VisibilityOf(course);
  const score::GradingReport seen = score::ReportFor(score::Reader::kStaff, std::time(nullptr), std::move(*report));
  *not_for_students = NotForStudents(seen);
  bundle->Add("result.txt", report::Table(seen, {.details = true}));
  bundle->Add("log.txt", *log);
}

Status WriteBundle(Gradebook* book, const AppealOptions& options) {
  if (const Status known = CheckStudent(book, options.student); !known.ok()) return known.error();
  const Result<std::string> course_yaml = CoursePath(options.course_yaml);
  if (!course_yaml) return course_yaml.error();
  const Result<config::Course> course = CourseAt(*course_yaml);
  if (!course) return course.error();
  const Result<Attempt> attempt = ChooseAttempt(book, *course, options);
  if (!attempt) return attempt.error();
  const Result<gradebook::HandIn> hand_in = book->Read(*attempt);
  const Result<std::string> history = HistoryText(book, options.student, attempt->lab);
  const Result<std::string> student = StudentText(book, *course, options.student, attempt->lab);
  if (!hand_in) return hand_in.error();
  if (!history) return history.error();
  if (!student) return student.error();
  std::error_code ignored;
  if (fs::exists(options.output, ignored) && !fs::is_empty(options.output, ignored)) {
    return Error{ErrorKind::kUsage, options.output + ": this folder is not empty; name a new one"};
  }

  Bundle bundle(options.output);
  Status status;
  uint64_t delay_seed = 0;
  std::string not_for_students;
  AddResult(book, *course, *attempt, &bundle, &delay_seed, &not_for_students, &status);
  if (!status.ok()) return status;
  fs::create_directories(options.output + "/submission", ignored);  // even if nothing was handed in
  for (const auto& [name, text] : hand_in->files) {
    if (IsSafeName(name)) bundle.Add("submission/" + name, text);
  }
  std::ifstream rules(*course_yaml, std::ios::binary);
  std::ostringstream rules_text;
  rules_text << rules.rdbuf();
  bundle.Add("course.yaml", rules_text.str());
  bundle.Add("history.txt", *history);
  bundle.Add("README.txt", ReadMe(*attempt, *student) + not_for_students);
  bundle.Add("rerun.sh", RerunScript(*attempt, delay_seed));
  if (!bundle.status().ok()) return bundle.status();
  fs::permissions(options.output + "/rerun.sh", fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                  fs::perm_options::add, ignored);
  fmt::print("{}: {} attempt {} of {}\n", options.output, attempt->lab, attempt->number,
             report::PrintableLine(options.student));
  return Status();
}

int Appeal(const AppealOptions& options) {
  Result<Gradebook> book = Gradebook::Open(options.gradebook, gradebook::Access::kRead, WARPGRADE_VERSION);
  if (!book) return Fail(book.error());
  const Status written = WriteBundle(&*book, options);
  return written.ok() ? kDone : Fail(written.error());
}

}  // namespace

void AddAppealCommand(CLI::App* book, int* exit_code) {
  CLI::App* command = book->add_subcommand("appeal", "Write all that is known of an attempt into a folder");
  command->footer(
      "Examples:\n"
      "  warpgrade book appeal marks.db s1042 --lab lab3 --output appeal-s1042\n"
      "                                         the attempt that counts\n"
      "  warpgrade book appeal marks.db s1042 --lab lab3 --attempt 1 --output appeal-s1042-1\n"
      "\n"
      "The folder has the sources, the result, the log, the history, the rules, and rerun.sh, which grades the "
      "attempt\n"
      "again on the emulator.\n"
      "\n" +
      std::string(kExitStatusHelp));
  auto options = std::make_shared<AppealOptions>();
  command->add_option("gradebook", options->gradebook, "The gradebook that `warpgrade batch` wrote")
      ->required()
      ->type_name("FILE");
  command->add_option("student", options->student, "The id of the student")->required()->type_name("ID");
  command->add_option("--lab", options->lab, "The lab (default: the only one that the student handed in)")
      ->type_name("LAB");
  command->add_option("--attempt", options->attempt, "The number of the attempt (default: the one that counts)")
      ->check(CLI::PositiveNumber.description(""))
      ->type_name("N");
  command->add_option("--output,-o", options->output, "The folder to write; it must be new or empty")
      ->required()
      ->type_name("DIR");
  command->add_option("--course", options->course_yaml, "Use this course.yaml (default: the one of the kit)")
      ->type_name("FILE");
  command->callback([options, exit_code] { *exit_code = Appeal(*options); });
}

}  // namespace warpgrade::cli
