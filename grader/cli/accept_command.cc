// `warpgrade accept`: gives a flagged speed its points, after a person has looked at it. In a report it changes the
// report. In a gradebook it adds a grading of the attempt, which says who accepted the speed, when and why, or an
// override with other points. Tests: tests/cli/accept_command_test.cc, tests/cli/accept_book_test.cc.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "grader/cli/accept.h"
#include "grader/cli/assignment_option.h"
#include "grader/cli/book_command.h"
#include "grader/cli/book_marks.h"
#include "grader/cli/book_text.h"
#include "grader/cli/commands.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/folder_lock.h"
#include "grader/cli/report_output.h"
#include "grader/config/course.h"
#include "grader/config/quantity.h"
#include "grader/gradebook/marks.h"
#include "grader/report/batch_table.h"
#include "grader/report/json_reader.h"
#include "grader/report/one_submission.h"
#include "grader/report/text.h"
#include "grader/report/words.h"

namespace warpgrade::cli {
namespace {

using gradebook::Attempt;
using gradebook::Gradebook;

struct CommandOptions {
  AcceptOptions accept;
  std::string course_yaml;
  int attempt = 0;     // in a gradebook: 0 is the one that counts
  std::string points;  // the same: instead of those of the speed; "": none
  std::vector<std::string> canvas_assignments;
  ReportFiles files;
};

Result<config::Course> CourseOf(const CommandOptions& options, const score::GradingReport& report) {
  const Result<std::string> path = CoursePath(options.course_yaml);
  if (!path) return path.error();
  Result<config::Course> course = CourseAt(*path);
  if (course && course->name != report.course) {
    return Error{ErrorKind::kUsage, fmt::format("{} is for the course '{}', but the report is for '{}'; name "
                                                "the course.yaml of that course with --course FILE",
                                                *path, course->name, report.course)};
  }
  return course;
}

int AcceptInReport(CommandOptions options) {
  if (const Status can = CheckFiles(options.files); !can.ok()) return Fail(can.error());
  const std::string& path = options.accept.report;
  const Result<FolderLock> lock = FolderLock::Of(path);
  if (!lock) return Fail(lock.error());
  Result<score::GradingReport> report = report::ReadJson(path);
  if (!report) return Fail(report.error());
  auto assignments = AssignmentsOf(options.canvas_assignments, report::LabNames(*report), path);
  if (!assignments) return Fail(assignments.error());
  report->assignments = std::move(*assignments);
  const std::string one_submission = OptionForOneSubmission(options.files);
  if (!one_submission.empty() && report->submissions.size() != 1) {
    return Fail(report::NotOneSubmission(one_submission, report->submissions.size()));
  }
  const Result<config::Course> course = CourseOf(options, *report);
  if (!course) return Fail(course.error());
  Result<std::string> done = Accept(options.accept, *course, &*report);
  if (!done) return Fail(done.error());
  options.files[report::kJsonFlag] = path;
  if (const Status written = WriteReportFiles(*report, options.files, ViewOf(std::nullopt)); !written.ok())
    return Fail(written.error());
  fmt::print("{}\n", *done);
  return kDone;
}

// The attempt at `lab` that is meant, with its latest grading.
Result<Attempt> AttemptFor(Gradebook* book, const config::Course& course, const std::string& lab,
                           const CommandOptions& options) {
  const std::string& student = options.accept.student;
  if (const Status known = CheckStudent(book, student); !known.ok()) return known.error();
  if (const Status known = CheckLab(course, lab); !known.ok()) return known.error();
  const auto counting = gradebook::CountedAttempts(book, {.student = student, .lab = lab, .course = &course});
  if (!counting) return counting.error();
  if (counting->empty()) return NothingHandedIn(student, lab);
  Attempt attempt = counting->front().attempt;
  if (options.attempt > 0) {
    const Result<std::vector<Attempt>> all = book->Attempts(student, lab);
    if (!all) return all.error();
    const Result<const Attempt*> named = FindAttempt(*all, student, lab, options.attempt);
    if (!named) return named.error();
    attempt = **named;
  }
  if (attempt.grading) return attempt;
  return Error{ErrorKind::kUsage, fmt::format("attempt {} of {} for {} is not graded yet; run `warpgrade batch` again",
                                              attempt.number, report::PrintableLine(student), lab)};
}

// Gives the rung of `report` the points that were typed, instead of those of its speed. Returns the sentence about it.
Result<std::string> Correct(Gradebook* book, const config::Course& course, const CommandOptions& options,
                            const score::Acceptance& who, score::GradingReport* report) {
  Result<std::string> rung = FlaggedRung(options.accept, report);
  if (!rung) return rung;
  const Result<config::Points> points = config::ParsePoints(options.points);
  if (!points) return Error{ErrorKind::kUsage, "--points: " + points.error().message};
  gradebook::Override made;
  made.student = options.accept.student;
  made.lab = ReadRung(options.accept.rung)->lab;
  made.rung = std::move(*rung);
  made.points = *points;
  made.reason = "flagged speed: " + who.because;
  made.author = who.by;
  if (const Status added = book->AddOverride(made); !added.ok()) return added.error();
  const Result<score::GradingReport> marks =
      gradebook::CurrentMarks(book, {.student = made.student, .lab = made.lab, .details = false, .course = &course});
  if (!marks) return marks.error();
  const score::SubmissionScore& now = marks->submissions.at(0);
  return report::PrintableLine(fmt::format("{} {}.{}: {} points, by {}; {} points for {}", made.student, made.lab,
                                           made.rung, made.points->ToString(), made.author,
                                           report::PointsWords(now.points, now.max_points), made.lab));
}

// Returns the sentence that says what it did.
Result<std::string> AcceptInBook(Gradebook* book, const CommandOptions& options) {
  const Result<config::Course> course = CourseFor(book, options.course_yaml);
  if (!course) return course.error();
  const Result<LabAndRung> typed = ReadRung(options.accept.rung);
  if (!typed) return typed.error();
  const Result<score::Acceptance> who = WhoAndWhy(options.accept);
  if (!who) return who.error();
  const Result<Attempt> attempt = AttemptFor(book, *course, typed->lab, options);
  if (!attempt) return attempt.error();
  const gradebook::Grading& before = *attempt->grading;
  Result<score::GradingReport> report = book->Report(before.measured);
  if (!report) return report.error();
  const Result<std::string> log = book->Log(before.measured);
  if (!log) return log.error();
  report->submissions.at(0).id = options.accept.student;
  if (!options.points.empty()) return Correct(book, *course, options, *who, &*report);
  Result<std::string> done = Accept(options.accept, *course, &*report);
  if (!done) return done;
  gradebook::Planned planned;
  planned.attempt = attempt->key;
  planned.gradings = before.number;
  const std::string why = fmt::format("accept {} by {}: {}", options.accept.rung, who->by, who->because);
  const Result<bool> added = book->AddGrading(planned, before.conditions, *report, why, *log + *done + "\n");
  if (!added) return added.error();
  if (*added) return fmt::format("attempt {}: {}", attempt->number, *done);
  return Error{ErrorKind::kUsage,
               "another process graded this attempt meanwhile; look at the new result, and run the "
               "command again if its speed is right"};
}

int RunAcceptInBook(const CommandOptions& options) {
  const bool wants_files =
      std::any_of(options.files.begin(), options.files.end(), [](const auto& file) { return !file.second.empty(); });
  if (wants_files || !options.canvas_assignments.empty()) {
    return Fail(Error{ErrorKind::kUsage, fmt::format("{} is a gradebook: accept the speed without options for files, "
                                                     "and then write them with `warpgrade export`",
                                                     options.accept.report)});
  }
  Result<Gradebook> book = Gradebook::Open(options.accept.report, gradebook::Access::kWrite, WARPGRADE_VERSION);
  if (!book) return Fail(book.error());
  const Result<std::string> done = AcceptInBook(&*book, options);
  if (!done) return Fail(done.error());
  fmt::print("{}\n", *done);
  return kDone;
}

int RunAccept(const CommandOptions& options) {
  if (gradebook::LooksLikeGradebook(options.accept.report)) return RunAcceptInBook(options);
  if (options.attempt > 0 || !options.points.empty()) {
    return Fail(Error{ErrorKind::kUsage,
                      fmt::format("--attempt and --points are for gradebooks, and {} is none", options.accept.report)});
  }
  return AcceptInReport(options);
}

}  // namespace

void AddAcceptCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("accept", "Accept a flagged speed, so that it gets its points");
  command->footer(
      "Examples:\n"
      "  warpgrade accept results.json --student s1042 --rung lab1.v9 --because \"timed by hand: 0.21 ms\"\n"
      "  warpgrade accept results.json --student s1042 --rung lab1.v9 --because \"...\" --csv marks.csv\n"
      "  warpgrade accept marks.db --student s1042 --rung lab1.v9 --because \"timed by hand: 0.21 ms\"\n"
      "  warpgrade accept marks.db --student s1042 --rung lab1.v9 --because \"half the speed\" --points 8\n"
      "\n"
      "The grader flags a speed that the GPU should not be able to reach, and gives no points for it. Look at the "
      "kernel.\n"
      "If the speed is right, accept it: the command adds its points to the report, and writes there who accepted "
      "it,\n"
      "when and why. It writes files in other formats only if you give their options.\n"
      "In a gradebook, the accepted speed is a new result of the attempt, and the flagged one stays in its history.\n"
      "--points gives the rung other points, as `book override` does.\n"
      "\n" +
      std::string(kExitStatusHelp));
  auto options = std::make_shared<CommandOptions>();
  command
      ->add_option("report", options->accept.report,
                   "The file that `warpgrade grade --json` wrote, or a gradebook; it is changed")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--student", options->accept.student,
                   "The submission, by its name in the report; in a gradebook, the id of the student")
      ->required()
      ->type_name("NAME");
  command->add_option("--rung", options->accept.rung, "The lab and the rung: lab1.v9, or lab1.v9_one_pass")
      ->required()
      ->type_name("LAB.RUNG");
  command->add_option("--because", options->accept.because, "Why the speed is right; the report keeps it")
      ->required()
      ->type_name("TEXT");
  command->add_option("--by", options->accept.by, "Who accepts it (default: the name of your account)")
      ->type_name("NAME");
  command
      ->add_option("--attempt", options->attempt,
                   "In a gradebook, the number of the attempt (default: the one that "
                   "counts)")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  command
      ->add_option("--points", options->points,
                   "In a gradebook, give the rung these points instead of those of its speed; they count until `book "
                   "override --withdraw`")
      ->type_name("P");
  // The report itself is always written.
  AddFormatOptions(
      *command, [](const report::Format& format) { return format.flag != report::kJsonFlag; }, &options->files);
  AddAssignmentOption(*command, &options->canvas_assignments);
  command
      ->add_option("--course", options->course_yaml,
                   "Use this course.yaml (default: the one of the gradebook, else the one of the kit)")
      ->type_name("FILE");
  command->callback([options, exit_code] { *exit_code = RunAccept(*options); });
}

}  // namespace warpgrade::cli
