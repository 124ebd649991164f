#include "grader/judge/clock_arithmetic.h"

#include <gtest/gtest.h>

namespace warpgrade::judge {
namespace {

TEST(OverheadTest, IsTheFasterHalfOfEmptyCalls) {
  const std::optional<double> overhead = CallOverhead({150'000, 152'000, 147'000, 900'000, 150'000}, TimingRule());
  ASSERT_TRUE(overhead.has_value());
  EXPECT_DOUBLE_EQ(*overhead, 149'000);
}

TEST(OverheadTest, OneThatIsTooLongOrTooUnsteadyIsRefused) {
  const TimingRule rule;
  // A worker that slows its empty calls down would be given the difference.
  EXPECT_FALSE(CallOverhead(std::vector<double>(31, 2 * rule.max_overhead_ns), rule).has_value());
  EXPECT_FALSE(CallOverhead({100'000, 500'000, 100'000, 500'000}, rule).has_value());
  EXPECT_FALSE(CallOverhead({}, rule).has_value());
}

TEST(CollectingTest, WhatRunsOnAfterDoneIsPartOfTheCall) {
  EXPECT_EQ(WithCollecting(300e3, 150e3, 148e3), 300e3);  // as after an empty call, give or take
  EXPECT_EQ(WithCollecting(300e3, 100e3, 148e3), 300e3);
  EXPECT_EQ(WithCollecting(20e3, 430e3, 150e3), 295e3);  // Done was said 280 us early, and 5 are gained
}

TEST(DelayTest, IsTimeBeyondADeliveryThatNobodyDelayed) {
  EXPECT_EQ(DelayOf(6900e3, 6300e3), 600e3);
  EXPECT_EQ(DelayOf(6200e3, 6300e3), 0);
}

TEST(OverheadTest, IsBoundedByWhatItWasBeforeTheStudentsProgramRan) {
  EXPECT_EQ(BoundedOverhead(158e3, 150e3), 158e3);  // as on an H200
  EXPECT_EQ(BoundedOverhead(140e3, 150e3), 140e3);
  EXPECT_EQ(BoundedOverhead(400e3, 150e3), 175e3);
}

TEST(OverheadTest, IsSubtractedButTimeStaysPositive) {
  EXPECT_DOUBLE_EQ(WithoutOverhead(1'150'000, 150'000), 1'000'000);
  EXPECT_DOUBLE_EQ(WithoutOverhead(140'000, 150'000), 1);
}

TEST(BoundedCeilingTest, IsNotMuchLessThanBeforeTheWorkerCame) {
  EXPECT_EQ(BoundedCeiling(4240, 4250), 4240);
  EXPECT_EQ(BoundedCeiling(4300, 4250), 4300);
  EXPECT_EQ(BoundedCeiling(2100, 4000), 3800);
  EXPECT_EQ(BoundedCeiling(2100, 0), 2100);
}

TEST(OverheadTest, IsWhatAnEmptyCallCostsBeyondItsKernel) { EXPECT_EQ(OverheadOf(150e3, 3e3, 0), 147e3); }

TEST(OverheadTest, BelievesTheWorkersEventTimeOnlyAsFarAsAnEmptyKernelCanTake) {
  EXPECT_EQ(OverheadOf(150e3, 140e3, 0), 140e3);  // a slow "empty kernel" would make every call look slower, not faster
  EXPECT_EQ(OverheadOf(150e3, -1, 0), 150e3);     // no event time
  EXPECT_EQ(OverheadOf(2e3, 5e3, 0), 0);
  EXPECT_EQ(OverheadOf(1153e3, 1003e3, 1000e3), 150e3);
  EXPECT_EQ(OverheadOf(1153e3, 3e3, 1000e3), 153e3);  // a kernel that ends early would give its time away
  EXPECT_EQ(OverheadOf(1153e3, -1, 1000e3), 153e3);
}

}  // namespace
}  // namespace warpgrade::judge
