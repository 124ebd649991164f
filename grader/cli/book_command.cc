// `warpgrade book`: looks into a gradebook. Each command in this file opens it, calls one function, and prints; those
// that change it have files of their own. Tests: tests/cli/book_command_test.cc.
#include "grader/cli/book_command.h"

#include <fmt/format.h>

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "grader/cli/book_marks.h"
#include "grader/cli/book_text.h"
#include "grader/cli/commands.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/report_output.h"
#include "grader/cli/selection.h"
#include "grader/report/text.h"

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
};

using Work = std::function<Status(Gradebook*, const BookOptions&)>;

int WithBook(const BookOptions& options, const Work& work) {
  Result<Gradebook> book = Gradebook::Open(options.gradebook, Access::kRead, WARPGRADE_VERSION);
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
  const Result<config::Course> course = CourseFor(book, options.course_yaml);
  return course ? Print(ListText(book, *course)) : course.error();
}

Status Show(Gradebook* book, const BookOptions& options) {
  const Result<config::Course> course = CourseFor(book, options.course_yaml);
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

void OnCall(CLI::App* command, const std::shared_ptr<BookOptions>& options, int* exit_code, const Work& work) {
  command->callback([=] { *exit_code = WithBook(*options, work); });
}

void AddReaders(CLI::App* book, const std::shared_ptr<BookOptions>& options, int* exit_code) {
  CLI::App* list = Add(book, "list", "List the students with their points and attempts",
                       "  warpgrade book list marks.db\n", options);
  AddBookCourseOption(list, &options->course_yaml);
  OnCall(list, options, exit_code, List);

  CLI::App* show =
      Add(book, "show", "Show what a student's attempts are worth now, and why",
          "  warpgrade book show marks.db s1042\n  warpgrade book show marks.db s1042 --lab lab3\n", options);
  AddStudent(show, options.get());
  AddLab(show, options.get(), "Only this lab");
  AddBookCourseOption(show, &options->course_yaml);
  OnCall(show, options, exit_code, Show);

  CLI::App* history = Add(book, "history", "List every attempt of a student, every grading and every override",
                          "  warpgrade book history marks.db s1042\n", options);
  AddStudent(history, options.get());
  AddLab(history, options.get(), "Only this lab");
  OnCall(history, options, exit_code, History);

  CLI::App* diff = Add(book, "diff", "Compare two attempts of a student: points and sources",
                       "  warpgrade book diff marks.db s1042 1 2 --lab lab3\n", options);
  AddStudent(diff, options.get());
  diff->add_option("before", options->before, "The number of one attempt")->required()->type_name("A");
  diff->add_option("after", options->after, "The number of the other")->required()->type_name("B");
  AddLab(diff, options.get(), "The lab (default: the only one that the student handed in)");
  OnCall(diff, options, exit_code, Diff);
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
      "                                         grade again after a change of course.yaml or the kit\n"
      "  warpgrade book thresholds marks.db --html thresholds.html\n"
      "                                         where the class loses points, and what other thresholds would do\n"
      "  warpgrade book override marks.db s1042 --lab lab3 --rung v2 --points 8 --reason \"typo in the handout\"\n"
      "  warpgrade book appeal marks.db s1042 --lab lab3 --output appeal-s1042\n"
      "                                         everything about one attempt, and a script that grades it again\n"
      "\n" +
      std::string(kExitStatusHelp));
  book->require_subcommand(1);
  auto options = std::make_shared<BookOptions>();
  AddReaders(book, options, exit_code);
  AddOverrideCommand(book, exit_code);
  AddRegradeCommand(book, exit_code);
  AddAppealCommand(book, exit_code);
  AddThresholdsCommand(book, exit_code);
}

}  // namespace warpgrade::cli
