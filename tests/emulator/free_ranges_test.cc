#include "grader/emulator/memory/free_ranges.h"

#include <gtest/gtest.h>

namespace warpgrade::emulator {
namespace {

using Reuse = FreeRanges::Reuse;

TEST(FreeRangesTest, WhatWasGivenBackComesLast) {
  FreeRanges free(1000, 300, Reuse::kLate);
  EXPECT_EQ(free.Take(100, 1), 1000u);
  free.GiveBack(1000, 100);
  EXPECT_EQ(free.Take(100, 1), 1100u);
  EXPECT_EQ(free.Take(100, 1), 1200u);
  EXPECT_EQ(free.Take(100, 1), 1000u) << "the search has come around";
  EXPECT_EQ(free.Take(1, 1), std::nullopt);
}

TEST(FreeRangesTest, WhatWasGivenBackComesFirst) {
  FreeRanges free(1000, 300, Reuse::kSoon);
  EXPECT_EQ(free.Take(100, 1), 1000u);
  EXPECT_EQ(free.Take(50, 1), 1100u);
  free.GiveBack(1000, 100);
  EXPECT_EQ(free.Take(60, 1), 1000u);
}

TEST(FreeRangesTest, StartsAreAligned) {
  FreeRanges free(100, 1000, Reuse::kLate);
  EXPECT_EQ(free.Take(10, 64), 128u);
  EXPECT_EQ(free.Take(10, 64), 192u);
  EXPECT_EQ(free.Take(28, 1), 202u);
  EXPECT_EQ(free.Take(845, 256), std::nullopt) << "from 256 to 1100 there are 844";
  EXPECT_EQ(free.Take(844, 256), 256u);
  EXPECT_EQ(free.Take(28, 1), 100u) << "what lies before an aligned start is still free";
}

TEST(FreeRangesTest, RangesThatTouchAreOne) {
  FreeRanges free(0, 300, Reuse::kLate);
  for (uint64_t at : {0u, 100u, 200u}) EXPECT_EQ(free.Take(100, 1), at);
  EXPECT_EQ(free.Take(1, 1), std::nullopt);
  free.GiveBack(0, 100);
  free.GiveBack(200, 100);
  EXPECT_EQ(free.Take(101, 1), std::nullopt);
  free.GiveBack(100, 100);
  EXPECT_EQ(free.Take(300, 1), 0u);
}

TEST(FreeRangesTest, TheWholeRangeWhereTheSearchBeganIsTriedInTheEnd) {
  FreeRanges free(0, 300, Reuse::kLate);
  EXPECT_EQ(free.Take(100, 1), 0u);
  free.GiveBack(0, 100);
  EXPECT_EQ(free.Take(250, 1), 0u);
}

TEST(FreeRangesTest, NothingHasNothing) { EXPECT_EQ(FreeRanges(0, 0, Reuse::kLate).Take(1, 1), std::nullopt); }

}  // namespace
}  // namespace warpgrade::emulator
