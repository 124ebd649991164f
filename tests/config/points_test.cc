#include "grader/config/points.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace warpgrade::config {
namespace {

TEST(PointsTest, PrintsNoMoreDecimalsThanNeeded) {
  EXPECT_EQ(Points::FromHundredths(1000).ToString(), "10");
  EXPECT_EQ(Points::FromHundredths(750).ToString(), "7.5");
  EXPECT_EQ(Points::FromHundredths(25).ToString(), "0.25");
  EXPECT_EQ(Points::FromHundredths(5).ToString(), "0.05");
  EXPECT_EQ(Points().ToString(), "0");
  EXPECT_EQ(Points::FromHundredths(-125).ToString(), "-1.25");
  EXPECT_EQ(Points::FromHundredths(std::numeric_limits<int64_t>::min()).ToString(), "-92233720368547758.08");
}

TEST(PointsTest, AddsTenthsExactly) {
  EXPECT_EQ(Points::FromHundredths(10) + Points::FromHundredths(20), Points::FromHundredths(30));
}

TEST(PointsTest, RoundsAShareHalfUpToAHundredth) {
  const Points two = Points::FromHundredths(200);
  EXPECT_EQ(two.Times(0.5).hundredths(), 100);
  EXPECT_EQ(two.Times(0.3333).hundredths(), 67);
  EXPECT_EQ(Points::FromHundredths(1).Times(0.5).hundredths(), 1);
  EXPECT_EQ(Points::FromHundredths(1).Times(0.49).hundredths(), 0);
}

TEST(PointsTest, ClampsASharePastItsEnds) {
  const Points two = Points::FromHundredths(200);
  EXPECT_EQ(two.Times(-1), Points());
  EXPECT_EQ(two.Times(7), two);
  EXPECT_EQ(two.Times(std::numeric_limits<double>::infinity()), two);
  EXPECT_EQ(two.Times(std::nan("")), Points());
}

}  // namespace
}  // namespace warpgrade::config
