// `warpgrade book thresholds`: a page for the instructor, from a gradebook or from the JSON of `grade`. grader/score
// collects the values, grader/report writes the page; this file reads. Tests: tests/cli/thresholds_command_test.cc.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/cli/book_command.h"
#include "grader/cli/book_marks.h"
#include "grader/cli/commands.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/grading_session.h"
#include "grader/cli/report_output.h"
#include "grader/gradebook/marks.h"
#include "grader/report/file.h"
#include "grader/report/html_thresholds.h"
#include "grader/report/json_reader.h"
#include "grader/result/counted.h"
#include "grader/score/thresholds.h"

namespace warpgrade::cli {
namespace {

struct ThresholdsOptions {
  std::string results, html, lab, course_yaml;
};

// Results, and the course by whose thresholds they are looked at.
struct ClassResults {
  score::GradingReport report;
  config::Course course;
};

Result<ClassResults> FromGradebook(const ThresholdsOptions& options) {
  auto book = gradebook::Gradebook::Open(options.results, gradebook::Access::kRead, WARPGRADE_VERSION);
  if (!book) return book.error();
  Result<config::Course> course = CourseFor(&*book, options.course_yaml);
  if (!course) return course.error();
  Result<score::GradingReport> report =
      gradebook::CurrentMarks(&*book, {.student = "", .lab = options.lab, .course = &*course});
  if (!report) return report.error();
  return ClassResults{std::move(*report), std::move(*course)};
}

Result<ClassResults> FromJson(const ThresholdsOptions& options) {
  Result<config::Course> course = CourseAt(options.course_yaml);
  if (!course) return course.error();
  Result<score::GradingReport> report = report::ReadJson(options.results);
  if (!report) return report.error();
  return ClassResults{std::move(*report), std::move(*course)};
}

std::vector<std::string> NotesOn(const ClassResults& results, const score::ClassSpread& spread) {
  std::vector<std::string> notes;
  if (spread.other_rules > 0) {
    notes.push_back(
        fmt::format("{} graded by other rules than those of course.yaml now. The page counts by those of "
                    "now; `warpgrade book regrade --changed` grades again.",
                    spread.other_rules == 1 ? "1 rung was" : fmt::format("{} rungs were", spread.other_rules)));
  }
  size_t unfinished = 0;
  for (const score::SubmissionScore& submission : results.report.submissions) {
    unfinished += submission.unfinished.empty() ? 0 : 1;
  }
  if (unfinished > 0) {
    notes.push_back(Counted(unfinished, "submission") + " not finished: rungs without a result are left out.");
  }
  if (!spread.labs.empty() && results.report.device.kind != "gpu") {
    notes.emplace_back("Graded on the emulator, so no speed was measured.");
  }
  return notes;
}

Status WriteThresholds(const ThresholdsOptions& options) {
  if (Status can = CheckFile(options.html, "--html"); !can.ok()) return can;
  Result<ClassResults> results =
      gradebook::LooksLikeGradebook(options.results) ? FromGradebook(options) : FromJson(options);
  if (!results) return results.error();
  if (!options.lab.empty()) {
    if (Status known = CheckLab(results->course, options.lab); !known.ok()) return known;
    std::erase_if(results->course.labs, [&options](const config::Lab& lab) { return lab.name != options.lab; });
  }
  const score::DeviceDescription& device = results->report.device;
  const score::ScoringContext context = ContextFor(results->course, device, device.kind == "gpu");
  const score::ClassSpread spread = score::ThresholdsOf(results->course, results->report, context);
  return report::WriteFile(options.html, report::ThresholdsPage(spread, results->report, NotesOn(*results, spread)));
}

}  // namespace

void AddThresholdsCommand(CLI::App* book, int* exit_code) {
  CLI::App* command = book->add_subcommand(
      "thresholds", "Write a page: where the class loses points, and what other thresholds would do");
  command->footer(
      "Examples:\n"
      "  warpgrade book thresholds marks.db --html thresholds.html\n"
      "  warpgrade book thresholds results.json --lab lab3 --html thresholds.html\n"
      "                                         the same from the file of `warpgrade grade --json`\n"
      "\n"
      "The page shows each limit and each scale of course.yaml with the values of the class. In the page you can\n"
      "change a threshold, and see at once whose points would change. It counts the points of rungs alone;\n"
      "`warpgrade what-if` says what a changed course.yaml does to the marks.\n"
      "\n" +
      std::string(kExitStatusHelp));
  auto options = std::make_shared<ThresholdsOptions>();
  command->add_option("results", options->results, "A gradebook, or a file that `warpgrade grade --json` wrote")
      ->required()
      ->type_name("FILE");
  command->add_option("--html", options->html, "The file to write")->required()->type_name("FILE");
  command->add_option("--lab", options->lab, "Only this lab")->type_name("LAB");
  AddBookCourseOption(command, &options->course_yaml);
  command->callback([options, exit_code] {
    const Status written = WriteThresholds(*options);
    *exit_code = written.ok() ? kDone : Fail(written.error());
  });
}

}  // namespace warpgrade::cli
