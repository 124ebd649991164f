// Makes the CSV file for Canvas's gradebook. The names of students are hostile: Canvas takes each row whose name
// contains "Points Possible" for the row of possible points, and a spreadsheet executes formulas. Tests:
// tests/report/canvas_test.cc, which reads the file as Canvas does.
#include "grader/report/canvas.h"

#include <algorithm>
#include <vector>

#include "grader/report/batch_table.h"
#include "grader/report/csv.h"
#include "grader/report/text.h"

namespace warpgrade::report {
namespace {

// With no-break spaces in the words that Canvas looks for.
std::string CanvasName(std::string name) {
  name = PrintableLine(name);
  const std::string words = "Points Possible", harmless = "Points\u00A0Possible";
  for (size_t at = name.find(words); at != std::string::npos; at = name.find(words, at)) {
    name.replace(at, words.size(), harmless);
  }
  return name;
}

std::string CanvasHeading(const std::string& lab, const score::GradingReport& report) {
  const auto facts = report.assignments.find(lab);
  if (facts == report.assignments.end() || facts->second.canvas_id.empty()) return lab;
  return lab + " (" + facts->second.canvas_id + ")";
}

const score::LabScore* CanvasLab(const score::SubmissionScore& submission, const std::string& name) {
  for (const score::LabScore& lab : submission.labs) {
    if (lab.lab == name) return &lab;
  }
  return nullptr;
}

std::string PossiblePoints(const score::GradingReport& report, const std::string& name) {
  config::Points most;
  for (const score::SubmissionScore& submission : report.submissions) {
    if (const score::LabScore* lab = CanvasLab(submission, name)) {
      most = std::max(most, lab->whole_max.value_or(lab->max_points));
    }
  }
  const auto facts = report.assignments.find(name);
  if (most == config::Points() && facts != report.assignments.end()) most = facts->second.max_points;
  return most.ToString();
}

std::string MarkOf(const score::SubmissionScore& submission, const std::string& name) {
  const score::LabScore* lab = CanvasLab(submission, name);
  return lab != nullptr && IsMark(submission, *lab) ? lab->points.ToString() : "";
}

}  // namespace

std::string CanvasText(const score::GradingReport& report) {
  const std::vector<std::string> labs = LabNames(report);
  std::vector<std::string> heading = {"Student", "ID", "SIS User ID", "SIS Login ID", "Section"};
  std::vector<std::string> possible = {"", "", "", "", ""};
  for (const std::string& lab : labs) {
    heading.push_back(CanvasHeading(lab, report));
    possible.push_back(PossiblePoints(report, lab));
  }
  std::string text = CsvLine(heading) + "    Points Possible" + CsvLine(possible);
  for (const score::SubmissionScore& submission : report.submissions) {
    const auto known = report.students.find(submission.id);
    const bool in_roster = known != report.students.end();
    const score::StudentFacts student = in_roster ? known->second : score::StudentFacts{};
    const std::string sis_id = in_roster && !student.id.empty() ? student.id : submission.id;
    std::vector<std::string> row = {CanvasName(student.name.empty() ? submission.id : student.name), student.canvas_id,
                                    sis_id, in_roster ? student.login : submission.id, student.section};
    for (const std::string& lab : labs) row.push_back(MarkOf(submission, lab));
    text += CsvLine(row);
  }
  return text;
}

}  // namespace warpgrade::report
