#include "grader/report/nbgrader.h"

#include <fmt/format.h>

#include <vector>

#include "grader/report/batch_table.h"
#include "grader/report/csv.h"

namespace warpgrade::report {
namespace {

// As Python prints a float: "29.0".
std::string PythonFloat(config::Points points) {
  const std::string text = points.ToString();
  return text.find('.') == std::string::npos ? text + ".0" : text;
}

// "2026-11-22T10:15:00Z" as Python prints the same time: "2026-11-22 10:15:00".
std::string PythonTime(std::string utc) {
  if (utc.ends_with('Z')) utc.pop_back();
  const size_t separator = utc.find('T');
  if (separator != std::string::npos) utc[separator] = ' ';
  return utc;
}

std::string NbgraderRow(const std::vector<std::string>& fields) {
  std::string line = CsvLine(fields);
  line.erase(line.find_last_of('\r'), 1);
  return line;
}

template <typename Facts>
Facts FactsOf(const std::map<std::string, Facts>& all, const std::string& key) {
  const auto known = all.find(key);
  return known == all.end() ? Facts() : known->second;
}

}  // namespace

std::string NbgraderText(const score::GradingReport& report) {
  std::string text = NbgraderRow({"assignment", "duedate", "timestamp", "student_id", "last_name", "first_name",
                                  "email", "raw_score", "late_submission_penalty", "score", "max_score"});
  for (const std::string& name : LabNames(report)) {
    const score::AssignmentFacts assignment = FactsOf(report.assignments, name);
    for (const score::SubmissionScore& submission : report.submissions) {
      for (const score::LabScore& lab : submission.labs) {
        if (lab.lab != name) continue;
        const score::StudentFacts student = FactsOf(report.students, submission.id);
        const bool finished = IsMark(submission, lab);
        const config::Points late = lab.hand_in.late_points;
        text += NbgraderRow({name, PythonTime(assignment.due), PythonTime(lab.hand_in.handed_in),
                             student.id.empty() ? submission.id : student.id, student.last_name, student.first_name,
                             student.email, finished ? PythonFloat(lab.points + late) : "",
                             finished ? PythonFloat(late) : "", finished ? PythonFloat(lab.points) : "",
                             PythonFloat(lab.whole_max.value_or(lab.max_points))});
      }
    }
  }
  return text;
}

}  // namespace warpgrade::report
