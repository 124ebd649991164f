#include "grader/judge/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace warpgrade::judge {
namespace {

TEST(QuantileTest, InterpolatesBetweenOrderStatistics) {
  EXPECT_DOUBLE_EQ(Median({3, 1, 2}), 2);
  EXPECT_DOUBLE_EQ(Median({4, 1, 2, 3}), 2.5);
  EXPECT_DOUBLE_EQ(Quantile({10, 20, 30, 40, 50}, 0.25), 20);
  EXPECT_DOUBLE_EQ(Quantile({10, 20}, 0.75), 17.5);
  EXPECT_DOUBLE_EQ(Quantile({10, 20}, 1), 20);
  EXPECT_DOUBLE_EQ(Quantile({7}, 0.3), 7);
}

TEST(SpreadTest, IsHalfTheInterquartileRangeOverTheMedian) {
  EXPECT_DOUBLE_EQ(SpreadPercent({90, 95, 100, 105, 110}), 5);
  EXPECT_DOUBLE_EQ(SpreadPercent({100}), 0);
}

TEST(SpreadTest, OneOutlierDoesNotMoveIt) {
  EXPECT_DOUBLE_EQ(SpreadPercent({100, 100, 100, 100, 100, 100, 100, 100, 5000}), 0);
}

TEST(StandardErrorTest, IsTheSampleDeviationOverTheRootOfTheCount) {
  // Mean 100, sample variance 100, four samples: 10 / 2 = 5 of 100.
  EXPECT_NEAR(StandardErrorPercent({90, 90, 110, 110}), 100 * std::sqrt(400.0 / 3 / 4) / 100, 1e-12);
  EXPECT_TRUE(std::isinf(StandardErrorPercent({100})));
}

TEST(FasterHalfTest, TheFasterHalfHasTheMiddleOneInIt) {
  EXPECT_EQ(FasterHalf({7}), 7);
  EXPECT_EQ(FasterHalf({9, 5}), 5);
  EXPECT_EQ(FasterHalf({1000, 3, 1}), 2);
  EXPECT_EQ(FasterHalf({1000, 3, 1, 2000}), 2);
}

TEST(MiddleHalfTest, LeavesOutAQuarterAtEitherEnd) {
  EXPECT_DOUBLE_EQ(MiddleHalf({7}), 7);
  EXPECT_DOUBLE_EQ(MiddleHalf({1, 3}), 2);
  EXPECT_DOUBLE_EQ(MiddleHalf({100, 2, 4, -50}), 3);
  EXPECT_DOUBLE_EQ(MiddleHalf({9e9, 1, 2, 3, 4, 5, 6, 0}), 3.5);
}

}  // namespace
}  // namespace warpgrade::judge
