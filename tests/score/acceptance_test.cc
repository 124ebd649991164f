#include "grader/score/acceptance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "grader/score/score.h"

namespace warpgrade::score {
namespace {

using config::Points;
using testing::HasSubstr;

// 8 for correctness, 4 for 1000 to 2000 GB/s on an h200.
config::Rung AOnePassRung() {
  config::Rung rung;
  rung.name = "v9_one_pass";
  rung.correctness = Points::FromHundredths(800);
  rung.throughput = Points::FromHundredths(400);
  rung.throughput_scales["h200"].zero = 1000;
  rung.throughput_scales["h200"].full = 2000;
  return rung;
}

// As grading leaves it: more than the 4800 GB/s that are possible, or what else is given.
RungScore Flagged(double gb_s = 4900) {
  RungMeasurement measurement;
  measurement.cases = measurement.cases_passed = 12;
  measurement.throughput.status = ThroughputMeasurement::Status::kFlagged;
  measurement.throughput.value = gb_s;
  measurement.throughput.reason = "too fast to be true";
  return ScoreRung(AOnePassRung(), measurement, {.on_gpu = true, .target_id = "h200", .metric_units = {}, .peaks = {}});
}

const Acceptance kByAda{"ada", "2026-11-22T10:15:00Z", "ran it by hand"};

std::string Refusal(const config::Rung& rung, RungScore score, const std::string& target = "h200") {
  const Points before = score.points;
  const Result<Points> gained = AcceptFlagged(rung, target, kByAda, &score);
  EXPECT_FALSE(gained);
  if (gained) return "";
  EXPECT_EQ(gained.error().kind, ErrorKind::kUsage);
  EXPECT_EQ(score.points, before);
  return gained.error().message;
}

TEST(AcceptanceTest, GivesThePointsOfTheMeasuredSpeed) {
  RungScore score = Flagged();
  ASSERT_EQ(score.points.ToString(), "8");
  const Result<Points> gained = AcceptFlagged(AOnePassRung(), "h200", kByAda, &score);
  ASSERT_TRUE(gained) << gained.error().message;
  EXPECT_EQ(gained->ToString(), "4");
  EXPECT_EQ(score.points.ToString(), "12");
  EXPECT_EQ(score.throughput_points.ToString(), "4");
  const ThroughputMeasurement& throughput = score.measurement.throughput;
  EXPECT_EQ(throughput.status, ThroughputMeasurement::Status::kMeasured);
  EXPECT_EQ(throughput.reason, "too fast to be true") << "why it was flagged stays";
  ASSERT_TRUE(throughput.accepted);
  EXPECT_EQ(throughput.accepted->by, "ada");
  EXPECT_EQ(throughput.accepted->when, "2026-11-22T10:15:00Z");
  EXPECT_EQ(throughput.accepted->because, "ran it by hand");
}

// The worker's clock and the judge's disagreed about a middling speed: accepted does not mean full marks.
TEST(AcceptanceTest, GivesNoMoreThanTheSpeedEarns) {
  RungScore score = Flagged(1250);
  const Result<Points> gained = AcceptFlagged(AOnePassRung(), "h200", kByAda, &score);
  ASSERT_TRUE(gained);
  EXPECT_EQ(gained->ToString(), "1");
}

TEST(AcceptanceTest, RefusesWhatIsNotFlagged) {
  RungScore measured = Flagged(), unmeasured = Flagged(), accepted = Flagged();
  measured.measurement.throughput.status = ThroughputMeasurement::Status::kMeasured;
  unmeasured.measurement.throughput.status = ThroughputMeasurement::Status::kNotMeasured;
  ASSERT_TRUE(AcceptFlagged(AOnePassRung(), "h200", kByAda, &accepted));
  EXPECT_EQ(Refusal(AOnePassRung(), measured), "v9_one_pass is not flagged: its speed counts as it is");
  EXPECT_EQ(Refusal(AOnePassRung(), unmeasured), "v9_one_pass is not flagged: it has no speed");
  EXPECT_EQ(Refusal(AOnePassRung(), accepted), "v9_one_pass was accepted already, by ada at 2026-11-22T10:15:00Z");
}

TEST(AcceptanceTest, RefusesAWrongRungAndASpeedThatIsNone) {
  RungScore wrong = Flagged();
  wrong.measurement.status = RungStatus::kFailed;
  EXPECT_THAT(Refusal(AOnePassRung(), wrong), HasSubstr("is not right"));
  EXPECT_THAT(Refusal(AOnePassRung(), Flagged(std::nan(""))), HasSubstr("has no speed that could be accepted"));
}

TEST(AcceptanceTest, RefusesAnotherCourseThanItWasGradedBy) {
  config::Rung cheaper = AOnePassRung();
  cheaper.throughput = Points::FromHundredths(250);
  EXPECT_EQ(Refusal(cheaper, Flagged()),
            "v9_one_pass has 4 throughput points in the report and 2.5 in course.yaml; name the course.yaml that it "
            "was graded by");
  EXPECT_THAT(Refusal(AOnePassRung(), Flagged(), "a100"), HasSubstr("has no throughput scale for this GPU"));
}

}  // namespace
}  // namespace warpgrade::score
