// What a class got and lost by each threshold, and with which values.
#include "grader/score/thresholds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "grader/score/score.h"
#include "grader/score/throughput.h"

namespace warpgrade::score {
namespace {

using config::Points;
using testing::IsEmpty;
using testing::SizeIs;

constexpr Points Whole(int points) { return Points::FromHundredths(100 * points); }

// lab1 with a rung of 6 + 2 + 2 points: a limit on one metric, provided another one, and a scale from 100 to 300 GB/s.
config::Course OneRung() {
  config::Rung rung;
  rung.name = "v1";
  rung.correctness = Whole(6);
  rung.technique = rung.throughput = Whole(2);
  config::TechniqueLimit limit;
  limit.bounds = {.metric = "conflicts", .min = {}, .max = 1};
  limit.points = Whole(2);
  limit.provided = {{.metric = "loads", .min = {}, .max = 10}};
  rung.technique_limits = {limit};
  config::ThroughputScale scale;
  scale.zero = 100;
  scale.full = 300;
  rung.throughput_scales["h200"] = scale;
  config::Course course;
  config::Lab lab;
  lab.name = "lab1";
  lab.title = "Reduction";
  lab.rungs = {rung};
  lab.quiz = Whole(3);
  course.labs = {lab};
  return course;
}

ScoringContext OnGpu() {
  ScoringContext context;
  context.on_gpu = true;
  context.target_id = "h200";
  context.metric_units["conflicts"] = "per request";
  return context;
}

RungMeasurement RightOne(double conflicts, double loads, double speed) {
  RungMeasurement measurement;
  measurement.cases = measurement.cases_run = measurement.cases_passed = 3;
  measurement.technique_measured = true;
  measurement.metrics = {{"conflicts", conflicts}, {"loads", loads}};
  measurement.throughput.status = ThroughputMeasurement::Status::kMeasured;
  measurement.throughput.value = speed;
  return measurement;
}

// A submission for each measurement, graded by the course.
GradingReport Graded(const std::vector<RungMeasurement>& measurements) {
  GradingReport report;
  for (size_t i = 0; i < measurements.size(); ++i) {
    report.submissions.push_back(
        ScoreSubmission("s" + std::to_string(i), {ScoreLab(OneRung().labs[0], {{"v1", measurements[i]}}, OnGpu())}));
  }
  return report;
}

ClassSpread SpreadOf(const std::vector<RungMeasurement>& measurements) {
  return ThresholdsOf(OneRung(), Graded(measurements), OnGpu());
}

TEST(ThresholdsTest, EachRightRungIsASampleOfItsLimitsAndItsScale) {
  RungMeasurement diluted = RightOne(0.5, 10, 200);
  diluted.answer_metrics = {{"conflicts", 7}};
  const ClassSpread spread = SpreadOf({RightOne(0, 11, 400), RightOne(3, 5, 50), diluted});
  ASSERT_THAT(spread.labs, SizeIs(1));
  const RungSpread& rung = spread.labs[0].rungs.at(0);
  EXPECT_EQ(rung.graded, 3u);
  EXPECT_EQ(rung.right, 3u);
  EXPECT_EQ(rung.most, Whole(10));
  ASSERT_THAT(rung.limits, SizeIs(1));
  EXPECT_EQ(rung.limits[0].unit, "per request");
  ASSERT_THAT(rung.limits[0].samples, SizeIs(3));
  EXPECT_FALSE(rung.limits[0].samples[0].others_hold);
  EXPECT_TRUE(rung.limits[0].samples[1].others_hold);
  EXPECT_EQ(rung.limits[0].samples[1].value, 3);
  EXPECT_EQ(rung.limits[0].samples[2].of_answer, 7);
  ASSERT_TRUE(rung.speed);
  EXPECT_EQ(rung.speed->target, "h200");
  ASSERT_THAT(rung.speed->samples, SizeIs(3));
  EXPECT_EQ(rung.speed->samples[2].submission, 2u);
  EXPECT_EQ(rung.speed->samples[2].value, 200);
  EXPECT_EQ(rung.lost_correctness, Points());
  EXPECT_EQ(rung.lost_technique, Whole(6));
  EXPECT_EQ(rung.lost_throughput, Whole(3));
  EXPECT_EQ(spread.totals[2], Whole(7));
  EXPECT_EQ(spread.other_rules, 0u);
  EXPECT_THAT(spread.checks, IsEmpty());
}

TEST(ThresholdsTest, OfAGroupOnlyTheBestAreInTheTotal) {
  config::Course course = OneRung();
  course.labs[0].rungs.push_back(course.labs[0].rungs[0]);
  course.labs[0].rungs[1].name = "v2";
  course.labs[0].counting.best_of = {{1, {"v1", "v2"}}};
  GradingReport report;
  const std::map<std::string, RungMeasurement> measured = {{"v1", RightOne(3, 5, 50)}, {"v2", RightOne(0, 0, 300)}};
  report.submissions = {ScoreSubmission("s1", {ScoreLab(course.labs[0], measured, OnGpu())})};
  const ClassSpread spread = ThresholdsOf(course, report, OnGpu());
  EXPECT_EQ(spread.totals[0], Whole(10)) << "v1 has 6";
  ASSERT_THAT(spread.labs.at(0).best_of, SizeIs(1));
  ASSERT_THAT(spread.labs[0].rungs.at(0).of_group, SizeIs(1));
  EXPECT_EQ(spread.labs[0].rungs[0].of_group[0].points, Whole(6));
  EXPECT_EQ(spread.labs[0].rungs[1].of_group[0].points, Whole(10));
}

TEST(ThresholdsTest, AWrongRungIsNoSampleAndSaysWhichCheckItFailed) {
  RungMeasurement racy = RightOne(0, 0, 0), broken;
  Finding finding;
  finding.kind = "shared-race";
  racy.findings = {finding, finding};
  broken.status = RungStatus::kCompileError;
  const ClassSpread spread = SpreadOf({racy, broken, broken, RightOne(0, 0, 300)});
  const RungSpread& rung = spread.labs.at(0).rungs.at(0);
  EXPECT_EQ(rung.graded, 4u);
  EXPECT_EQ(rung.right, 1u);
  EXPECT_THAT(rung.limits[0].samples, SizeIs(1));
  EXPECT_EQ(rung.lost_correctness, Whole(18));
  ASSERT_THAT(spread.checks, SizeIs(2));
  EXPECT_EQ(spread.checks[0].check, "compile_error");
  EXPECT_EQ(spread.checks[0].submissions, 2u);
  EXPECT_EQ(spread.checks[0].lost, Whole(20));
  EXPECT_EQ(spread.checks[1].check, "shared-race");
  EXPECT_EQ(spread.checks[1].rungs, 1u);
}

TEST(ThresholdsTest, FlaggedAndUnknownSpeedsAreCountedAndNoSamples) {
  RungMeasurement flagged = RightOne(0, 0, 200), unknown = RightOne(0, 0, NAN), none = RightOne(NAN, 0, 0);
  flagged.throughput.status = ThroughputMeasurement::Status::kFlagged;
  none.throughput.status = ThroughputMeasurement::Status::kNotMeasured;
  const ClassSpread spread = SpreadOf({flagged, unknown, none});
  const SpeedSpread& speed = *spread.labs.at(0).rungs.at(0).speed;
  EXPECT_THAT(speed.samples, IsEmpty());
  EXPECT_EQ(speed.flagged, 1u);
  EXPECT_EQ(speed.not_measured, 2u);
  EXPECT_TRUE(std::isnan(spread.labs[0].rungs[0].limits[0].samples[2].value));
}

TEST(ThresholdsTest, WithoutAScaleForTheDeviceThereIsNoSpeed) {
  ScoringContext context = OnGpu();
  context.target_id = "a100";
  EXPECT_FALSE(ThresholdsOf(OneRung(), Graded({RightOne(0, 0, 1)}), context).labs.at(0).rungs.at(0).speed);
  context = {};
  EXPECT_FALSE(ThresholdsOf(OneRung(), Graded({RightOne(0, 0, 1)}), context).labs.at(0).rungs.at(0).speed);
}

TEST(ThresholdsTest, ResultsOfOtherRulesAreCountedAndScoredByTheRulesOfNow) {
  config::Course stricter = OneRung();
  stricter.labs[0].rungs[0].technique_limits[0].bounds.max = 0.5;
  const ClassSpread spread = ThresholdsOf(stricter, Graded({RightOne(0.7, 0, 300), RightOne(0, 0, 300)}), OnGpu());
  EXPECT_EQ(spread.other_rules, 1u);
  EXPECT_EQ(spread.totals[0], Whole(8));
  EXPECT_EQ(spread.totals[1], Whole(10));
}

TEST(ThresholdsTest, OldResultsHaveTheValuesInTheirLimitsAlone) {
  GradingReport report = Graded({RightOne(3, 5, 300)});
  RungMeasurement& measurement = report.submissions[0].labs[0].rungs[0].measurement;
  measurement.metrics.clear();
  measurement.technique_measured = false;
  const ClassSpread spread = ThresholdsOf(OneRung(), report, OnGpu());
  EXPECT_EQ(spread.labs.at(0).rungs.at(0).limits[0].samples.at(0).value, 3);
  EXPECT_TRUE(spread.labs[0].rungs[0].limits[0].samples[0].others_hold);
}

TEST(ThresholdsTest, WhoHandedNothingInHasNoTotalAndAnEmptyClassHasNoLabs) {
  GradingReport report = Graded({RightOne(0, 0, 300)});
  report.submissions.push_back(ScoreSubmission("nobody", {}));
  const ClassSpread spread = ThresholdsOf(OneRung(), report, OnGpu());
  ASSERT_THAT(spread.totals, SizeIs(2));
  EXPECT_EQ(spread.totals[0], Whole(10));
  EXPECT_EQ(spread.totals[1], std::nullopt);
  EXPECT_THAT(ThresholdsOf(OneRung(), {}, OnGpu()).labs, IsEmpty());
}

}  // namespace
}  // namespace warpgrade::score
