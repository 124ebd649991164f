#include "grader/calibrate/round_numbers.h"

#include <gtest/gtest.h>

#include <cmath>

namespace warpgrade::calibrate {
namespace {

TEST(RoundNumbersTest, TwoDigitsAreEnoughWhereThereIsRoom) {
  EXPECT_DOUBLE_EQ(FindRoundNumber({684, 850}, 807.3, {})->value, 810);
  EXPECT_DOUBLE_EQ(FindRoundNumber({1000, 40000}, 20212, {})->value, 20000);
  EXPECT_DOUBLE_EQ(FindRoundNumber({0.5, 0.97}, 0.9034, {})->value, 0.9);
  EXPECT_DOUBLE_EQ(FindRoundNumber({3.5, 4.0}, 3.61, {})->value, 3.6);
}

TEST(RoundNumbersTest, ANarrowRangeTakesAThirdDigit) {
  EXPECT_DOUBLE_EQ(FindRoundNumber({2330, 2370}, 2340, {})->value, 2350);  // the third one is 5
  EXPECT_DOUBLE_EQ(FindRoundNumber({2456, 2468}, 2460, {})->value, 2460);
  EXPECT_DOUBLE_EQ(FindRoundNumber({0.951, 0.957}, 0.954, {})->value, 0.955);
}

TEST(RoundNumbersTest, ItLiesOutsideOfTheIntervalsThatAreTaken) {
  const auto found = FindRoundNumber({500, 1070}, 1000, {{940, 1080}, {700, 800}});
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->is_clear);
  EXPECT_DOUBLE_EQ(found->value, 940);
}

TEST(RoundNumbersTest, TheUpperEndOfAnIntervalIsTakenAndTheLowerOneIsNot) {
  EXPECT_DOUBLE_EQ(FindRoundNumber({900, 1100}, 1000, {{1000, 1050}})->value, 1000);
  EXPECT_GT(FindRoundNumber({1000, 1100}, 1000, {{900, 1000}})->value, 1000);
}

TEST(RoundNumbersTest, WhereAllIsTakenItIsNearestToAnEdge) {
  const auto found = FindRoundNumber({900, 1000}, 960, {{880, 1100}});
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->is_clear);
  EXPECT_DOUBLE_EQ(found->value, 900);
}

TEST(RoundNumbersTest, TheEndsOfTheRangeCountAndAnEmptyRangeHasNone) {
  EXPECT_DOUBLE_EQ(FindRoundNumber({1300, 1300}, 1300, {})->value, 1300);
  EXPECT_FALSE(FindRoundNumber({1301, 1309}, 1305, {{}}) && FindRoundNumber({1301, 1309}, 1305, {})->value == 1300);
  EXPECT_FALSE(FindRoundNumber({1301.5, 1302.5}, 1302, {}));
  EXPECT_FALSE(FindRoundNumber({2, 1}, 1.5, {}));
  EXPECT_FALSE(FindRoundNumber({0, 10}, 0, {}));
  EXPECT_FALSE(FindRoundNumber({0, 10}, NAN, {}));
  EXPECT_FALSE(FindRoundNumber({0, INFINITY}, INFINITY, {}));
}

TEST(RoundNumbersTest, AWideRangeFromZeroIsSearchedNearTheWantedNumber) {
  EXPECT_DOUBLE_EQ(FindRoundNumber({0, 1e9}, 4.04, {})->value, 4);
}

}  // namespace
}  // namespace warpgrade::calibrate
