// What inputs are made of: an element is the same however many are drawn with it, by whichever instructions.
#include "labs/support/noise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace {

TEST(NoiseTest, ManyAtOnceAreTheSameAsOneByOne) {
  for (const size_t count : {0, 1, 7, 8, 9, 63, 512, 1001}) {
    for (const uint64_t first : {uint64_t{0}, uint64_t{1}, (uint64_t{1} << 32) - 5, ~uint64_t{0} - 3}) {
      std::vector<uint64_t> many(count + 1, 42);
      lab::FillNoise(12345, first, std::span(many).first(count));
      for (size_t k = 0; k < count; ++k) ASSERT_EQ(many[k], lab::Noise(12345, first + k)) << first << " + " << k;
      EXPECT_EQ(many[count], 42u);
    }
  }
}

TEST(NoiseTest, AnArrayIsFilledToItsEndByAllThreadsWithEachElementsIndexAndNoise) {
  for (const size_t n :
       {size_t{0}, size_t{1}, size_t{511}, size_t{512}, size_t{513}, 5 * warpgrade::kWorkPerThread + 3}) {
    std::vector<uint64_t> array(n + 1, 42);
    lab::FillFromNoise(n, 7, array.data(), [](size_t i, uint64_t noise) { return noise ^ i; });
    for (size_t i = 0; i < n; ++i) ASSERT_EQ(array[i], lab::Noise(7, i) ^ i) << i << " of " << n;
    EXPECT_EQ(array[n], 42u);
  }
}

TEST(NoiseTest, TheLowestBitIsTheSign) {
  EXPECT_EQ(lab::Signed(1.5f, 6), 1.5f);
  EXPECT_EQ(lab::Signed(1.5f, 7), -1.5f);
  EXPECT_TRUE(std::signbit(lab::Signed(0.0f, 1)));
  EXPECT_FALSE(std::signbit(lab::Signed(0.0f, 0)));
}

}  // namespace
