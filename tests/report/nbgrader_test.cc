#include "grader/report/nbgrader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/report/text.h"
#include "tests/report/odd_names.h"
#include "tests/report/sample_report.h"

namespace warpgrade::report {
namespace {

using testing::ElementsAre;

TEST(NbgraderTest, ARowForEachLabAndStudentTheLabsFirst) {
  score::GradingReport report = GpuReport({Submission("s1", {EmulatorLab(), GpuLab()}), Submission("s2", {GpuLab()})});
  report.assignments["lab1"].due = "2026-11-20T12:00:00Z";
  report.students["s2"] = {.id = "1043", .last_name = "Roe", .first_name = "Richard", .email = "rroe@example.com"};
  score::HandInFacts& hand_in = report.submissions[1].labs[0].hand_in;
  hand_in.handed_in = "2026-11-21T09:30:00Z";
  hand_in.late_points = config::Points::FromHundredths(400);
  EXPECT_EQ(NbgraderText(report),
            "assignment,duedate,timestamp,student_id,last_name,first_name,email,raw_score,late_submission_penalty,"
            "score,max_score\n"
            "lab2,,,s1,,,,18.0,0.0,18.0,84.0\n"
            "lab1,2026-11-20 12:00:00,,s1,,,,42.5,0.0,42.5,48.0\n"
            "lab1,2026-11-20 12:00:00,2026-11-21 09:30:00,1043,Roe,Richard,rroe@example.com,46.5,4.0,42.5,48.0\n");
}

TEST(NbgraderTest, ALabThatIsNotFinishedHasNoScore) {
  score::GradingReport report = EmulatorReport({Submission("s1", {EmulatorLab()})});
  report.submissions[0].unfinished = {{"lab2", "v9", "interrupted"}};
  const auto [rows, error] = ReadCsv(NbgraderText(report), "\n");
  EXPECT_EQ(error, "");
  EXPECT_THAT(rows.at(1), ElementsAre("lab2", "", "", "s1", "", "", "", "", "", "", "84.0"));
}

TEST(NbgraderTest, OddNamesAreCellsAndNothingElse) {
  std::vector<score::SubmissionScore> submissions;
  for (const std::string& name : OddNames()) submissions.push_back(Submission(name, {EmulatorLab()}));
  score::GradingReport report = EmulatorReport(std::move(submissions));
  for (const std::string& name : OddNames()) report.students[name].last_name = report.students[name].email = name;
  const std::string text = NbgraderText(report);
  EXPECT_TRUE(IsUtf8(text));
  const auto [rows, error] = ReadCsv(text, "\n");
  EXPECT_EQ(error, "");
  ASSERT_EQ(rows.size(), 1 + OddNames().size());
  for (size_t i = 0; i < OddNames().size(); ++i) {
    for (const int column : {3, 4, 6}) {
      EXPECT_FALSE(IsFormula(rows[i + 1][column])) << rows[i + 1][column];
      EXPECT_EQ(Recovered(rows[i + 1][column]), PrintableLine(OddNames()[i]));
    }
  }
}

}  // namespace
}  // namespace warpgrade::report
