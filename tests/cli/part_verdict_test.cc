#include "grader/cli/part_verdict.h"

#include <gtest/gtest.h>

#include "grader/cli/exit_code.h"

namespace warpgrade::cli {
namespace {

using config::Points;
using score::RungScore;
using score::RungStatus;

RungScore Right() {
  RungScore rung;
  rung.rung = "v1";
  rung.measurement.status = RungStatus::kPassed;
  for (const char* metric : {"a", "b"}) {
    rung.technique.emplace_back().metric = metric;
    rung.technique.back().passed = true;
  }
  rung.points = Points::FromHundredths(800);
  rung.measurable_points = Points::FromHundredths(1000);
  return rung;
}

RungScore ScoreWithStatus(RungStatus status) {
  RungScore rung = Right();
  rung.measurement.status = status;
  return rung;
}

TEST(PartVerdictTest, ARightRungPasses) {
  const PartVerdict verdict = JudgePart(Right(), Part::kTechnique);
  EXPECT_EQ(verdict.exit_code, 0);
  EXPECT_EQ(verdict.record.outcome, Outcome::kPassed);
  EXPECT_EQ(verdict.record.points, Points::FromHundredths(800));
  EXPECT_EQ(verdict.record.max_points, Points::FromHundredths(1000));
}

TEST(PartVerdictTest, NotWrittenYetIsSkippedWhateverThePart) {
  for (const Part part : {Part::kCorrectness, Part::kTechnique, Part::kThroughput}) {
    const PartVerdict verdict = JudgePart(ScoreWithStatus(RungStatus::kNotWritten), part);
    EXPECT_EQ(verdict.exit_code, kTestSkipped);
    EXPECT_EQ(verdict.text, "not written yet");
    EXPECT_EQ(verdict.record.outcome, Outcome::kNotWritten);
  }
}

TEST(PartVerdictTest, AWrongRungFailsWhateverItsTechnique) {
  for (const RungStatus status : {RungStatus::kFailed, RungStatus::kCompileError, RungStatus::kTimeout,
                                  RungStatus::kCrashed, RungStatus::kLimit, RungStatus::kMissing}) {
    EXPECT_EQ(JudgePart(ScoreWithStatus(status), Part::kTechnique).exit_code, 1) << score::Name(status);
  }
}

TEST(PartVerdictTest, OneMissedLimitFailsTheTechnique) {
  RungScore rung = Right();
  rung.technique[1].passed = false;
  const PartVerdict verdict = JudgePart(rung, Part::kTechnique);
  EXPECT_EQ(verdict.exit_code, 1);
  EXPECT_EQ(verdict.text, "MISSED");
  EXPECT_EQ(JudgePart(rung, Part::kCorrectness).exit_code, 0) << "its answers are right";
}

TEST(PartVerdictTest, ThroughputThatWasNotMeasuredIsSkippedWithTheReason) {
  RungScore rung = Right();
  rung.measurement.throughput.reason = "no GPU";
  const PartVerdict verdict = JudgePart(rung, Part::kThroughput);
  EXPECT_EQ(verdict.exit_code, kTestSkipped);
  EXPECT_EQ(verdict.record.note, "skipped: no GPU");
}

TEST(PartVerdictTest, ThroughputPassesOnlyWithAllItsPoints) {
  RungScore rung = Right();
  rung.measurement.throughput.status = score::ThroughputMeasurement::Status::kMeasured;
  rung.throughput_measurable = true;
  rung.throughput_max = Points::FromHundredths(300);
  rung.throughput_points = Points::FromHundredths(300);
  EXPECT_EQ(JudgePart(rung, Part::kThroughput).exit_code, 0);
  rung.throughput_points = Points::FromHundredths(299);
  EXPECT_EQ(JudgePart(rung, Part::kThroughput).exit_code, 1);
}

TEST(PartVerdictTest, AGpuThatTheCourseHasNoScaleForIsSkipped) {
  RungScore rung = Right();
  rung.measurement.throughput.status = score::ThroughputMeasurement::Status::kMeasured;
  EXPECT_EQ(JudgePart(rung, Part::kThroughput).exit_code, kTestSkipped);
}

}  // namespace
}  // namespace warpgrade::cli
