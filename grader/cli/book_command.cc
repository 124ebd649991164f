// `warpgrade book`: looks into a gradebook, and overrides points in it. Each of its commands opens the gradebook, calls
// one function, and prints. Tests: tests/cli/book_command_test.cc.
#include "grader/cli/book_command.h"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "grader/cli/book_marks.h"
#include "grader/cli/book_text.h"
#include "grader/cli/commands.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/report_output.h"
#include "grader/cli/selection.h"
#include "grader/config/quantity.h"
#include "grader/report/text.h"
#include "grader/report/words.h"

namespace warpgrade::cli {

Status CheckStudent(gradebook::Gradebook* book, const std::string& id) {
  const Result<std::vector<gradebook::Student>> students = book->Students();
  if (!students) return students.error();
  std::vector<std::string> ids;
  for (const gradebook::Student& student : *students) {
    if (student.id == id) return Status();
    ids.push_back(report::PrintableLine(student.id));
  }
  return Unknown("student", id, ids, book->path());
}

namespace {

using gradebook::Access;
using gradebook::Gradebook;

struct BookOptions {
  std::string gradebook, student, lab, course_yaml;
  int before = 0, after = 0;
  std::string rung, points, reason, author;
  bool withdraw = false;
};

using Work = std::function<Status(Gradebook*, const BookOptions&)>;

int WithBook(const BookOptions& options, Access access, const Work& work) {
  Result<Gradebook> book = Gradebook::Open(options.gradebook, access, WARPGRADE_VERSION);
  if (!book) return Fail(book.error());
  const Status done = work(&*book, options);
  return done.ok() ? kDone : Fail(done.error());
}

Status Print(const Result<std::string>& text) {
  if (!text) return text.error();
  fmt::print("{}", *text);
  return Status();
}

Status List(Gradebook* book, const BookOptions& options) {
  const Result<config::Course> course = CourseAt(options.course_yaml);
  return course ? Print(ListText(book, *course)) : course.error();
}

Status Show(Gradebook* book, const BookOptions& options) {
  const Result<config::Course> course = CourseAt(options.course_yaml);
  if (!course) return course.error();
  const Result<score::GradingReport> marks =
      MarksWithLeaderboards(book, *course, {.student = options.student, .lab = options.lab});
  if (!marks) return marks.error();
  const Status printed = Print(StudentText(book, *course, options.student, options.lab));
  if (!printed.ok()) return printed.error();
  fmt::print("\n");
  return PrintReport(*marks, /*details=*/false, score::Reader::kStaff);
}

Status History(Gradebook* book, const BookOptions& options) {
  if (const Status known = CheckStudent(book, options.student); !known.ok()) return known.error();
  return Print(HistoryText(book, options.student, options.lab));
}

Status Diff(Gradebook* book, const BookOptions& options) {
  if (const Status known = CheckStudent(book, options.student); !known.ok()) return known.error();
  return Print(DiffText(book, options.student, options.lab, options.before, options.after));
}

// The whole name of the rung that --rung means; "" for the whole lab.
Result<std::string> RungOf(const config::Lab& lab, const std::string& typed) {
  if (typed.empty() || (typed == config::kQuizName && lab.quiz)) return typed;
  std::vector<std::string> names;
  for (const config::Rung& rung : lab.rungs) {
    if (Means(typed, rung.name)) return rung.name;
    names.push_back(rung.name);
  }
  return Unknown("rung", typed, names, lab.name);
}

Result<gradebook::Override> OverrideOf(const BookOptions& options) {
  const Result<config::Course> course = CourseAt(options.course_yaml);
  if (!course) return course.error();
  if (const Status known = CheckLab(*course, options.lab); !known.ok()) return known.error();
  const config::Lab* const lab = course->FindLab(options.lab);
  Result<std::string> rung = RungOf(*lab, options.rung);
  if (!rung) return rung.error();
  gradebook::Override made = {options.student, options.lab, std::move(*rung), std::nullopt, options.reason,
                              options.author,  ""};
  if (options.withdraw != options.points.empty()) {
    return Error{ErrorKind::kUsage, "give either --points, or --withdraw to take an override back"};
  }
  if (!options.withdraw) {
    const Result<config::Points> points = config::ParsePoints(options.points);
    if (!points) return Error{ErrorKind::kUsage, "--points: " + points.error().message};
    made.points = *points;
  }
  if (options.reason.find_first_not_of(" \t\r\n") == std::string::npos) {
    return Error{ErrorKind::kUsage, "--reason is empty; write why, because the gradebook keeps it"};
  }
  if (const passwd* user = getpwuid(getuid()); made.author.empty() && user != nullptr) made.author = user->pw_name;
  if (made.author.empty()) {
    return Error{ErrorKind::kUsage, "this account has no name; add --author NAME to say who decides"};
  }
  return made;
}

// Of the rung, the quiz or the lab that it is about.
config::Points MostPoints(const config::Course& course, const gradebook::Override& made) {
  const config::Lab& lab = *course.FindLab(made.lab);
  for (const config::Rung& rung : lab.rungs) {
    if (rung.name == made.rung) return rung.Total();
  }
  return made.rung == config::kQuizName && lab.quiz ? *lab.quiz : lab.Total();
}

Status DoOverride(Gradebook* book, const BookOptions& options) {
  if (const Status known = CheckStudent(book, options.student); !known.ok()) return known.error();
  const Result<gradebook::Override> made = OverrideOf(options);
  if (!made) return made.error();
  if (const Status added = book->AddOverride(*made); !added.ok()) return added.error();
  const Result<config::Course> course = CourseAt(options.course_yaml);
  if (!course) return course.error();
  const Result<score::GradingReport> marks =
      MarksWithLeaderboards(book, *course, {.student = options.student, .lab = options.lab, .details = false});
  if (!marks) return marks.error();
  const score::SubmissionScore& now = marks->submissions.at(0);
  fmt::print("{}: {} points for {}, by {}\n", report::PrintableLine(options.student),
             report::PointsWords(now.points, now.max_points), options.lab, report::PrintableLine(made->author));
  if (const config::Points most = MostPoints(*course, *made); made->points && *made->points > most) {
    fmt::print("This is more than the {} points that {} has. If it was a mistake, take it back with --withdraw.\n",
               most.ToString(), made->rung.empty() ? made->lab : made->rung);
  }
  return Status();
}

// A command below `book`, with the options that all have.
CLI::App* Add(CLI::App* book, const char* name, const char* help, const std::string& examples,
              const std::shared_ptr<BookOptions>& options) {
  CLI::App* command = book->add_subcommand(name, help);
  command->footer("Examples:\n" + examples + "\n" + kExitStatusHelp);
  command->add_option("gradebook", options->gradebook, "The gradebook that `warpgrade batch` wrote")
      ->required()
      ->type_name("FILE");
  return command;
}

void AddStudent(CLI::App* command, BookOptions* options) {
  command->add_option("student", options->student, "The id of the student")->required()->type_name("ID");
}

void AddLab(CLI::App* command, BookOptions* options, const char* help) {
  command->add_option("--lab", options->lab, help)->type_name("LAB");
}

void AddCourse(CLI::App* command, BookOptions* options) {
  command->add_option("--course", options->course_yaml, "Use this course.yaml (default: the one of the kit)")
      ->type_name("FILE");
}

void OnCall(CLI::App* command, const std::shared_ptr<BookOptions>& options, int* exit_code, Access access,
            const Work& work) {
  command->callback([=] { *exit_code = WithBook(*options, access, work); });
}

void AddReaders(CLI::App* book, const std::shared_ptr<BookOptions>& options, int* exit_code) {
  CLI::App* list = Add(book, "list", "List the students with their points and attempts",
                       "  warpgrade book list marks.db\n", options);
  AddCourse(list, options.get());
  OnCall(list, options, exit_code, Access::kRead, List);

  CLI::App* show =
      Add(book, "show", "Show what a student's attempts are worth now, and why",
          "  warpgrade book show marks.db s1042\n  warpgrade book show marks.db s1042 --lab lab3\n", options);
  AddStudent(show, options.get());
  AddLab(show, options.get(), "Only this lab");
  AddCourse(show, options.get());
  OnCall(show, options, exit_code, Access::kRead, Show);

  CLI::App* history = Add(book, "history", "List every attempt of a student, every grading and every override",
                          "  warpgrade book history marks.db s1042\n", options);
  AddStudent(history, options.get());
  AddLab(history, options.get(), "Only this lab");
  OnCall(history, options, exit_code, Access::kRead, History);

  CLI::App* diff = Add(book, "diff", "Compare two attempts of a student: points and sources",
                       "  warpgrade book diff marks.db s1042 1 2 --lab lab3\n", options);
  AddStudent(diff, options.get());
  diff->add_option("before", options->before, "The number of one attempt")->required()->type_name("A");
  diff->add_option("after", options->after, "The number of the other")->required()->type_name("B");
  AddLab(diff, options.get(), "The lab (default: the only one that the student handed in)");
  OnCall(diff, options, exit_code, Access::kRead, Diff);
}

void AddOverrideCommand(CLI::App* book, const std::shared_ptr<BookOptions>& options, int* exit_code) {
  CLI::App* command = Add(
      book, "override", "Give a student other points for a rung or a lab",
      "  warpgrade book override marks.db s1042 --lab lab3 --rung v2 --points 8 --reason \"typo in the handout\"\n"
      "  warpgrade book override marks.db s1042 --lab lab3 --points 0 --reason \"copied\" --author \"Prof. Noether\"\n"
      "  warpgrade book override marks.db s1042 --lab lab3 --withdraw --reason \"it was not copied\"\n",
      options);
  AddStudent(command, options.get());
  command->add_option("--lab", options->lab, "The lab")->required()->type_name("LAB");
  command->add_option("--rung", options->rung, "The rung: v3, or v3_sequential (default: the whole lab)")
      ->type_name("RUNG");
  command->add_option("--points", options->points, "The points that count from now on")->type_name("P");
  command->add_flag("--withdraw", options->withdraw, "Take the last override back, so that the graded points count");
  command->add_option("--reason", options->reason, "Why; the gradebook keeps it")->required()->type_name("TEXT");
  command->add_option("--author", options->author, "Who decides it (default: the name of your account)")
      ->type_name("NAME");
  AddCourse(command, options.get());
  OnCall(command, options, exit_code, Access::kWrite, DoOverride);
}

}  // namespace

void AddBookCommand(CLI::App& app, int* exit_code) {
  CLI::App* book = app.add_subcommand("book", "Look into a gradebook, override points, and grade again");
  book->footer(
      "Examples:\n"
      "  warpgrade book list marks.db           all students with their points\n"
      "  warpgrade book show marks.db s1042     one student's points, and why\n"
      "  warpgrade book history marks.db s1042  all attempts, gradings and overrides\n"
      "  warpgrade book diff marks.db s1042 1 2 two attempts side by side\n"
      "  warpgrade book regrade marks.db --changed\n"
      "                                         grade again what was graded by other rules\n"
      "  warpgrade book override marks.db s1042 --lab lab3 --rung v2 --points 8 --reason \"typo in the handout\"\n"
      "  warpgrade book appeal marks.db s1042 --lab lab3 --output appeal-s1042\n"
      "                                         everything about one attempt, and a command that grades it again\n"
      "\n" +
      std::string(kExitStatusHelp));
  book->require_subcommand(1);
  auto options = std::make_shared<BookOptions>();
  AddReaders(book, options, exit_code);
  AddOverrideCommand(book, options, exit_code);
  AddRegradeCommand(book, exit_code);
  AddAppealCommand(book, exit_code);
}

}  // namespace warpgrade::cli
