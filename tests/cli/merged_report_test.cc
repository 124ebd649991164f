#include "grader/cli/merged_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/score/counting.h"
#include "grader/score/score.h"

namespace warpgrade::cli {
namespace {

using testing::ElementsAre;

score::RungScore Rung(const std::string& name, int points) {
  score::RungScore rung;
  rung.rung = name;
  rung.points = config::Points::FromHundredths(100 * points);
  rung.max_points = rung.measurable_points = config::Points::FromHundredths(100 * 10);
  return rung;
}

score::GradingReport Report(std::vector<score::RungScore> rungs) {
  score::LabScore lab;
  lab.lab = "lab1";
  lab.title = "Reduction";
  for (score::RungScore& rung : rungs) score::AddRung(std::move(rung), &lab);
  score::GradingReport report;
  report.submissions.push_back(score::ScoreSubmission("mine", {lab}));
  return report;
}

std::vector<std::string> NamesIn(const score::GradingReport& report) {
  std::vector<std::string> names;
  for (const score::RungScore& rung : report.submissions.at(0).labs.at(0).rungs) names.push_back(rung.rung);
  return names;
}

TEST(MergedReportTest, TheNewerResultCountsAndTheOthersStay) {
  const score::GradingReport merged =
      Merged(Report({Rung("v1", 3), Rung("v2", 4)}), Report({Rung("v1", 9)}), {"v1", "v2"});
  EXPECT_THAT(NamesIn(merged), ElementsAre("v1", "v2"));
  EXPECT_EQ(merged.submissions[0].points.ToString(), config::Points::FromHundredths(100 * 13).ToString());
  EXPECT_EQ(merged.submissions[0].max_points.ToString(), config::Points::FromHundredths(100 * 20).ToString());
  EXPECT_EQ(merged.submissions[0].labs[0].title, "Reduction");
}

TEST(MergedReportTest, RungsStandInTheOrderOfTheLab) {
  EXPECT_THAT(
      NamesIn(Merged(Report({Rung("v3", 1)}), Report({Rung("v1", 1), Rung("quiz", 1)}), {"v1", "v2", "v3", "quiz"})),
      ElementsAre("v1", "v3", "quiz"));
}

TEST(MergedReportTest, OfAGroupTheBestCountWhenOneOfThemIsGradedAgain) {
  const config::CountingRule rule = {{}, {{1, {"v1", "v2"}}}};
  score::GradingReport before = Report({Rung("v1", 3), Rung("v2", 4)}), newer = Report({Rung("v1", 9)});
  for (score::GradingReport* report : {&before, &newer}) score::CountPoints(rule, &report->submissions[0].labs[0]);
  const score::GradingReport merged = Merged(before, newer, {"v1", "v2"});
  EXPECT_THAT(NamesIn(merged), ElementsAre("v1", "v2", "not_counted"));
  EXPECT_EQ(merged.submissions[0].points.ToString(), "9");
  EXPECT_EQ(merged.submissions[0].max_points.ToString(), "10");
}

TEST(MergedReportTest, AReportOfNothingChangesNothing) {
  const score::GradingReport one = Report({Rung("v1", 3)});
  EXPECT_THAT(NamesIn(Merged(one, score::GradingReport(), {"v1"})), ElementsAre("v1"));
  EXPECT_THAT(NamesIn(Merged(score::GradingReport(), one, {"v1"})), ElementsAre("v1"));
  score::GradingReport interrupted;
  interrupted.submissions.push_back(score::ScoreSubmission("mine", {}));
  interrupted.submissions[0].unfinished = {{"lab1", "v1", "grading was interrupted"}};
  const score::GradingReport merged = Merged(one, interrupted, {"v1"});
  EXPECT_THAT(NamesIn(merged), ElementsAre("v1"));
}

TEST(MergedReportTest, AFileBelongsToTheRungOfItsName) {
  EXPECT_EQ(RungOfFile("lab1/v3_sequential.cu"), "v3_sequential");
  EXPECT_EQ(RungOfFile("v3_sequential.cu"), "v3_sequential");
  EXPECT_EQ(RungOfFile("lab1/answers.yaml"), "quiz");
  EXPECT_EQ(RungOfFile("v3_sequential.cu~"), "");
  EXPECT_EQ(RungOfFile(".v3_sequential.cu.swp"), "");
}

}  // namespace
}  // namespace warpgrade::cli
