// Reads the file as Canvas's importer does: which columns are students and which assignments, which row has the
// possible points, which student and assignment a row and a column mean.
#include "grader/report/canvas.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <regex>

#include "grader/report/text.h"
#include "tests/report/odd_names.h"
#include "tests/report/sample_report.h"

namespace warpgrade::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

struct CanvasStudent {
  int id;
  std::string sis_id, login, name;
};

// What an import would do.
struct CanvasImport {
  std::string error;
  std::vector<std::string> assignments;  // by their numbers in Canvas, else "new: TITLE"
  std::vector<std::string> possible;
  std::vector<std::pair<std::string, std::vector<std::string>>> marks;  // of a student, or "new: NAME"
};

// Ruby's String#to_i: the digits at the beginning.
int RubyInt(const std::string& text) {
  const size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  return end == 0 ? 0 : std::stoi(text.substr(0, std::min<size_t>(end, 9)));
}

std::string StudentOf(const std::vector<std::string>& row, const std::vector<CanvasStudent>& students) {
  const auto find = [&students](const auto& is) -> std::optional<std::string> {
    const auto found = std::find_if(students.begin(), students.end(), is);
    return found == students.end() ? std::nullopt : std::optional(std::to_string(found->id));
  };
  if (!row[1].empty()) {
    if (auto student = find([&](const CanvasStudent& s) { return s.id == RubyInt(row[1]); })) return *student;
  }
  if (!row[2].empty()) {
    if (auto student = find([&](const CanvasStudent& s) { return s.sis_id == row[2]; })) return *student;
  }
  if (!row[3].empty()) {
    if (auto student = find([&](const CanvasStudent& s) { return s.login == row[3]; })) return *student;
  }
  if (auto student = find([&](const CanvasStudent& s) { return s.name == row[0]; })) return *student;
  return "new: " + row[0];
}

// Canvas splits at semicolons if the first three lines then have equally many fields, and more than at commas.
bool LooksDelimitedBySemicolons(const std::string& text) {
  size_t fields[2] = {0, 0};
  for (int separator = 0; separator < 2; ++separator) {
    size_t at = 0;
    std::vector<size_t> counts;
    for (int line = 0; line < 3 && at < text.size(); ++line) {
      const size_t end = std::min(text.find('\n', at), text.size() - 1);
      const std::string row = text.substr(at, end - at);
      counts.push_back(1 + static_cast<size_t>(std::count(row.begin(), row.end(), separator == 0 ? ';' : ',')));
      at = end + 1;
    }
    if (std::all_of(counts.begin(), counts.end(), [&](size_t n) { return n == counts[0]; })) {
      fields[separator] = counts.at(0);
    }
  }
  return fields[0] > fields[1];
}

// The title of an assignment is unique in a course; `known`: titles by their numbers.
CanvasImport Import(const std::string& text, const std::vector<CanvasStudent>& students,
                    const std::map<std::string, std::string>& known) {
  CanvasImport import;
  const auto [rows, error] = ReadCsv(text, "\r\n");
  import.error = error;
  if (!error.empty()) return import;
  if (LooksDelimitedBySemicolons(text)) import.error = "read with semicolons";
  const std::vector<std::string>& heading = rows.at(0);
  const bool is_heading = heading.size() > 4 && heading[0].find("Student") != std::string::npos &&
                          heading[1].find("ID") != std::string::npos && heading[2] == "SIS User ID" &&
                          heading[3] == "SIS Login ID" && heading[4].find("Section") != std::string::npos;
  if (!is_heading) import.error = "Invalid header row";
  for (size_t i = 5; i < heading.size(); ++i) {
    std::smatch parts;
    std::string assignment = "new: " + heading[i];
    const bool has_id = std::regex_match(heading[i], parts, std::regex("(.*) \\(([0-9]+)\\)"));
    for (const auto& [id, title] : known) {
      if ((has_id && parts[2] == id) || heading[i] == title) assignment = id;
    }
    import.assignments.push_back(assignment);
  }
  for (size_t i = 1; i < rows.size(); ++i) {
    const std::vector<std::string> cells(rows[i].begin() + 5, rows[i].end());
    if (rows[i][0].find("Points Possible") != std::string::npos) {
      if (!import.possible.empty()) import.error = "a second row of possible points: " + rows[i][0];
      import.possible = cells;
      continue;
    }
    for (const std::string& cell : cells) {
      if (!std::regex_match(cell, std::regex("([0-9]+(\\.[0-9]{1,2})?)?|EX"))) import.error = "no mark: " + cell;
    }
    import.marks.emplace_back(StudentOf(rows[i], students), cells);
  }
  return import;
}

// Two labs of 84 and 48 points.
score::GradingReport CanvasReport(const std::vector<std::string>& ids) {
  std::vector<score::SubmissionScore> submissions;
  for (const std::string& id : ids) submissions.push_back(Submission(id, {EmulatorLab(), GpuLab()}));
  return GpuReport(std::move(submissions));
}

