#include "grader/plot/roofs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::plot {
namespace {

constexpr Roofs kRoofs{.gb_s = 100, .gflop_s = 2000};  // they meet at 20

TEST(RoofsTest, LeftOfTheRidgeMemoryBoundsTheSpeedAndRightOfItArithmetic) {
  EXPECT_EQ(kRoofs.Ridge(), 20);
  EXPECT_EQ(kRoofs.At(5), 500);
  EXPECT_EQ(kRoofs.At(20), 2000);
  EXPECT_EQ(kRoofs.At(50), 2000);
  EXPECT_EQ(RoofWords("v1", 5, kRoofs), "v1 does 5 operations per byte, so memory bounds it at 500 GFLOP/s");
  EXPECT_EQ(RoofWords("v2", 50, kRoofs), "v2 does 50 operations per byte, so arithmetic bounds it at 2000 GFLOP/s");
}

TEST(RoofsTest, TheSeriesGoesBeyondAllPointsAndTheRidge) {
  const auto xs = [](double low, double high) {
    std::vector<double> values;
    for (const Point& point : RoofSeries(kRoofs, low, high).points) {
      EXPECT_EQ(point.y, kRoofs.At(point.x));
      values.push_back(point.x);
    }
    return values;
  };
  EXPECT_THAT(xs(5, 50), testing::ElementsAre(2.5, 20, 100));
  EXPECT_THAT(xs(30, 50), testing::ElementsAre(10, 20, 100)) << "all points are right of the ridge";
  EXPECT_THAT(xs(2, 5), testing::ElementsAre(1, 20, 40)) << "all points are left of it";
  EXPECT_TRUE(RoofSeries(kRoofs, 5, 50).is_bound);
}

}  // namespace
}  // namespace warpgrade::plot
