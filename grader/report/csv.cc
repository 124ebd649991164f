// Makes the CSV file of points. The columns come from all labs and rungs that occur in the report; each field is made
// safe for spreadsheets (CsvField). Tests: tests/report/csv_test.cc.
#include "grader/report/csv.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "grader/report/batch_table.h"
#include "grader/report/pieces.h"
#include "grader/report/text.h"

namespace warpgrade::report {
namespace {

// The columns of a lab: one for each rung, then one for their sum.
struct LabColumns {
  std::string lab;
  std::vector<std::string> rungs;
};

// Every lab and every rung that occurs.
std::vector<LabColumns> Columns(const score::GradingReport& report) {
  std::vector<LabColumns> columns;
  for (const std::string& name : LabNames(report)) {
    std::vector<std::string> rungs;
    for (const score::SubmissionScore& submission : report.submissions) {
      for (const score::LabScore& lab : submission.labs) {
        if (lab.lab != name) continue;
        for (size_t i = 0; i < lab.rungs.size(); ++i) {
          const std::string& rung = lab.rungs[i].rung;
          const bool usual = i < rungs.size() && rungs[i] == rung;  // most submissions have them in the same order
          if (!usual && std::find(rungs.begin(), rungs.end(), rung) == rungs.end()) rungs.push_back(rung);
        }
      }
    }
    columns.push_back({name, std::move(rungs)});
  }
  return columns;
}

// Appends the fields of one lab: empty ones for rungs that the submission does not have.
void AddPoints(const score::SubmissionScore& submission, const LabColumns& columns, std::vector<std::string>* fields) {
  const auto found = std::find_if(submission.labs.begin(), submission.labs.end(),
                                  [&columns](const score::LabScore& lab) { return lab.lab == columns.lab; });
  if (found == submission.labs.end()) {
    fields->resize(fields->size() + columns.rungs.size() + 1);
    return;
  }
  size_t next = 0;  // most submissions have all rungs, in the same order
  for (const std::string& name : columns.rungs) {
    if (next >= found->rungs.size() || found->rungs[next].rung != name) {
      const auto rung = std::find_if(found->rungs.begin(), found->rungs.end(),
                                     [&name](const score::RungScore& one) { return one.rung == name; });
      if (rung == found->rungs.end()) {
        fields->emplace_back();
        continue;
      }
      next = static_cast<size_t>(rung - found->rungs.begin());
    }
    fields->push_back(found->rungs[next++].points.ToString());
  }
  fields->push_back(IsMark(submission, *found) ? found->points.ToString() : "");
}

// "-7", "-0.25": no formula, although it starts like one.
bool IsNegativeNumber(std::string_view field) {
  constexpr std::string_view kDigits = "0123456789";
  if (!field.starts_with('-') || field.size() < 2 || field.size() > 20) return false;
  field.remove_prefix(1);
  const size_t point = field.find_first_not_of(kDigits);
  if (point == std::string_view::npos) return true;
  return point > 0 && field[point] == '.' && point + 1 < field.size() &&
         field.find_first_not_of(kDigits, point + 1) == std::string_view::npos;
}

std::string RowOf(const score::SubmissionScore& submission, const std::vector<LabColumns>& columns) {
  std::vector<std::string> fields = {submission.id};
  for (const LabColumns& of_lab : columns) AddPoints(submission, of_lab, &fields);
  // Nobody should enter the sum of a part as a mark.
  fields.push_back(IsMark(submission) ? submission.points.ToString() : "");
  fields.push_back(submission.max_points.ToString());
  fields.push_back(submission.measurable_points.ToString());
  fields.push_back(SummaryWords(submission));
  return CsvLine(fields);
}

}  // namespace

std::string CsvField(std::string_view text) {
  if (text.find_first_not_of("0123456789.") == std::string_view::npos) return std::string(text);  // most are points
  std::string field = PrintableLine(text);
  if (IsNegativeNumber(field)) return field;
  // Spreadsheets skip spaces before a formula, and take the full-width forms of these signs too. Apostrophes are
  // skipped so that a reader knows which apostrophe is ours.
  const std::string_view start = std::string_view(field).substr(std::min(field.find_first_not_of(" '"), field.size()));
  for (const std::string_view sign : {"=", "+", "-", "@", "＝", "＋", "－", "＠"}) {
    if (start.starts_with(sign)) {
      field.insert(0, 1, '\'');
      break;
    }
  }
  const bool outer_space = !field.empty() && (field.front() == ' ' || field.back() == ' ');
  if (!outer_space && field.find_first_of(",\"\r\n;") == std::string::npos) return field;
  std::string quoted = "\"";
  for (const char c : field) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string CsvLine(const std::vector<std::string>& fields) {
  std::string line;
  for (size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) line += ',';
    line += CsvField(fields[i]);
  }
  return line + "\r\n";
}

std::string CsvText(const score::GradingReport& report) {
  const std::vector<LabColumns> columns = Columns(report);
  std::vector<std::string> fields = {"submission"};
  for (const LabColumns& of_lab : columns) {
    for (const std::string& rung : of_lab.rungs) fields.push_back(of_lab.lab + "." + rung);
    fields.push_back(of_lab.lab);
  }
  for (const char* name : {"points", "max_points", "measurable_points", "notes"}) fields.push_back(name);
  const std::vector<std::string> rows = InPieces(report.submissions.size(), [&](size_t begin, size_t end) {
    std::string piece;
    for (size_t i = begin; i < end; ++i) piece += RowOf(report.submissions[i], columns);
    return piece;
  });
  return Joined(CsvLine(fields), rows, "", "");
}

}  // namespace warpgrade::report