const std::vector<CanvasStudent> kStudents = {
    {12, "s1042", "jdoe", "Jane Doe"}, {13, "s1043", "rroe", "Richard Roe"}, {14, "x", "s1044", "Jan Poe"}};

TEST(CanvasTest, StudentsAreFoundByTheIdOfTheirSubmission) {
  const CanvasImport import =
      Import(CanvasText(CanvasReport({"s1042", "s1043", "s1044", "Jane Doe"})), kStudents, {{"4711", "lab2"}});
  EXPECT_EQ(import.error, "");
  EXPECT_THAT(import.assignments, ElementsAre("4711", "new: lab1")) << "lab2 is found by its title";
  EXPECT_THAT(import.possible, ElementsAre("84", "48"));
  ASSERT_EQ(import.marks.size(), 4u);
  EXPECT_EQ(import.marks[0].first, "12");
  EXPECT_EQ(import.marks[1].first, "13");
  EXPECT_EQ(import.marks[2].first, "14") << "by the login";
  EXPECT_EQ(import.marks[3].first, "12") << "by the name";
  EXPECT_THAT(import.marks[0].second, ElementsAre("18", "42.5"));
}

// Canvas would take "12abc" in the column ID for its student 12.
TEST(CanvasTest, AnIdThatBeginsLikeANumberOfCanvasIsNotTakenForIt) {
  const CanvasImport import = Import(CanvasText(CanvasReport({"12abc"})), kStudents, {});
  EXPECT_EQ(import.marks.at(0).first, "new: 12abc");
}

TEST(CanvasTest, TheNumberOfAnAssignmentStandsBehindItsTitle) {
  score::GradingReport report = CanvasReport({"s1042"});
  report.assignments["lab2"].canvas_id = "4711";
  EXPECT_THAT(Import(CanvasText(report), kStudents, {{"4711", "Transpose"}}).assignments,
              ElementsAre("4711", "new: lab1"));
}

TEST(CanvasTest, ARosterSaysWhoAStudentIs) {
  score::GradingReport report = CanvasReport({"group7", "s1043"});
  score::StudentFacts facts;
  facts.id = "other";
  facts.name = "Doe, Jane";
  facts.canvas_id = "12";
  facts.login = "jdoe";
  facts.section = "Mon";
  report.students["group7"] = facts;
  const std::string text = CanvasText(report);
  EXPECT_THAT(text, HasSubstr("\r\n\"Doe, Jane\",12,other,jdoe,Mon,"));
  EXPECT_EQ(Import(text, kStudents, {}).marks.at(0).first, "12");
}

TEST(CanvasTest, TheFirstRowsAreThoseThatCanvasItselfWrites) {
  EXPECT_THAT(CanvasText(CanvasReport({"s1042"})),
              testing::StartsWith("Student,ID,SIS User ID,SIS Login ID,Section,lab2,lab1\r\n"
                                  "    Points Possible,,,,,84,48\r\n"
                                  "s1042,,s1042,s1042,,18,42.5\r\n"));
}

TEST(CanvasTest, AMarkThatIsNotFinishedIsEmpty) {
  score::GradingReport report = CanvasReport({"s1042"});
  report.submissions[0].unfinished = {{"lab1", "v9", "interrupted"}};
  EXPECT_THAT(Import(CanvasText(report), kStudents, {}).marks.at(0).second, ElementsAre("18", ""));
}

TEST(CanvasTest, OddNamesAreStudentsAndNothingElse) {
  score::GradingReport report = CanvasReport(OddNames());
  for (const std::string& name : OddNames()) {
    score::StudentFacts facts;
    facts.name = facts.section = facts.login = name;
    report.students[name] = facts;
  }
  const std::string text = CanvasText(report);
  EXPECT_TRUE(IsUtf8(text));
  const CanvasImport import = Import(text, {}, {});
  EXPECT_EQ(import.error, "");
  EXPECT_EQ(import.marks.size(), OddNames().size());
  const auto rows = ReadCsv(text, "\r\n").first;
  for (size_t i = 0; i < OddNames().size(); ++i) {
    const std::vector<std::string>& row = rows.at(i + 2);
    for (const std::string& cell : row) EXPECT_FALSE(IsFormula(cell)) << cell;
    EXPECT_EQ(Recovered(row[2]), PrintableLine(OddNames()[i]));
    EXPECT_EQ(Recovered(row[3]), PrintableLine(OddNames()[i]));
    if (OddNames()[i].find("Possible") == std::string::npos && !OddNames()[i].empty()) {
      EXPECT_EQ(Recovered(row[0]), PrintableLine(OddNames()[i]));
    }
  }
}

}  // namespace
}  // namespace warpgrade::report
