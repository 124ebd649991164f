// Results go into a gradebook and come out again, whole or in short.
#include "grader/report/batch_table.h"
#include "grader/report/csv.h"
#include "grader/report/json.h"
#include "grader/score/leaderboard.h"
#include "tests/gradebook/book_of_test.h"
#include "tests/report/sample_report.h"

namespace warpgrade::gradebook {
namespace {

using testing::Eq;

using GradingsTest = BookTest;

TEST_F(GradingsTest, AResultComesBackWhole) {
  Gradebook book = Open();
  const score::GradingReport result = report::GpuReport({report::Submission("s1", {report::GpuLab()})});
  const Planned planned = PlanOf(&book, {AHandIn("s1", "text")}).at(0);
  ASSERT_TRUE(*book.AddGrading(planned, SomeConditions(), result, "batch", "line 1\nline 2\n"));
  const Grading grading = *book.Attempts("s1", "")->at(0).grading;
  EXPECT_EQ(grading.number, 1);
  EXPECT_EQ(grading.why, "batch");
  EXPECT_EQ(grading.points, result.submissions[0].points);
  EXPECT_EQ(report::JsonText(*book.Report(grading.measured)), report::JsonText(result));
  EXPECT_EQ(*book.Log(grading.measured), "line 1\nline 2\n");
}

TEST_F(GradingsTest, ManyResultsComeBackInTheOrderInWhichTheyAreAskedFor) {
  Gradebook book = Open();
  constexpr int kMany = 40;
  std::vector<int64_t> measured;
  for (int i = 0; i < kMany; ++i) {
    const std::string id = "s" + std::to_string(i);
    const Planned planned = PlanOf(&book, {AHandIn(id, id)}).at(0);
    const score::GradingReport result = report::EmulatorReport({report::Submission(id, {report::EmulatorLab()})});
    ASSERT_TRUE(*book.AddGrading(planned, SomeConditions(), result, "batch", ""));
    measured.insert(measured.begin(), book.Attempts(id, "")->at(0).grading->measured);
  }
  const std::vector<score::GradingReport> reports = *book.Reports(measured);
  ASSERT_EQ(reports.size(), measured.size());
  for (int i = 0; i < kMany; ++i) {
    EXPECT_EQ(reports[static_cast<size_t>(i)].submissions.at(0).id, "s" + std::to_string(kMany - 1 - i));
  }
  EXPECT_EQ(book.Reports({})->size(), 0u);
  measured.push_back(12345);
  EXPECT_THAT(book.Reports(measured).error().message, testing::HasSubstr("a grading has lost its details"));
}

// What tables and leaderboards print of `report` with only `lab` in it.
std::string Printed(const score::GradingReport& before, const score::LabScore& lab) {
  score::GradingReport report = before;
  report.submissions = {report::Submission("s1", {lab})};
  config::Lab rules;
  rules.name = lab.lab;
  rules.leaderboard = config::LeaderboardRule{20, {}};
  for (const score::RungScore& rung : lab.rungs) rules.leaderboard->rungs.push_back(rung.rung);
  std::string text = report::CsvText(report) + report::BatchTable(report, {});
  for (const bool timed : {false, true}) {
    for (const score::LeaderboardEntry& entry : score::MakeLeaderboard(rules, report.submissions, timed).entries) {
      text += entry.rung + " " + std::to_string(entry.wrong_answers) + " " +
              std::to_string(entry.score_s.value_or(-1)) + " " + entry.note + "\n";
    }
  }
  return text;
}

TEST_F(GradingsTest, TheShortFormPrintsTheSameMarksAndLeaderboards) {
  for (const score::GradingReport& result :
       {report::GpuReport({report::Submission("s1", {report::GpuLab()})}),
        report::EmulatorReport({report::Submission("s1", {report::EmulatorLab()})})}) {
    const TemporaryFolder folder;
    Gradebook book = std::move(*Gradebook::Open(folder.Path("marks.db"), Access::kCreate, "0.1.0"));
    const score::LabScore& lab = result.submissions[0].labs[0];
    const Planned planned = PlanOf(&book, {AHandIn("s1", "text", 0, lab.lab)}).at(0);
    ASSERT_TRUE(*book.AddGrading(planned, SomeConditions(), result, "batch", ""));
    const Attempt attempt = book.Attempts("", "")->at(0);
    const std::map<int64_t, score::LabScore> rungs = *book.Rungs({&attempt});
    ASSERT_EQ(rungs.size(), 1u);
    EXPECT_EQ(Printed(result, rungs.begin()->second), Printed(result, lab));
  }
}

TEST_F(GradingsTest, EveryGradingOfAnAttemptStays) {
  Gradebook book = Open();
  for (const int rules : {1, 2, 3}) Grade(&book, AHandIn("s1", "text"), rules);
  const Attempt attempt = book.Attempts("s1", "")->at(0);
  EXPECT_EQ(attempt.grading->number, 3);
  const std::vector<Grading> gradings = *book.Gradings(attempt.key);
  ASSERT_EQ(gradings.size(), 3u);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(gradings[i].number, i + 1);
    EXPECT_EQ(gradings[i].conditions.rules, "rules " + std::to_string(i + 1));
    EXPECT_TRUE(book.Report(gradings[i].measured).ok());
  }
}

TEST_F(GradingsTest, WhatAnotherProcessHasGradedMeanwhileIsNotAddedTwice) {
  Gradebook one = Open(), other = Open();
  const Planned of_one = PlanOf(&one, {AHandIn("s1", "text")}).at(0);
  const Planned of_other = PlanOf(&other, {AHandIn("s1", "text")}).at(0);
  EXPECT_EQ(of_one.attempt, of_other.attempt);
  EXPECT_THAT(*other.AddGrading(of_other, SomeConditions(), AResult("s1"), "batch", ""), Eq(true));
  EXPECT_THAT(*one.AddGrading(of_one, SomeConditions(), AResult("s1"), "batch", ""), Eq(false));
  EXPECT_EQ(one.Gradings(of_one.attempt)->size(), 1u);
  // But a grading under other conditions is another result.
  EXPECT_THAT(*one.AddGrading(of_one, SomeConditions(2), AResult("s1"), "batch", ""), Eq(true));
}

}  // namespace
}  // namespace warpgrade::gradebook
