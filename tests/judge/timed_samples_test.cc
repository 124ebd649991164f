#include "grader/judge/timed_samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::judge {
namespace {

using score::ThroughputMeasurement;
using testing::ElementsAre;
using testing::HasSubstr;

Case Moving(uint64_t bytes) {
  Case c;
  c.bytes_moved = bytes;
  return c;
}

TEST(CalledTest, CountsEachOfTheCallsThatWereTimedAsOne) {
  TimedSamples samples;
  EXPECT_EQ(CalledNs(samples), 0);
  samples.judge_ns = {2e6, 3e6};
  samples.calls = 4;
  EXPECT_EQ(CalledNs(samples), 20e6);
}

TEST(SummariseTest, GivesTheFasterHalfTheSpreadAndTheCeiling) {
  TimedSamples samples;
  samples.judge_ns = {900e3, 1000e3, 1100e3};
  samples.event_ns = {900e3, 1000e3, 1100e3};
  samples.ceilings_gb_s = {4000, 4200, 4100};
  const ThroughputMeasurement t = Summarise(samples, Moving(2'000'000'000));
  EXPECT_EQ(t.status, ThroughputMeasurement::Status::kMeasured);
  EXPECT_DOUBLE_EQ(t.value, 2e9 / 950e3);
  EXPECT_DOUBLE_EQ(t.seconds.value_or(0), 950e-6);
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

TEST(SummariseTest, BesideASolutionTheShareIsTheMiddleOfThePairs) {
  TimedSamples samples;
  samples.judge_ns = samples.event_ns = {1000e3, 2000e3, 1000e3, 4000e3};
  samples.solution_ns = {900e3, 1600e3, 800e3, 40e3};  // shares of 0.9, 0.8, 0.8 and 0.01
  samples.ceilings_gb_s = {4000};
  Case c;
  c.bytes_moved = 2'000'000'000;
  const ThroughputMeasurement t = Summarise(samples, c);
  EXPECT_EQ(t.ceiling_of, ThroughputMeasurement::Ceiling::kSolution);
  EXPECT_DOUBLE_EQ(t.value, 2000);
  EXPECT_DOUBLE_EQ(t.value / t.ceiling.value_or(0), 0.8);
}

TEST(AppendTest, SamplesOfAnotherWorkerComeAfterTheFirsts) {
  TimedSamples all, more;
  all.judge_ns = {1};
  more.judge_ns = {2, 3};
  more.event_ns = {4};
  more.ceilings_gb_s = {5};
  more.solution_ns = {6};
  more.solution_alone_ns = {7};
  more.gpu.emplace_back();
  more.calls = 8;
  Append(more, &all);
  EXPECT_THAT(all.judge_ns, ElementsAre(1, 2, 3));
  EXPECT_THAT(all.event_ns, ElementsAre(4));
  EXPECT_THAT(all.ceilings_gb_s, ElementsAre(5));
  EXPECT_THAT(all.solution_ns, ElementsAre(6));
  EXPECT_THAT(all.solution_alone_ns, ElementsAre(7));
  EXPECT_EQ(all.gpu.size(), 1u);
  EXPECT_EQ(all.calls, 8);
}

TEST(ComparedValuesTest, AreTheTimesOrBesideASolutionTheSharesOfItsSpeed) {
  TimedSamples samples;
  samples.judge_ns = {10, 20};
  EXPECT_THAT(ComparedValues(samples), ElementsAre(10, 20));
  samples.solution_ns = {5, 20};
  EXPECT_THAT(ComparedValues(samples), ElementsAre(0.5, 1));
}

TEST(FlagTest, OnlyTheFirstReasonOfAMeasuredSpeedIsKept) {
  ThroughputMeasurement measured;
  Flag("held up", &measured);
  EXPECT_EQ(measured.status, ThroughputMeasurement::Status::kNotMeasured);
  measured.status = ThroughputMeasurement::Status::kMeasured;
  Flag("", &measured);
  EXPECT_EQ(measured.status, ThroughputMeasurement::Status::kMeasured);
  Flag("held up", &measured);
  EXPECT_EQ(measured.status, ThroughputMeasurement::Status::kFlagged);
  Flag("slowed down", &measured);
  EXPECT_EQ(measured.reason, "held up");
}

}  // namespace
}  // namespace warpgrade::judge
