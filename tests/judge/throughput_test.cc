#include "grader/judge/throughput.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/judge/fake/fake_rung.h"

namespace warpgrade::judge {
namespace {

using fake::FakeRung;
using score::RungStatus;
using score::ThroughputMeasurement;
using testing::HasSubstr;

// Few samples, and empty calls however long: these tests are about what is measured, on a machine however busy.
TimingRule FewSamples() {
  TimingRule rule;
  rule.max_overhead_ns = rule.max_overhead_spread_ns = 1e12;
  rule.min_samples = 3;
  rule.max_samples = 3;
  return rule;
}

TEST(ThroughputTest, TimesAnHonestRungBesideTheCopyOfTheSameSession) {
  FakeRung rung("honest");
  rung.Start();
  score::RungMeasurement m;
  ASSERT_TRUE(MeasureThroughput(rung.context(), FewSamples(), &m).ok());
  EXPECT_EQ(m.status, RungStatus::kPassed);
  EXPECT_EQ(m.cases, 1);
  EXPECT_EQ(m.cases_passed, 1);
  // Measured or flagged: a busy machine may set the fake events and the clock apart.
  ASSERT_NE(m.throughput.status, ThroughputMeasurement::Status::kNotMeasured) << m.throughput.reason;
  EXPECT_EQ(m.throughput.samples, 3);
  EXPECT_EQ(m.throughput.ceiling, 100.0);
  EXPECT_GT(m.throughput.value, 0);
  EXPECT_EQ(rung.device.copies, 3);
  EXPECT_GT(rung.device.flushes, 3);  // before every empty call and every sample
  EXPECT_EQ(rung.device.live_buffers, 0);
}

TEST(ThroughputTest, EventsThatDisagreeWithTheJudgesClockAreFlagged) {
  FakeRung rung("lies_about_time");
  rung.Start();
  score::RungMeasurement m;
  ASSERT_TRUE(MeasureThroughput(rung.context(), FewSamples(), &m).ok());
  EXPECT_EQ(m.throughput.status, ThroughputMeasurement::Status::kFlagged);
  EXPECT_THAT(m.throughput.reason, HasSubstr("the worker's events say 1.0 us"));
}

TEST(ThroughputTest, AnAnswerThatIsRememberedIsCaughtWhileTiming) {
  FakeRung rung("remembers");
  rung.Start();
  score::RungMeasurement m;
  ASSERT_TRUE(MeasureThroughput(rung.context(), FewSamples(), &m).ok());
  EXPECT_EQ(m.status, RungStatus::kFailed);
  EXPECT_EQ(m.cases_passed, 0);
  EXPECT_EQ(m.throughput.status, ThroughputMeasurement::Status::kNotMeasured);
  ASSERT_FALSE(m.failures.empty());
}

TEST(ThroughputTest, AWrongRungIsNotTimed) {
  FakeRung rung("does_nothing");
  rung.Start();
  score::RungMeasurement m;
  ASSERT_TRUE(MeasureThroughput(rung.context(), FewSamples(), &m).ok());
  EXPECT_EQ(m.status, RungStatus::kFailed);
  EXPECT_EQ(rung.device.copies, 0);
}

Case Moving(uint64_t bytes) {
  Case c;
  c.bytes_moved = bytes;
  return c;
}

TEST(SummariseTest, GivesMedianSpreadAndCeiling) {
  TimedSamples samples;
  samples.judge_ns = {900e3, 1000e3, 1100e3};
  samples.event_ns = {900e3, 1000e3, 1100e3};
  samples.ceilings_gb_s = {4000, 4200, 4100};
  const ThroughputMeasurement t = Summarise(samples, Moving(2'000'000'000));
  EXPECT_EQ(t.status, ThroughputMeasurement::Status::kMeasured);
  EXPECT_DOUBLE_EQ(t.value, 2000);
  EXPECT_EQ(t.unit, "GB/s");
  EXPECT_DOUBLE_EQ(t.spread_percent, 5);
  EXPECT_EQ(t.samples, 3);
  EXPECT_EQ(t.ceiling, 4100.0);
  EXPECT_EQ(t.reason, "");
}

TEST(SummariseTest, CountsOperationsWhereTheCaseStatesThem) {
  TimedSamples samples;
  samples.judge_ns = samples.event_ns = {1000e3};
  samples.ceilings_gb_s = {4000};
  Case c = Moving(2'000'000'000);
  c.flops = 50'000'000'000;
  const ThroughputMeasurement t = Summarise(samples, c);
  EXPECT_DOUBLE_EQ(t.value, 50'000);
  EXPECT_EQ(t.unit, "GFLOP/s");
}

TEST(SummariseTest, FlagsAWorkerWhoseEventsDisagree) {
  TimedSamples samples;
  samples.judge_ns = {1000e3};
  samples.event_ns = {800e3};
  samples.ceilings_gb_s = {4000};
  const ThroughputMeasurement t = Summarise(samples, Moving(2'000'000'000));
  EXPECT_EQ(t.status, ThroughputMeasurement::Status::kFlagged);
  EXPECT_THAT(t.reason, HasSubstr("1000.0 us"));
  EXPECT_THAT(t.reason, HasSubstr("800.0 us"));
}

}  // namespace
}  // namespace warpgrade::judge
