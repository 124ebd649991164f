// The seed of the delays and orders of a grading.
#include "grader/cli/delay_seed.h"

#include <gtest/gtest.h>

#include <iterator>
#include <set>

namespace warpgrade::cli {
namespace {

// A program gets seeds that are made from this one by SHA-256, and computes some 10^7 of them in a second.
TEST(DelaySeedTest, HasMoreValuesThanAProgramCanTry) {
  std::set<uint64_t> seeds;
  for (uint64_t k = 0; k < 1000; ++k) seeds.insert(DelaySeedFrom(k * 0x9E37'79B9'7F4A'7C15));
  EXPECT_EQ(seeds.size(), 1000u);
  EXPECT_GT(*std::next(seeds.begin(), 500), 100'000'000'000u) << "the median of 10^12 values";
}

TEST(DelaySeedTest, IsNeverTheOneThatMeansNoDelaysAndHasAtMostTwelveDigits) {
  for (const uint64_t bits : {uint64_t{0}, uint64_t{999'999'999'998}, uint64_t{999'999'999'999}, ~uint64_t{0}}) {
    EXPECT_GE(DelaySeedFrom(bits), 1u) << bits;
    EXPECT_LE(DelaySeedFrom(bits), 999'999'999'999u) << bits;
  }
}

}  // namespace
}  // namespace warpgrade::cli
