#include "grader/report/line_diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::report {
namespace {

std::string Numbers(int first, int last) {
  std::string text;
  for (int i = first; i <= last; ++i) text += std::to_string(i) + "\n";
  return text;
}

TEST(LineDiffTest, EqualTextsHaveNoDifference) { EXPECT_EQ(LineDiff("a\nb\n", "a\nb\n"), ""); }

TEST(LineDiffTest, AChangeStandsInItsContext) {
  EXPECT_EQ(LineDiff(Numbers(1, 10), Numbers(1, 4) + "five\n" + Numbers(6, 10)),
            "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST(LineDiffTest, WhatIsAddedAndRemovedAtTheEnds) {
  EXPECT_EQ(LineDiff("", "a\n"), "@@ -0,0 +1,1 @@\n+a\n");
  EXPECT_EQ(LineDiff("a\n", ""), "@@ -1,1 +0,0 @@\n-a\n");
  EXPECT_EQ(LineDiff("a\nb\n", "b\n"), "@@ -1,2 +1,1 @@\n-a\n b\n");
}

TEST(LineDiffTest, NearChangesShareAGroupAndFarOnesDoNot) {
  const std::string near = LineDiff(Numbers(1, 12), "x\n" + Numbers(2, 7) + "y\n" + Numbers(9, 12));
  EXPECT_EQ(std::count(near.begin(), near.end(), '@'), 4) << near;
  const std::string far = LineDiff(Numbers(1, 12), "x\n" + Numbers(2, 8) + "y\n" + Numbers(10, 12));
  EXPECT_EQ(std::count(far.begin(), far.end(), '@'), 8) << far;
}

TEST(LineDiffTest, EscapeCodesAreSpelledOut) {
  EXPECT_THAT(LineDiff("a\n", "\x1b[31mb\n"), testing::HasSubstr("+\\x1b[31mb"));
}

TEST(LineDiffTest, TheEndOfTheLastLineIsADifferenceToo) {
  EXPECT_EQ(LineDiff("a\n", "a"), "(only the end of the last line differs)\n");
}

TEST(LineDiffTest, VeryLongTextsAreShownAsChangedWithoutATableOfAllPairs) {
  const std::string diff = LineDiff(Numbers(1, 200'000), Numbers(200'001, 400'000));
  EXPECT_TRUE(diff.starts_with("@@ -1,200000 +1,200000 @@\n-1\n")) << diff.substr(0, 100);
}

}  // namespace
}  // namespace warpgrade::report
