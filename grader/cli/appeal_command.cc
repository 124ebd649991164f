// `warpgrade book appeal`: writes all that the gradebook knows of one attempt into a folder, with a command that grades
// it again on the emulator. Tests: tests/cli/book_command_test.cc, tests/cli/batch_command_test.cc.
#include <fmt/format.h>

#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "grader/cli/book_command.h"
#include "grader/cli/book_marks.h"
#include "grader/cli/book_text.h"
#include "grader/cli/commands.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/report_output.h"
#include "grader/config/students_text.h"
#include "grader/gradebook/marks.h"
#include "grader/report/batch_table.h"
#include "grader/report/file.h"
#include "grader/report/json.h"
#include "grader/report/table.h"
#include "grader/report/text.h"
#include "grader/report/words.h"
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

// The attempt that the appeal is about.
struct Chosen {
  Attempt attempt;
  int counting = 0;  // the number of the attempt that counts
  bool counts() const { return attempt.number == counting; }
};

Result<Chosen> ChooseAttempt(Gradebook* book, const config::Course& course, const AppealOptions& options) {
  const Result<std::vector<Attempt>> attempts = book->Attempts(options.student, options.lab);
  if (!attempts) return attempts.error();
  const Result<std::string> lab = LabOf(*attempts, options.student, options.lab);
  if (!lab) return lab.error();
  const auto counting = gradebook::CountedAttempts(book, {.student = options.student, .lab = *lab, .course = &course});
  if (!counting) return counting.error();
  if (counting->empty()) return NothingHandedIn(options.student, *lab);
  const int number = counting->front().attempt.number;
  const Result<const Attempt*> attempt =
      FindAttempt(*attempts, options.student, *lab, options.attempt > 0 ? options.attempt : number);
  if (!attempt) return attempt.error();
  return Chosen{**attempt, number};
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
      "wanted=${{WARPGRADE:-warpgrade}}\n"
      "WARPGRADE=$(command -v \"$wanted\") || {{\n"
      "  echo \"$0: there is no program $wanted; say where it is: WARPGRADE=/path/to/warpgrade $0\" >&2\n"
      "  exit 2\n"
      "}}\n"
      "WARPGRADE=$(realpath \"$WARPGRADE\")\n"
      "cd \"$(dirname \"$0\")\" || exit 2\n"
      "exec \"$WARPGRADE\" grade submission --lab {} --student {} --device emulator --seed {} \\\n"
      "  --course course.yaml --details --json rerun.json\n",
      attempt.lab, report::ShellQuoted(attempt.student), delay_seed);
}

// The points of the lab now, and what lateness and overrides changed in them.
std::string PointsLines(const Chosen& chosen, const score::SubmissionScore& marks) {
  std::string text = "points now  ";
  if (!marks.unfinished.empty()) {
    text += "not known: the attempt that counts is not graded yet";
  } else {
    text += report::PointsWords(marks.points, marks.max_points);
  }
  if (!chosen.counts()) text += fmt::format(", of attempt {}, which counts instead of this one", chosen.counting);
  text += "\n";
  for (const std::string& change : report::ChangesOf(marks, /*with_lab=*/false)) text += "            " + change + "\n";
  return text;
}

std::string ReadMe(const Chosen& chosen, const std::string& title, const std::string& student_text,
                   const score::SubmissionScore& marks) {
  const Attempt& attempt = chosen.attempt;
  std::string text = student_text + "\n";
  text += fmt::format("lab         {}\nattempt     {}, {} ({})\n{}sources     SHA-256 {}\n", title, attempt.number,
                      attempt.handed_in, attempt.time_from, PointsLines(chosen, marks), attempt.sources);
  if (attempt.grading) {
    const gradebook::Grading& grading = *attempt.grading;
    text += fmt::format("graded      {} ({}) by warpgrade {} on {}\nrules       SHA-256 {}\n", grading.graded_at,
                        grading.why, grading.conditions.kit_version, grading.conditions.device_name,
                        grading.conditions.rules);
  }
  return text +
         "\n"
         "submission/   what was handed in\n"
         "result.txt    the result as a table; of the attempt that counts also days late and overrides\n"
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
  for (const score::LabScore& lab : report.submissions.at(0).labs) {
    for (const score::RungScore& rung : lab.rungs) {
      if (!rung.visibility_note.empty()) text += fmt::format("  {}: {}\n", rung.rung, rung.visibility_note);
    }
  }
  return text.empty() ? "" : "\nDo not give this folder to the student now. By course.yaml:\n" + text;
}

