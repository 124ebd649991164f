#include "grader/plot/crossovers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::plot {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const CrossoverWords kHigher = {Better::kHigher, Scale::kPowersOf2, "elements"};

// At 2^14, 2^15, ...; each value is uncertain by 10%.
Series Of(const std::string& name, const std::vector<double>& values) {
  Series series{.name = name};
  for (size_t i = 0; i < values.size(); ++i) {
    series.points.push_back({static_cast<double>(1 << (14 + i)), values[i], values[i] * 0.9, values[i] * 1.1});
  }
  return series;
}

TEST(CrossoversTest, TheFirstSizeFromWhichTheLaterOneStaysAheadIsNamed) {
  EXPECT_THAT(Crossovers({Of("v3", {10, 20, 30, 40}), Of("v4", {5, 20, 60, 90})}, kHigher),
              ElementsAre("v4 overtakes v3 from 2^16 elements on.",
                          "The best, by elements: v3 up to 2^14; none clearly at 2^15; v4 from 2^16 on."));
}

TEST(CrossoversTest, WhereLessIsBetterTheLowerOneIsAhead) {
  EXPECT_THAT(
      Crossovers({Of("v3", {1, 1}), Of("v4", {2, 0.5})}, {Better::kLower, Scale::kPowersOf2, "elements"}),
      ElementsAre("v4 overtakes v3 from 2^15 elements on.", "The best, by elements: v3 up to 2^14; v4 from 2^15 on."));
}

TEST(CrossoversTest, ADifferenceWithinTheSpreadIsNone) {
  EXPECT_THAT(
      Crossovers({Of("v3", {10, 20}), Of("v4", {11, 21})}, kHigher),
      ElementsAre("v4 and v3 differ by less than their spread everywhere.", "None is clearly the best anywhere."));
  EXPECT_EQ(Crossovers({Of("v3", {10, 20}), Of("v4", {11, 40})}, kHigher).front(),
            "v4 overtakes v3 from 2^15 elements on.");
}

TEST(CrossoversTest, CountsThatAreTheSameAreEqual) {
  Series v1{.name = "v1", .points = {{1024, 4, 4, 4}, {2048, 4.5, 4.5, 4.5}}}, v2 = v1;
  v2.name = "v2";
  EXPECT_THAT(Crossovers({v1, v2}, kHigher),
              ElementsAre("v2 and v1 are equal everywhere.", "None is clearly the best anywhere."));
}

TEST(CrossoversTest, AheadEverywhereOrNeverIsSaid) {
  EXPECT_THAT(
      Crossovers({Of("v1", {1, 2}), Of("v2", {4, 8}), Of("v3", {3, 4})}, kHigher),
      ElementsAre("v2 is better than v1 everywhere.", "v3 is never better than v2.", "The best everywhere is v2."));
}

TEST(CrossoversTest, WhoFallsBackAgainIsNotSaidToOvertake) {
  EXPECT_EQ(Crossovers({Of("v3", {10, 10, 10}), Of("v4", {20, 20, 5})}, kHigher).front(),
            "v4 is ahead of v3 up to 2^15 elements at most, and not above.");
}

TEST(CrossoversTest, OnlyPlacesThatBothHaveCount) {
  Series late = Of("v4", {1, 50});
  late.points.erase(late.points.begin());
  EXPECT_EQ(Crossovers({Of("v3", {10, 10}), late}, kHigher).front(), "v4 is better than v3 at 2^15 elements.");
  late.points.clear();
  EXPECT_THAT(Crossovers({Of("v3", {10, 10}), late}, kHigher), IsEmpty());
}

TEST(CrossoversTest, ABoundIsNoCompetitor) {
  Series roof = Of("copy", {100, 100});
  roof.is_bound = true;
  EXPECT_THAT(Crossovers({Of("v3", {10, 10}), roof}, kHigher), IsEmpty());
}

}  // namespace
}  // namespace warpgrade::plot
