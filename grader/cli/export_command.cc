// `warpgrade export` and `warpgrade leaderboard`: what a gradebook says now, in a file or as a table. The writers are
// those of `grade` (grader/report/formats.h), so a new format works here at once. Tests:
// tests/cli/book_command_test.cc.
#include <fmt/format.h>

#include <cstdio>
#include <ctime>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/cli/assignment_option.h"
#include "grader/cli/book_marks.h"
#include "grader/cli/commands.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/report_output.h"
#include "grader/cli/selection.h"
#include "grader/cli/similar_file.h"
#include "grader/report/formats.h"

namespace warpgrade::cli {
namespace {

struct ExportOptions {
  std::string gradebook, format, output, course_yaml;
  BookMarksOptions marks;
  std::optional<score::Reader> reader;
  std::vector<std::string> canvas_assignments, similar;
};

// "csv" for "--csv".
std::string NameOf(const report::Format& format) { return format.flag.substr(2); }

std::vector<std::string> FormatNames() {
  std::vector<std::string> names;
  for (const report::Format& format : report::Formats()) names.push_back(NameOf(format));
  return names;
}

Result<score::GradingReport> Marks(const ExportOptions& options) {
  auto book = gradebook::Gradebook::Open(options.gradebook, gradebook::Access::kRead, WARPGRADE_VERSION);
  if (!book) return book.error();
  const Result<std::string> course_yaml = CoursePathOf(&*book, options.course_yaml);
  if (!course_yaml) return course_yaml.error();
  // The attempts of a class and course.yaml are read at the same time, because both take a while.
  std::future<Result<std::vector<gradebook::Attempt>>> reading;
  if (options.marks.student.empty() && options.marks.lab.empty()) {
    reading = std::async([&book] { return book->AttemptsOfMarks(); });  // on this thread if there can be no other
  }
  const Result<config::Course> course = CourseAt(*course_yaml);
  if (!course) return course.error();
  BookMarksOptions of_marks = options.marks;
  auto& attempts = *new std::vector<gradebook::Attempt>();  // never deleted, as the marks in Export
  if (reading.valid()) {
    auto read = reading.get();
    if (!read) return read.error();
    attempts = std::move(*read);
    of_marks.attempts = &attempts;
  }
  std::vector<std::string> labs;
  for (const config::Lab& lab : course->labs) labs.push_back(lab.name);
  auto assignments = AssignmentsOf(options.canvas_assignments, labs, "course.yaml");
  if (!assignments) return assignments.error();
  Result<score::GradingReport> marks = MarksWithLeaderboards(&*book, *course, of_marks);
  if (!marks) return marks.error();
  if (const Status read = AddAlike(options.similar, &marks->class_notes); !read.ok()) return read.error();
  for (auto& [lab, facts] : *assignments) marks->assignments[lab].canvas_id = std::move(facts.canvas_id);
  return marks;
}

int Export(ExportOptions options) {
  for (const report::Format& format : report::Formats()) {
    if (NameOf(format) != options.format) continue;
    options.marks.details = !format.marks_alone;
    if (!options.output.empty()) {
      if (const Status can = CheckFile(options.output, "--output"); !can.ok()) return Fail(can.error());
    }
    // Never deleted: the program ends soon, and to free a million texts would take a tenth of its time.
    auto& marks = *new Result<score::GradingReport>(Marks(options));
    if (!marks) return Fail(marks.error());
    if (format.one_submission && marks->submissions.size() != 1) {
      return Fail(
          {ErrorKind::kUsage, fmt::format("the format {} is about one student, and {} has {}; name one: --student ID",
                                          options.format, options.gradebook, marks->submissions.size())});
    }
    if (!options.output.empty()) {
      const Status written = report::WriteReport(std::move(*marks), format, ViewOf(options.reader), options.output);
      return written.ok() ? kDone : Fail(written.error());
    }
    const Result<std::string> content = report::TextOf(format, std::move(*marks), ViewOf(options.reader));
    if (!content) return Fail(content.error());
    const Status printed = PrintText(*content);
    return printed.ok() ? kDone : Fail(printed.error());
  }
  return Fail(Unknown("format", options.format, FormatNames(), "warpgrade"));
}

int ShowLeaderboard(ExportOptions options) {
  options.marks.details = false;
  Result<score::GradingReport> marks = Marks(options);
  if (!marks) return Fail(marks.error());
  // Pseudonyms are for the class.
  const score::Reader otherwise = options.marks.hide_names ? score::Reader::kStudents : score::Reader::kStaff;
  const size_t contests = marks->leaderboards.size();
  *marks = score::ReportFor(options.reader.value_or(otherwise), std::time(nullptr), std::move(*marks));
  if (marks->leaderboards.size() < contests) {
    return Fail({ErrorKind::kUsage, fmt::format("students may not see the contest of {} now, by the visibility of its "
                                                "rungs in course.yaml; for yourself, add --for staff",
                                                options.marks.lab)});
  }
  if (marks->leaderboards.empty()) {
    return Fail({ErrorKind::kUsage,
                 fmt::format("{}: there is no contest: {} has no leaderboard in course.yaml, or nobody handed it in",
                             options.gradebook, options.marks.lab)});
  }
  const Status printed = PrintLeaderboards(*marks);
  return printed.ok() ? kDone : Fail(printed.error());
}

void AddCommonOptions(CLI::App* command, ExportOptions* options) {
  command->add_option("gradebook", options->gradebook, "The gradebook that `warpgrade batch` wrote")
      ->required()
      ->type_name("FILE");
  AddBookCourseOption(command, &options->course_yaml);
  command->add_flag("--hide-names", options->marks.hide_names,
                    "Show pseudonyms in leaderboards, always the same ones for one gradebook");
}

}  // namespace

void AddExportCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("export", "Write the marks of a gradebook in a format for other programs");
  command->footer(
      "Examples:\n"
      "  warpgrade export marks.db --format csv --output marks.csv\n"
      "  warpgrade export marks.db --format canvas --lab lab3 --canvas-assignment lab3=4711 --output canvas.csv\n"
      "  warpgrade export marks.db --format html --similar alike.json --output class.html\n"
      "  warpgrade export marks.db --format json --lab lab3 --output lab3.json\n"
      "\n"
      "The marks are those that count now, with late days and all overrides. `warpgrade grade` has the same formats: "
      "its\n"
      "option --csv is --format csv here.\n"
      "\n" +
      std::string(kExitStatusHelp));
  auto options = std::make_shared<ExportOptions>();
  AddCommonOptions(command, options.get());
  command->add_option("--format", options->format, fmt::format("{}", fmt::join(FormatNames(), ", ")))
      ->required()
      ->type_name("NAME");
  command->add_option("--output,-o", options->output, "The file to write (default: standard output)")
      ->type_name("FILE");
  command->add_option("--lab", options->marks.lab, "Only this lab")->type_name("LAB");
  command->add_option("--student", options->marks.student, "Only this student")->type_name("ID");
  AddSimilarOption(*command, &options->similar);
  AddReaderOption(*command, "by the format", &options->reader);
  AddAssignmentOption(*command, &options->canvas_assignments);
  command->callback([options, exit_code] { *exit_code = Export(*options); });
}

void AddLeaderboardCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("leaderboard", "Show the contest of a lab, from a gradebook");
  command->footer(
      "Examples:\n"
      "  warpgrade leaderboard marks.db --lab lab5\n"
      "  warpgrade leaderboard marks.db --lab lab5 --hide-names\n"
      "                                         with pseudonyms, for the class\n"
      "\n" +
      std::string(kExitStatusHelp));
  auto options = std::make_shared<ExportOptions>();
  AddCommonOptions(command, options.get());
  command->add_option("--lab", options->marks.lab, "The lab")->required()->type_name("LAB");
  AddReaderOption(*command, "staff; with --hide-names, students", &options->reader);
  command->callback([options, exit_code] { *exit_code = ShowLeaderboard(*options); });
}

}  // namespace warpgrade::cli
