#include "grader/judge/random_source.h"

#include <gtest/gtest.h>

#include <bit>

namespace warpgrade::judge {
namespace {

TEST(RandomSourceTest, EveryCallHasItsOwnContent) {
  RandomSource source;
  EXPECT_NE(source.Next()(), source.Next()());
  EXPECT_NE(source.NextBits(), source.NextBits());
}

TEST(RandomSourceTest, TwoSourcesDiffer) { EXPECT_NE(RandomSource().Next()(), RandomSource().Next()()); }

TEST(RandomSourceTest, ASeedRepeatsTheWholeSequence) {
  RandomSource a(42), b(42), c(43);
  const uint64_t first = a.Next()(), second = a.Next()();
  EXPECT_NE(first, second);
  EXPECT_EQ(b.Next()(), first);
  EXPECT_EQ(b.Next()(), second);
  EXPECT_NE(c.Next()(), first);
}

TEST(RandomSourceTest, SeedsForTwoUsesOrCasesHaveNothingInCommon) {
  const uint64_t seed = SeedFor("order", 7, 1);
  EXPECT_EQ(seed, SeedFor("order", 7, 1));
  for (const uint64_t other : {SeedFor("delays", 7, 1), SeedFor("order", 7, 2), SeedFor("order", 8, 1)}) {
    const int same_bits = 64 - std::popcount(seed ^ other);
    EXPECT_GT(same_bits, 12);
    EXPECT_LT(same_bits, 52);
  }
  EXPECT_NE(SeedFor("order", 0, 0), 0u);
}

}  // namespace
}  // namespace warpgrade::judge
