#include "grader/judge/random_source.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace warpgrade::judge
