#include "grader/judge/size_sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/judge/fake/fake_rung.h"
#include "tests/judge/fake/timing_rules.h"

namespace warpgrade::judge {
namespace {

using fake::FakeRung;
using fake::FewSamples;
using fake::Unbounded;
using score::RungStatus;
using score::ThroughputMeasurement;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<uint64_t> SizesOf(const score::RungMeasurement& m) {
  std::vector<uint64_t> sizes;
  for (const score::SizeMeasurement& size : m.sizes) sizes.push_back(size.elements);
  return sizes;
}

TEST(SizeSweepTest, EverySizeIsTimedByOneWorkerAndComesBackInAscendingOrder) {
  FakeRung rung("honest");
  rung.Start();
  score::RungMeasurement m;
  SweepClock clock(0, RawNanoseconds);
  const Status timed =
      TimeSizes(rung.context(), Unbounded(rung.calibrator()), {1024, 2048, 4096}, FewSamples(), &clock, &m);
  ASSERT_TRUE(timed.ok()) << timed.error().message;
  EXPECT_EQ(m.status, RungStatus::kPassed);
  EXPECT_THAT(SizesOf(m), ElementsAre(1024, 2048, 4096));
  for (const score::SizeMeasurement& size : m.sizes) {
    // A fake call of microseconds may be too short for the clock.
    if (size.clock_error_percent > 50) {
      EXPECT_THAT(size.throughput.reason, HasSubstr("too short for the grader's clock"));
      continue;
    }
    EXPECT_EQ(size.throughput.samples, 3);
    EXPECT_GT(size.throughput.value, 0);
    EXPECT_GT(size.clock_error_percent, 0);
  }
  EXPECT_EQ(rung.device.live_buffers, 0);
}

TEST(SizeSweepTest, AWrongAnswerFailsTheRungAndEndsTheSweep) {
  FakeRung rung("wrong_tail");
  rung.Start();
  score::RungMeasurement m;
  SweepClock clock(0, RawNanoseconds);
  ASSERT_TRUE(TimeSizes(rung.context(), Unbounded(rung.calibrator()), {1024, 2048}, FewSamples(), &clock, &m).ok());
  EXPECT_EQ(m.status, RungStatus::kFailed);
  EXPECT_TRUE(m.sizes.empty());
  EXPECT_EQ(m.cases, 1);
}

TEST(SizeSweepTest, ASizeThatDoesNotFitIntoMemoryIsLeftOutWithTheReason) {
  FakeRung rung("honest");
  constexpr uint64_t kTooMany = uint64_t{1} << 25;  // the fake device has 64 MiB
  rung.Start();
  score::RungMeasurement m;
  SweepClock clock(0, RawNanoseconds);
  ASSERT_TRUE(TimeSizes(rung.context(), Unbounded(rung.calibrator()), {1024, kTooMany}, FewSamples(), &clock, &m).ok());
  ASSERT_THAT(SizesOf(m), ElementsAre(1024, kTooMany));
  EXPECT_GT(m.sizes[0].clock_error_percent, 0) << "it was timed";
  EXPECT_EQ(m.sizes[1].throughput.status, ThroughputMeasurement::Status::kNotMeasured);
  EXPECT_EQ(m.sizes[1].clock_error_percent, 0);
  EXPECT_NE(m.sizes[1].throughput.reason, "");
}

TEST(SizeSweepTest, WhereTheGpuCannotReachHostMemorySizesAreLeftOutWithTheReason) {
  FakeRung rung("honest");
  rung.lab.place = BufferSpec::Place::kLockedHost;
  rung.device.views_host = false;
  rung.Start();
  score::RungMeasurement m;
  SweepClock clock(0, RawNanoseconds);
  ASSERT_TRUE(TimeSizes(rung.context(), Unbounded(rung.calibrator()), {1024}, FewSamples(), &clock, &m).ok());
  ASSERT_THAT(SizesOf(m), ElementsAre(1024));
  EXPECT_EQ(m.sizes[0].throughput.status, ThroughputMeasurement::Status::kNotMeasured);
  EXPECT_THAT(m.sizes[0].throughput.reason, HasSubstr("the GPU cannot reach d_in in host memory"));
}

TEST(SizeSweepTest, WithoutTimeSizesAreLeftOutAndSaySo) {
  FakeRung rung("honest");
  rung.Start();
  score::RungMeasurement m;
  int64_t now = 0;
  SweepClock clock(100, [&now] { return now; });
  now = 200;
  ASSERT_TRUE(TimeSizes(rung.context(), Unbounded(rung.calibrator()), {1024}, FewSamples(), &clock, &m).ok());
  ASSERT_EQ(m.sizes.size(), 1u);
  EXPECT_THAT(m.sizes[0].throughput.reason, HasSubstr("no time was left"));
  EXPECT_EQ(m.cases, 0);
}

TEST(SizeSweepTest, ASizeIsTimedOnlyIfTheNextLargerOneWouldStillFit) {
  int64_t now = 0;
  SweepClock clock(1000, [&now] { return now; });
  EXPECT_TRUE(clock.HasTimeFor(64));
  clock.Begin(64);
  now = 600;
  clock.End();
  EXPECT_FALSE(clock.HasTimeFor(32)) << "64 took 600 of 1000";
  EXPECT_TRUE(clock.HasTimeFor(128)) << "nothing is known of larger sizes";
  clock.Begin(16);
  now = 700;
  clock.End();
  EXPECT_TRUE(clock.HasTimeFor(8));
  EXPECT_FALSE(clock.HasTimeFor(32));
}

TEST(SizeSweepTest, EverySecondSizeComesFirst) {
  EXPECT_THAT(SweepOrder({1, 2, 4, 8, 16}), ElementsAre(16, 4, 1, 8, 2));
  EXPECT_THAT(SweepOrder({}), ElementsAre());
}

TEST(SizeSweepTest, ALargeSizeIsNotDrawnEightTimesForOneSample) {
  Case c;
  c.bytes_moved = uint64_t{1} << 30;
  EXPECT_EQ(RuleOfSize(TimingRule(), c).max_calls, 1);
  c.bytes_moved = uint64_t{64} << 20;
  EXPECT_EQ(RuleOfSize(TimingRule(), c).max_calls, 4);
  c.bytes_moved = 4096;
  EXPECT_EQ(RuleOfSize(TimingRule(), c).max_calls, TimingRule().max_calls);
}

TEST(SizeSweepTest, CountsAreThoseOfEachSizeAlone) {
  FakeRung rung("honest");
  rung.device.metrics_of_size = {{1024, {{"blocks", 4.0}}}, {2048, {{"blocks", 8.0}}}};
  rung.Start();
  score::RungMeasurement m;
  ASSERT_TRUE(CountSizes(rung.context(), {1024, 2048}, &m).ok());
  ASSERT_THAT(SizesOf(m), ElementsAre(1024, 2048));
  EXPECT_EQ(m.sizes[0].metrics.at("blocks"), 4.0);
  EXPECT_EQ(m.sizes[1].metrics.at("blocks"), 8.0);
  EXPECT_EQ(m.cases_passed, 2);
}

}  // namespace
}  // namespace warpgrade::judge
