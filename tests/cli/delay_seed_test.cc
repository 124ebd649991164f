// The seed of the delays and orders of a grading.
#include "grader/cli/delay_seed.h"

#include <gtest/gtest.h>

#include <iterator>
#include <map>
#include <set>
#include <string>

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

using Files = std::map<std::string, std::string>;

TEST(DelaySeedTest, OfAnAttemptFollowsFromTheGradebookAndTheFilesOfTheLab) {
  const Files files = {{"lab1/v1.cu", "int x;"}, {"lab1/v2.cu", ""}};
  const uint64_t seed = DelaySeedOfAttempt(7, "lab1", files);
  EXPECT_EQ(DelaySeedOfAttempt(7, "lab1", files), seed);
  EXPECT_EQ(DelaySeedOfAttempt(7, "lab1", {{"lab1/v1.cu", "int x;"}, {"lab1/v2.cu", ""}, {"lab11/v1.cu", "y"}}), seed);
  EXPECT_NE(DelaySeedOfAttempt(8, "lab1", files), seed) << "another gradebook";
  for (const Files& other :
       {Files{{"lab1/v1.cu", "int x; "}, {"lab1/v2.cu", ""}}, Files{{"lab1/v1.cu", "int x"}, {"lab1/v2.cu", ";"}},
        Files{{"lab1/v1.cu", "int x;"}}, Files{{"lab1/v1.cu", ""}, {"lab1/v2.cu", "int x;"}}, Files{}}) {
    EXPECT_NE(DelaySeedOfAttempt(7, "lab1", other), seed);
  }
}

// Whoever knows a seed and the files could otherwise try the seeds of gradebooks, and foresee the next attempt.
TEST(DelaySeedTest, OfAnAttemptUsesAllBitsOfTheGradebooksSeed) {
  std::set<uint64_t> seeds;
  for (int bit = 0; bit < 64; ++bit) seeds.insert(DelaySeedOfAttempt(uint64_t{1} << bit, "lab1", {}));
  EXPECT_EQ(seeds.size(), 64u);
}

}  // namespace
}  // namespace warpgrade::cli
