// The table of the formats. Tests: tests/report/formats_test.cc goes through all rows, and so does
// tests/cli/command_line_test.cc with the built program.
#include "grader/report/formats.h"

#include <utility>

#include "grader/report/autolab.h"
#include "grader/report/canvas.h"
#include "grader/report/csv.h"
#include "grader/report/file.h"
#include "grader/report/github_classroom.h"
#include "grader/report/gradescope.h"
#include "grader/report/html.h"
#include "grader/report/json.h"
#include "grader/report/junit.h"
#include "grader/report/leaderboard.h"
#include "grader/report/nbgrader.h"
#include "grader/report/prairielearn.h"
#include "grader/report/sarif.h"
#include "grader/score/counting.h"

namespace warpgrade::report {

namespace {

// Whether the writer may have the report as it is.
bool ShowsAll(const Format& format, const score::GradingReport& report) {
  const score::ClassNotes& notes = report.class_notes;
  const bool has_notes = !notes.compared.empty() || !notes.unmatched.empty() || !notes.failures.empty();
  return report.visibility.empty() && !has_notes && !format.adds_up_rungs;
}

// Leaves in the report what the writer may have.
void Restrict(const Format& format, const View& view, score::GradingReport* report) {
  if (ShowsAll(format, *report)) return;
  const bool for_staff = format.class_is_for_staff && report->submissions.size() != 1;
  const score::Reader own = for_staff ? score::Reader::kStaff : format.reader;
  // A platform that hides rungs itself gets all of them, whoever asks.
  const bool hides_itself = format.reader == score::Reader::kPlatform;
  *report = score::ReportFor(hides_itself ? format.reader : view.reader.value_or(own), view.now, std::move(*report));
  if (format.adds_up_rungs) *report = score::OnlyCounted(std::move(*report));
}

// `report`: restricted.
Status Write(const score::GradingReport& report, const Format& format, const std::string& path) {
  if (format.write_pieces) {
    FileWriter file(path);
    format.write_pieces(report, [&file](const std::string& piece) { file.Append(piece); });
    return file.Finish();
  }
  const Result<std::string> content = format.writer(report);
  return content ? WriteFile(path, *content) : Status(content.error());
}

}  // namespace

// Long because it is a table.
const std::vector<Format>& Formats() {
  static const std::vector<Format> kFormats = {
      {.flag = kJsonFlag,
       .help = "Write the complete results as JSON",
       .writer = JsonText,
       .write_pieces = WriteJson,
       .reader = score::Reader::kStaff},
      {.flag = "--html",
       .help = "Write a page for a browser, with charts and the source",
       .writer = HtmlText,
       .class_is_for_staff = true},
      {.flag = "--junit",
       .help = "Write the results as JUnit XML, for a CI system",
       .writer = JunitText,
       .write_pieces = WriteJunit,
       .adds_up_rungs = true},
      {.flag = "--csv",
       .help = "Write the points as CSV, one row for each submission",
       .writer = CsvText,
       .reader = score::Reader::kStaff,
       .compares_submissions = true,
       .marks_alone = true},
      {.flag = "--leaderboard",
       .help = "Write the leaderboards as CSV, ordered by rank",
       .writer = LeaderboardCsvText,
       .reader = score::Reader::kStaff,
       .compares_submissions = true,
       .marks_alone = true},
      {.flag = "--canvas",
       .help = "Write the points as CSV, for the gradebook of Canvas",
       .writer = CanvasText,
       .compares_submissions = true,
       .marks_alone = true},
      {.flag = "--nbgrader",
       .help = "Write the points as CSV, as `nbgrader export` does",
       .writer = NbgraderText,
       .compares_submissions = true,
       .marks_alone = true},
      {.flag = "--sarif",
       .help = "Write faults and errors as SARIF, for editors and code hosts",
       .writer = SarifText,
       .write_pieces = WriteSarif},
      {.flag = kGradescopeFlag,
       .help = "Write results.json of one submission, for Gradescope",
       .writer = GradescopeText,
       .reader = score::Reader::kPlatform,
       .one_submission = true,
       .adds_up_rungs = true},
      {.flag = kClassroomFlag,
       .help = "Write the result of one submission, for GitHub Classroom",
       .writer = ClassroomText,
       .one_submission = true,
       .adds_up_rungs = true},
      {.flag = kPrairieLearnFlag,
       .help = "Write results.json of one submission, for PrairieLearn",
       .writer = PrairieLearnText,
       .one_submission = true,
       .adds_up_rungs = true},
      {.flag = kAutolabFlag,
       .help = "Write the output of one submission, for Autolab",
       .writer = AutolabText,
       .one_submission = true,
       .adds_up_rungs = true},
  };
  return kFormats;
}

Result<std::string> TextOf(const Format& format, const score::GradingReport& report, const View& view) {
  return ShowsAll(format, report) ? format.writer(report) : TextOf(format, score::GradingReport(report), view);
}

Result<std::string> TextOf(const Format& format, score::GradingReport&& report, const View& view) {
  Restrict(format, view, &report);
  return format.writer(report);
}

Status WriteReport(const score::GradingReport& report, const Format& format, const View& view,
                   const std::string& path) {
  if (ShowsAll(format, report)) return Write(report, format, path);
  return WriteReport(score::GradingReport(report), format, view, path);
}

Status WriteReport(score::GradingReport&& report, const Format& format, const View& view, const std::string& path) {
  Restrict(format, view, &report);
  return Write(report, format, path);
}

}  // namespace warpgrade::report
