#include "grader/score/score.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace warpgrade::score {
namespace {

using config::Points;

Points P(double points) { return Points::FromHundredths(std::llround(points * 100)); }

// 8 for correctness, 1 for each of two limits, 2 for throughput: 100 to 300 GB/s on h200, half a copy elsewhere.
config::Rung ARung() {
  config::Rung rung;
  rung.name = "v1";
  rung.correctness = P(8);
  rung.technique = P(2);
  rung.throughput = P(2);
  rung.technique_limits.push_back({{"shared_bank_conflicts", std::nullopt, 0.0}, P(0.5), {}});
  rung.technique_limits.push_back({{"global_load_efficiency", 0.9, std::nullopt}, P(1.5), {}});
  rung.throughput_scales["h200"].zero = 100;
  rung.throughput_scales["h200"].full = 300;
  rung.throughput_scales["any"].unit = config::ThroughputScale::Unit::kShareOfCopy;
  rung.throughput_scales["any"].steps = {{0.5, P(2)}};
  return rung;
}

RungMeasurement Right() {
  RungMeasurement measurement;
  measurement.cases = measurement.cases_passed = 12;
  measurement.technique_measured = true;
  measurement.metrics = {{"shared_bank_conflicts", 0}, {"global_load_efficiency", 1}};
  return measurement;
}

RungMeasurement RightAndTimed(double gb_s) {
  RungMeasurement measurement = Right();
  measurement.throughput.status = ThroughputMeasurement::Status::kMeasured;
  measurement.throughput.value = gb_s;
  measurement.throughput.ceiling = 4000;
  return measurement;
}

const ScoringContext kEmulator{false, "", {{"shared_bank_conflicts", "conflicts per request"}}};
const ScoringContext kH200{true, "h200", {}};
const ScoringContext kOtherGpu{true, "", {}};

TEST(ScoreTest, ARightRungOnTheEmulatorHasAllButThroughput) {
  const RungScore score = ScoreRung(ARung(), Right(), kEmulator);
  EXPECT_EQ(score.correctness_points, P(8));
  EXPECT_EQ(score.technique_points, P(2));
  EXPECT_EQ(score.throughput_points, P(0));
  EXPECT_EQ(score.throughput_max, P(2));
  EXPECT_FALSE(score.throughput_measurable);
  EXPECT_EQ(score.points, P(10));
  EXPECT_EQ(score.max_points, P(12));
  EXPECT_EQ(score.measurable_points, P(10));
}

TEST(ScoreTest, TheEmulatorNeverEarnsThroughputWhateverIsMeasured) {
  const RungScore score = ScoreRung(ARung(), RightAndTimed(9000), kEmulator);
  EXPECT_EQ(score.throughput_points, P(0));
  EXPECT_EQ(score.measurable_points, P(10));
}

TEST(ScoreTest, TheTargetsScaleCountsOnTheTarget) {
  const RungScore score = ScoreRung(ARung(), RightAndTimed(200), kH200);
  EXPECT_EQ(score.throughput_points, P(1));
  EXPECT_EQ(score.points, P(11));
  EXPECT_EQ(score.measurable_points, P(12));
  EXPECT_TRUE(score.throughput_measurable);
}

TEST(ScoreTest, TheShareOfACopyCountsOnAnotherGpu) {
  EXPECT_EQ(ScoreRung(ARung(), RightAndTimed(2000), kOtherGpu).throughput_points, P(2));
  EXPECT_EQ(ScoreRung(ARung(), RightAndTimed(1999), kOtherGpu).throughput_points, P(0));
}

TEST(ScoreTest, AShareOfTheSolutionCannotBeEarnedWhereTheSolutionWasNotTimed) {
  config::Rung rung = ARung();
  rung.throughput_scales["any"].unit = config::ThroughputScale::Unit::kShareOfSolution;
  RungMeasurement timed = RightAndTimed(2000);
  const RungScore alone = ScoreRung(rung, timed, kOtherGpu);
  EXPECT_EQ(alone.throughput_points, P(0));
  EXPECT_FALSE(alone.throughput_measurable);
  EXPECT_EQ(alone.measurable_points, P(10));
  ASSERT_EQ(alone.measurement.messages.size(), 1);
  EXPECT_NE(alone.measurement.messages[0].find("this kit has no solution, so 2 points for throughput cannot"),
            std::string::npos);
  rung.throughput = P(1);
  EXPECT_NE(ScoreRung(rung, timed, kOtherGpu).measurement.messages[0].find("so 1 point for"), std::string::npos);
  rung.throughput = P(2);
  timed.throughput.ceiling_of = ThroughputMeasurement::Ceiling::kSolution;
  timed.throughput.ceiling = 2000;
  const RungScore in_pairs = ScoreRung(rung, timed, kOtherGpu);
  EXPECT_EQ(in_pairs.throughput_points, P(2));
  EXPECT_EQ(in_pairs.measurable_points, P(12));
  EXPECT_TRUE(in_pairs.measurement.messages.empty());
}

TEST(ScoreTest, AGpuWithoutAScaleLeavesThroughputOut) {
  config::Rung rung = ARung();
  rung.throughput_scales.erase("any");
  const RungScore score = ScoreRung(rung, RightAndTimed(2000), kOtherGpu);
  EXPECT_EQ(score.throughput_points, P(0));
  EXPECT_EQ(score.measurable_points, P(10));
  EXPECT_EQ(score.max_points, P(12));
  EXPECT_EQ(score.measurement.messages,
            (std::vector<std::string>{"course.yaml has no throughput scale for this GPU, so 2 points for "
                                      "throughput cannot be earned here"}));
}

TEST(ScoreTest, ARightRungThatWasNotTimedLeavesThroughputOut) {
  EXPECT_EQ(ScoreRung(ARung(), Right(), kH200).measurable_points, P(10));
}

TEST(ScoreTest, AWrongRungThatWasNotTimedCouldHaveEarnedItsThroughput) {
  RungMeasurement wrong = Right();
  wrong.status = RungStatus::kFailed;
  EXPECT_EQ(ScoreRung(ARung(), wrong, kH200).measurable_points, P(12));
  EXPECT_EQ(ScoreRung(ARung(), wrong, kEmulator).measurable_points, P(10));
}

TEST(ScoreTest, AFlaggedTimingEarnsNothingButCouldHave) {
  RungMeasurement flagged = RightAndTimed(9000);
  flagged.throughput.status = ThroughputMeasurement::Status::kFlagged;
  const RungScore score = ScoreRung(ARung(), flagged, kH200);
  EXPECT_EQ(score.throughput_points, P(0));
  EXPECT_EQ(score.measurable_points, P(12));
}

TEST(ScoreTest, EachLimitIsMetOrMissedOnItsOwn) {
  RungMeasurement measurement = Right();
  measurement.metrics["shared_bank_conflicts"] = 31;
  const RungScore score = ScoreRung(ARung(), measurement, kEmulator);
  ASSERT_EQ(score.technique.size(), 2u);
  EXPECT_FALSE(score.technique[0].passed);
  EXPECT_EQ(score.technique[0].value, 31);
  EXPECT_EQ(score.technique[0].limit, "<= 0");
  EXPECT_EQ(score.technique[0].unit, "conflicts per request");
  EXPECT_EQ(score.technique[0].points, P(0));
  EXPECT_EQ(score.technique[0].max_points, P(0.5));
  EXPECT_TRUE(score.technique[1].passed);
  EXPECT_EQ(score.technique[1].limit, ">= 0.9");
  EXPECT_EQ(score.technique[1].points, P(1.5));
  EXPECT_EQ(score.points, P(9.5));
}

TEST(ScoreTest, ALimitMustHoldOverAllThatRanAndOverTheWorkOfTheAnswer) {
  RungMeasurement measurement = Right();
  measurement.answer_metrics["global_load_efficiency"] = 0.5;
  RungScore score = ScoreRung(ARung(), measurement, kEmulator);
  EXPECT_FALSE(score.technique[1].passed) << "what met the limit was a decoy";
  EXPECT_EQ(score.technique[1].value, 0.5);
  EXPECT_TRUE(score.technique[0].passed);
  measurement.answer_metrics["global_load_efficiency"] = 0.95;
  EXPECT_TRUE(ScoreRung(ARung(), measurement, kEmulator).technique[1].passed);
  measurement.metrics["global_load_efficiency"] = 0.8;
  score = ScoreRung(ARung(), measurement, kEmulator);
  EXPECT_FALSE(score.technique[1].passed) << "useless work costs what it costs";
  EXPECT_EQ(score.technique[1].value, 0.8);
}

TEST(ScoreTest, ALimitIsInclusive) {
  RungMeasurement measurement = Right();
  measurement.metrics["global_load_efficiency"] = 0.9;
  EXPECT_TRUE(ScoreRung(ARung(), measurement, kEmulator).technique[1].passed);
}

TEST(ScoreTest, ALimitWithBothEndsMustMeetBoth) {
  config::Rung rung = ARung();
  rung.technique_limits[0].bounds.min = -1;
  EXPECT_EQ(ScoreRung(rung, Right(), kEmulator).technique[0].limit, ">= -1 and <= 0");
  EXPECT_TRUE(ScoreRung(rung, Right(), kEmulator).technique[0].passed);
  RungMeasurement below = Right();
  below.metrics["shared_bank_conflicts"] = -2;
  EXPECT_FALSE(ScoreRung(rung, below, kEmulator).technique[0].passed);
}

TEST(ScoreTest, ALimitIsMissedWhereWhatItIsProvidedWithDoesNotHold) {
  config::Rung rung = ARung();
  rung.technique_limits[0].provided = {{"threads", std::nullopt, 131840}, {"shared_wavefronts", 1, std::nullopt}};
  RungMeasurement measurement = Right();
  measurement.metrics["threads"] = 131840;
  measurement.metrics["shared_wavefronts"] = 1;
  EXPECT_EQ(ScoreRung(rung, measurement, kEmulator).technique[0].points, P(0.5));

  measurement.metrics["threads"] = 131841;
  RungScore score = ScoreRung(rung, measurement, kEmulator);
  EXPECT_FALSE(score.technique[0].passed);
  EXPECT_EQ(score.technique[0].points, P(0));
  EXPECT_EQ(score.technique[0].value, 0);
  ASSERT_EQ(score.technique[0].provided.size(), 2u);
  EXPECT_EQ(score.technique[0].provided[0].metric, "threads");
  EXPECT_EQ(score.technique[0].provided[0].limit, "<= 131840");
  EXPECT_EQ(score.technique[0].provided[0].value, 131841);
  EXPECT_FALSE(score.technique[0].provided[0].passed);
  EXPECT_TRUE(score.technique[0].provided[0].is_above);
  EXPECT_TRUE(score.technique[0].provided[1].passed);
  EXPECT_FALSE(score.technique[0].provided[1].is_above);
  EXPECT_TRUE(score.technique[1].passed) << "each limit stands on its own";

  measurement.metrics["threads"] = 1;
  measurement.metrics.erase("shared_wavefronts");  // nobody knows
  EXPECT_FALSE(ScoreRung(rung, measurement, kEmulator).technique[0].passed);
}

TEST(ScoreTest, CountsAreWithinTheBoundsOfTechniqueIfAndOnlyIfTheyGetAllOfItsPoints) {
  config::Rung rung = ARung();
  rung.technique_limits[1].provided.push_back({"instructions", std::nullopt, 1000.0});
  rung.technique_limits.push_back({{"launches", std::nullopt, 1.0}, P(0), {}});  // only shown
  const std::vector<config::MetricBounds> bounds = BoundsOfTechnique(rung);
  RungMeasurement right = Right();
  right.metrics["instructions"] = 1000;
  right.metrics["launches"] = 5;
  EXPECT_TRUE(AreWithin(bounds, right));
  EXPECT_EQ(ScoreRung(rung, right, kEmulator).technique_points, rung.technique);
  for (const auto& [metric, value] :
       {std::pair{"shared_bank_conflicts", 0.1}, {"global_load_efficiency", 0.8}, {"instructions", 1001.0}}) {
    RungMeasurement misses = right;
    misses.metrics[metric] = value;
    EXPECT_FALSE(AreWithin(bounds, misses)) << metric;
    EXPECT_LT(ScoreRung(rung, misses, kEmulator).technique_points, rung.technique) << metric;
  }
  right.technique_measured = false;
  EXPECT_FALSE(AreWithin(bounds, right));
  EXPECT_TRUE(AreWithin({}, right));
}

TEST(ScoreTest, AMetricThatIsAbsentOrNoNumberMeetsNothing) {
  RungMeasurement measurement = Right();
  measurement.metrics.erase("shared_bank_conflicts");
  measurement.metrics["global_load_efficiency"] = std::nan("");
  RungScore score = ScoreRung(ARung(), measurement, kEmulator);
  EXPECT_EQ(score.technique[0].value, std::nullopt);
  EXPECT_FALSE(score.technique[0].passed);
  EXPECT_FALSE(score.technique[1].passed);
  EXPECT_EQ(score.technique_points, P(0));

  measurement.metrics["global_load_efficiency"] = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(ScoreRung(ARung(), measurement, kEmulator).technique[1].passed);
}

TEST(ScoreTest, TechniqueThatWasNotMeasuredEarnsNothing) {
  RungMeasurement measurement = Right();
  measurement.technique_measured = false;
  const RungScore score = ScoreRung(ARung(), measurement, kEmulator);
  EXPECT_EQ(score.technique[0].value, std::nullopt);
  EXPECT_EQ(score.points, P(8));
}

// Each of these costs all points of the rung, of every kind.
TEST(ScoreTest, AnythingWrongCostsTheWholeRung) {
  std::vector<RungMeasurement> wrongs;
  for (const RungStatus status :
       {RungStatus::kFailed, RungStatus::kNotWritten, RungStatus::kCompileError, RungStatus::kTimeout,
        RungStatus::kCrashed, RungStatus::kLimit, RungStatus::kRefused, RungStatus::kMissing}) {
    wrongs.push_back(RightAndTimed(9000));
    wrongs.back().status = status;
  }
  wrongs.push_back(RightAndTimed(9000));
  wrongs.back().cases_passed = 11;
  wrongs.push_back(RightAndTimed(9000));
  wrongs.back().cases = wrongs.back().cases_passed = 0;
  wrongs.push_back(RightAndTimed(9000));
  wrongs.back().findings.push_back({});
  wrongs.push_back(RightAndTimed(9000));
  wrongs.back().failures.push_back({});
  for (const RungMeasurement& wrong : wrongs) {
    const RungScore score = ScoreRung(ARung(), wrong, kH200);
    EXPECT_EQ(score.points, P(0)) << Name(wrong.status);
    EXPECT_EQ(score.correctness_points + score.technique_points + score.throughput_points, P(0));
    EXPECT_EQ(score.max_points, P(12));
    EXPECT_NE(score.measurement.status, RungStatus::kPassed);
  }
}

TEST(ScoreTest, AFindingTurnsPassedIntoFailed) {
  RungMeasurement race = Right();
  race.findings.push_back({});
  EXPECT_EQ(ScoreRung(ARung(), race, kEmulator).measurement.status, RungStatus::kFailed);
}

TEST(ScoreTest, ALabSumsItsRungsInTheirOrder) {
  config::Lab lab;
  lab.name = "lab1";
  lab.title = "Reduction";
  lab.rungs = {ARung(), ARung()};
  lab.rungs[1].name = "v2";
  const LabScore score = ScoreLab(lab, {{"v1", Right()}}, kEmulator);
  EXPECT_EQ(score.lab, "lab1");
  EXPECT_EQ(score.title, "Reduction");
  ASSERT_EQ(score.rungs.size(), 2u);
  EXPECT_EQ(score.rungs[0].rung, "v1");
  EXPECT_EQ(score.rungs[1].measurement.status, RungStatus::kMissing);
  EXPECT_EQ(score.points, P(10));
  EXPECT_EQ(score.max_points, P(24));
  EXPECT_EQ(score.measurable_points, P(20));

  const SubmissionScore submission = ScoreSubmission("s1042", {score, score});
  EXPECT_EQ(submission.id, "s1042");
  EXPECT_EQ(submission.points, P(20));
  EXPECT_EQ(submission.max_points, P(48));
  EXPECT_EQ(submission.measurable_points, P(40));
}

TEST(ScoreTest, AQuizIsWorthItsShareOfRightAnswers) {
  RungMeasurement measurement;
  measurement.status = RungStatus::kFailed;
  measurement.cases = 6;
  measurement.cases_passed = 2;
  const RungScore quiz = ScoreQuiz(Points::FromHundredths(1000), measurement);
  EXPECT_EQ(quiz.rung, "quiz");
  EXPECT_EQ(quiz.points.ToString(), "3.33");
  EXPECT_EQ(quiz.measurable_points.ToString(), "10") << "on any device";
  LabScore lab;
  AddRung(quiz, &lab);
  AddRung(quiz, &lab);
  EXPECT_EQ(lab.points.ToString(), "6.66");
  EXPECT_EQ(lab.max_points.ToString(), "20");
}

TEST(ScoreTest, AQuizWithoutQuestionsOrWithTooManyAnswersIsWorthNothing) {
  RungMeasurement measurement;
  EXPECT_EQ(ScoreQuiz(Points::FromHundredths(1000), measurement).points, Points());
  measurement.cases = 2;
  measurement.cases_passed = 3;
  EXPECT_EQ(ScoreQuiz(Points::FromHundredths(1000), measurement).points, Points());
}

TEST(ScoreTest, AThousandTenthsAreAHundred) {
  config::Lab lab;
  std::map<std::string, RungMeasurement> measurements;
  for (int i = 0; i < 1000; ++i) {
    config::Rung rung;
    rung.name = "v" + std::to_string(i);
    rung.correctness = P(0.1);
    lab.rungs.push_back(rung);
    measurements[rung.name] = Right();
  }
  EXPECT_EQ(ScoreLab(lab, measurements, kEmulator).points, P(100));
}

TEST(ScoreTest, StatusesHaveTheNamesOfTheJson) {
  EXPECT_STREQ(Name(RungStatus::kPassed), "passed");
  EXPECT_STREQ(Name(RungStatus::kFailed), "failed");
  EXPECT_STREQ(Name(RungStatus::kNotWritten), "not_written");
  EXPECT_STREQ(Name(RungStatus::kCompileError), "compile_error");
  EXPECT_STREQ(Name(RungStatus::kTimeout), "timeout");
  EXPECT_STREQ(Name(RungStatus::kCrashed), "crashed");
  EXPECT_STREQ(Name(RungStatus::kLimit), "limit");
  EXPECT_STREQ(Name(RungStatus::kRefused), "refused");
  EXPECT_STREQ(Name(RungStatus::kMissing), "missing");
}

}  // namespace
}  // namespace warpgrade::score
