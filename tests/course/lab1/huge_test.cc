// What the case beyond 2^31 elements says, with sums that wrong kernels would give: no machine that runs these tests
// need hold the elements.
#include "labs/lab1/huge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lab1 {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr size_t kGiB = size_t{1} << 30;
constexpr size_t kPast31 = (size_t{1} << 31) + 7, kPast32 = (size_t{1} << 32) + 7;

// The sum as a kernel sees it that adds only the elements for which `adds` holds.
template <typename Adds>
int32_t SumOf(size_t n, Adds adds) {
  int32_t sum = 0;
  for (const Mark& mark : HugeMarks(n)) sum += adds(mark.place) ? mark.value : 0;
  return sum;
}

TEST(HugeTest, IsAsLargeAsTheMemoryAllows) {
  EXPECT_EQ(HugeCount(8 * kGiB), 0u) << "2^31 ints, but no workspace";
  EXPECT_EQ(HugeCount(9 * kGiB), kPast31);
  EXPECT_EQ(HugeCount(16 * kGiB), kPast31);
  EXPECT_EQ(HugeCount(140 * kGiB), kPast32);
}

TEST(HugeTest, AllElementsAreRight) {
  for (const size_t n : {kPast31, kPast32}) EXPECT_EQ(ExplainHugeSum(n, SumOf(n, [](size_t) { return true; })), "");
}

TEST(HugeTest, MarksLieOnBothSidesOfEachLimit) {
  EXPECT_EQ(HugeMarks(kPast31).size(), 4u);
  EXPECT_EQ(HugeMarks(kPast32).size(), 6u);
  EXPECT_EQ(HugeMarks(kPast32)[4].place, size_t{1} << 32);
  EXPECT_EQ(HugeMarks(kPast32)[5].place, kPast32 - 1);
}

TEST(HugeTest, AnIntIndexLosesWhatIsBeyond) {
  const int32_t sum = SumOf(kPast32, [](size_t place) { return place < size_t{1} << 31; });
  EXPECT_EQ(ExplainHugeSum(kPast32, sum),
            "n = 4294967303, int, sum: d_out[0] is 3, should be 63, as if d_in[2147483648], d_in[4294967295], "
            "d_in[4294967296], d_in[4294967302] had been left out; an int counts to 2^31 - 1, a size_t as far as you "
            "need");
}

TEST(HugeTest, AnUnsignedIndexLosesLess) {
  const int32_t sum = SumOf(kPast32, [](size_t place) { return place < size_t{1} << 32; });
  EXPECT_THAT(ExplainHugeSum(kPast32, sum), HasSubstr("as if d_in[4294967296], d_in[4294967302] had been left out"));
  EXPECT_THAT(ExplainHugeSum(kPast32, sum), Not(HasSubstr("d_in[2147483648]")));
}

TEST(HugeTest, WhatIsAddedTwiceIsNoLoss) {
  EXPECT_THAT(ExplainHugeSum(kPast31, 15 + 1), HasSubstr("added twice"));
  EXPECT_THAT(ExplainHugeSum(kPast31, -1), HasSubstr("added twice"));
}

}  // namespace
}  // namespace lab1
