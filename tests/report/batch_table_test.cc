#include "grader/report/batch_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/report/golden.h"
#include "tests/report/sample_report.h"

namespace warpgrade::report {
namespace {

using config::Points;
using score::RungStatus;
using testing::HasSubstr;

score::LabScore LabOf(std::vector<score::RungScore> rungs) {
  score::LabScore lab = EmulatorLab();
  lab.rungs = std::move(rungs);
  return lab;
}

score::GradingReport Batch() {
  score::LabScore all_right = LabOf({RightRung("v1_naive"), RightRung("v2_shared")});
  all_right.points = all_right.measurable_points = Points::FromHundredths(2000);
  all_right.max_points = Points::FromHundredths(2400);
  score::LabScore untouched =
      LabOf({FailedRung("v1_naive", RungStatus::kNotWritten), FailedRung("v2_shared", RungStatus::kNotWritten),
             FailedRung("v3_padded", RungStatus::kNotWritten)});
  untouched.points = Points();
  score::SubmissionScore unreadable = Submission("a_name_that_is_far_too_long_for_the_column.zip", {});
  unreadable.messages = {"not a zip archive"};
  return EmulatorReport({Submission("s1042", {EmulatorLab()}), Submission("s1043", {all_right}),
                         Submission("s1044", {untouched}), unreadable});
}

TEST(BatchTableTest, ARowPerSubmissionAndTotals) { ExpectGolden("batch.txt", Table(Batch(), {})); }

TEST(BatchTableTest, DetailsGoBeforeTheSummary) {
  ExpectGolden("batch_details.txt", Table(Batch(), {.details = true}));
}

TEST(BatchTableTest, NamesAFewRungsAndCountsMany) {
  EXPECT_EQ(SummaryWords(Submission("s", {LabOf({RightRung("v1"), FailedRung("v2", RungStatus::kCrashed)})})),
            "crashed: v2");
  std::vector<score::RungScore> rungs;
  for (const char* name : {"v1", "v2", "v3"}) rungs.push_back(FailedRung(name, RungStatus::kFailed));
  rungs.push_back(FailedRung("v4", RungStatus::kTimeout));
  EXPECT_EQ(SummaryWords(Submission("s", {LabOf(rungs)})), "timed out: v4; 3 wrong");
}

TEST(BatchTableTest, NamesTheLabWhereThereAreSeveral) {
  const score::LabScore lab = LabOf({FailedRung("v2", RungStatus::kCrashed)});
  EXPECT_EQ(SummaryWords(Submission("s", {lab, LabOf({RightRung("v1")})})), "crashed: lab2.v2");
}

TEST(BatchTableTest, SaysNothingOfFullMarks) {
  EXPECT_EQ(SummaryWords(Submission("s", {LabOf({RightRung("v1")})})), "");
}

TEST(BatchTableTest, TotalsAreExact) {
  std::vector<score::SubmissionScore> submissions;
  for (const int64_t hundredths : {10, 20, 30, 1000}) {
    submissions.push_back(Submission(std::to_string(hundredths), {LabOf({})}));
    submissions.back().points = Points::FromHundredths(hundredths);
  }
  EXPECT_THAT(Table(EmulatorReport(submissions), {}),
              HasSubstr("4 submissions: mean 2.65, median 0.25, lowest 0.1, highest 10\n"));
}

TEST(BatchTableTest, WhoHandedNothingInHasNoMarkAndIsCountedApart) {
  score::SubmissionScore nothing = Submission("s3", {});
  nothing.messages = {"nothing handed in"};
  std::vector<score::SubmissionScore> submissions = {nothing};
  for (const int64_t points : {10, 30}) {
    submissions.push_back(Submission(std::to_string(points), {LabOf({})}));
    submissions.back().points = Points::FromHundredths(100 * points);
  }
  const std::string table = Table(EmulatorReport(submissions), {});
  EXPECT_THAT(table, HasSubstr("2 submissions: mean 20, median 20, lowest 10, highest 30\n"
                               "1 without a mark; if they count as 0: mean 13.33, median 10, lowest 0, highest 30\n"));
  EXPECT_THAT(table, testing::ContainsRegex("s3 +- +-  nothing handed in\n"));
  EXPECT_THAT(Table(EmulatorReport({nothing, nothing}), {}), HasSubstr("nobody has a mark\n"));
}

TEST(BatchTableTest, NamesLateDaysAndOverridesBeforeTheRest) {
  score::LabScore lab = LabOf({FailedRung("v2", RungStatus::kCrashed)}), other = LabOf({RightRung("v1")});
  lab.hand_in.changes = {"2 days late: 4 points lost", "override: v1\x1b 3 instead of 10"};
  EXPECT_EQ(SummaryWords(Submission("s", {lab})),
            "2 days late: 4 points lost; override: v1\\x1b 3 instead of 10; crashed: v2");
  EXPECT_THAT(SummaryWords(Submission("s", {lab, other})),
              HasSubstr("lab2 2 days late: 4 points lost; lab2 override:"));
}

TEST(BatchTableTest, TheHeadingOfAReportOfNothingIsTheCourse) {
  score::GradingReport report = EmulatorReport({});
  report.course = "A course";
  report.device = {};
  EXPECT_THAT(Table(report, {}), testing::StartsWith("A course\n\n"));
  report.submissions = {Submission("s1", {})};
  EXPECT_THAT(Table(report, {}), testing::StartsWith("s1\n\n"));
}

TEST(BatchTableTest, NoSubmissionsAtAll) { EXPECT_THAT(Table(EmulatorReport({}), {}), HasSubstr("no submissions\n")); }

}  // namespace
}  // namespace warpgrade::report