// What was measured.
Status AddResult(Gradebook* book, const config::Course& course, const Chosen& chosen, Bundle* bundle,
                 uint64_t* delay_seed) {
  const std::optional<gradebook::Grading>& grading = chosen.attempt.grading;
  if (!grading) return Status();
  Result<score::GradingReport> report = book->Report(grading->measured);
  const Result<std::string> log = book->Log(grading->measured);
  if (!report) return report.error();
  if (!log) return log.error();
  *delay_seed = DelaySeedIn(*report);
  bundle->Add("result.json", report::JsonText(*report));
  bundle->Add("log.txt", *log);
  if (chosen.counts()) return Status();
  score::LabScore& lab = report->submissions.at(0).labs.at(0);
  if (const config::Lab* const rules = course.FindLab(lab.lab)) lab.title = rules->title;
  report->visibility = score::VisibilityOf(course);
  const score::GradingReport seen = score::ReportFor(score::Reader::kStaff, std::time(nullptr), std::move(*report));
  bundle->Add("result.txt", fmt::format("This is attempt {}. Attempt {} counts instead.\n\n", chosen.attempt.number,
                                        chosen.counting) +
                                report::Table(seen, {.details = true}));
  return Status();
}

Status CheckNewFolder(const std::string& folder) {
  std::error_code ignored;
  if (!fs::exists(folder, ignored)) return CheckFolderOf(folder, "--output");
  if (!fs::is_directory(folder, ignored)) {
    return Error{ErrorKind::kUsage, folder + ": this is a file; name a new folder"};
  }
  if (fs::is_empty(folder, ignored)) return Status();
  return Error{ErrorKind::kUsage, folder + ": this folder is not empty; name a new one"};
}

Status WriteBundle(Gradebook* book, const AppealOptions& options) {
  if (const Status known = CheckStudent(book, options.student); !known.ok()) return known.error();
  if (const Status can = CheckNewFolder(options.output); !can.ok()) return can.error();
  const Result<std::string> course_yaml = CoursePathOf(book, options.course_yaml);
  if (!course_yaml) return course_yaml.error();
  const Result<config::Course> course = CourseAt(*course_yaml);
  if (!course) return course.error();
  const Result<Chosen> chosen = ChooseAttempt(book, *course, options);
  if (!chosen) return chosen.error();
  const Attempt& attempt = chosen->attempt;
  const Result<gradebook::HandIn> hand_in = book->Read(attempt);
  const Result<std::string> history = HistoryText(book, options.student, attempt.lab);
  const Result<std::string> student = StudentText(book, *course, options.student, attempt.lab);
  const Result<score::GradingReport> marks =
      gradebook::CurrentMarks(book, {.student = options.student, .lab = attempt.lab, .course = &*course});
  if (!hand_in) return hand_in.error();
  if (!history) return history.error();
  if (!student) return student.error();
  if (!marks) return marks.error();

  Bundle bundle(options.output);
  uint64_t delay_seed = 0;
  const config::Lab* const rules = course->FindLab(attempt.lab);
  const std::string title = rules == nullptr ? "" : rules->title;
  if (const Status added = AddResult(book, *course, *chosen, &bundle, &delay_seed); !added.ok()) return added.error();
  const score::GradingReport seen = score::ReportFor(score::Reader::kStaff, std::time(nullptr), *marks);
  if (chosen->counts()) bundle.Add("result.txt", report::Table(seen, {.details = true}));
  std::error_code ignored;
  fs::create_directories(options.output + "/submission", ignored);  // even if nothing was handed in
  for (const auto& [name, text] : hand_in->files) {
    if (IsSafeName(name)) bundle.Add("submission/" + name, text);
  }
  const Result<std::string> rules_text = config::CourseForACopy(*course_yaml);
  if (!rules_text) return rules_text.error();
  bundle.Add("course.yaml", *rules_text);
  bundle.Add("history.txt", *history);
  bundle.Add("README.txt",
             ReadMe(*chosen, attempt.lab + " " + title, *student, marks->submissions.at(0)) + NotForStudents(seen));
  bundle.Add("rerun.sh", RerunScript(attempt, delay_seed));
  if (!bundle.status().ok()) return bundle.status();
  fs::permissions(options.output + "/rerun.sh", fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                  fs::perm_options::add, ignored);
  fmt::print("{}: {} attempt {} of {}\n", options.output, attempt.lab, attempt.number,
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
  command
      ->add_option("--output,-o", options->output,
                   "The folder to write; it must be new or empty, in a folder that exists")
      ->required()
      ->type_name("DIR");
  AddBookCourseOption(command, &options->course_yaml);
  command->callback([options, exit_code] { *exit_code = Appeal(*options); });
}

}  // namespace warpgrade::cli
