// What a student reads for each common mistake, acted out on the CPU.
#include "labs/lab1/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/course/lab1/answers.h"

namespace lab1 {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr Variant kIntSum = {Element::kInt, Operation::kSum};
constexpr Variant kIntMax = {Element::kInt, Operation::kMax};
constexpr Variant kFloatSum = {Element::kFloat, Operation::kSum};
constexpr Variant kFloatMax = {Element::kFloat, Operation::kMax};

template <typename T>
T Add(std::span<const T> in) {
  T sum = 0;
  for (const T x : in) sum += x;
  return sum;
}

template <typename T>
T Largest(std::span<const T> in) {
  return *std::max_element(in.begin(), in.end());
}

std::string Message(Variant variant, Values values, uint64_t n, const std::function<float(std::span<const float>)>& f) {
  return MessageOf(VerdictOn<float>(MakeTestCase(variant, values, n), f));
}

TEST(ExplainTest, NamesATailThatIsNoFullBlock) {
  EXPECT_THAT(Message(kFloatSum, Values::kRandom, 1000, [](auto in) { return Add(in.first(768)); }),
              HasSubstr("as if the last 232 elements had been left out"));
}

TEST(ExplainTest, NamesABlockThatWasLeftOut) {
  const auto answer = [](auto in) { return Add(in.first(512)) + Add(in.subspan(768)); };
  EXPECT_THAT(Message(kFloatSum, Values::kRandom, 1024, answer),
              HasSubstr("as if d_in[512] to d_in[767] had been left out"));
}

// The block b of v4 begins at d_in[b * 256] and takes 512 elements.
TEST(ExplainTest, NamesBlocksThatOverlap) {
  const auto answer = [](auto in) { return Add(in.first(512)) + Add(in.subspan(256, 512)); };
  EXPECT_THAT(Message(kFloatSum, Values::kRandom, 1000, answer),
              HasSubstr("as if each block had added 512 elements, but had begun only 256 after the block before it: "
                        "some are added twice, and the last ones not at all"));
}

// The numbers come again and again, so that blocks of 32 threads fit as well as blocks of 256.
TEST(ExplainTest, NamesNoBlocksThatOverlapWhereSeveralWouldFit) {
  const auto answer = [](std::span<const float> in) {
    float* const numbers = const_cast<float*>(in.data());  // the case has random ones
    for (size_t i = 0; i < in.size(); ++i) numbers[i] = static_cast<float>(i % 32);
    return 32 * Add(in.first(32));
  };
  EXPECT_THAT(Message(kFloatSum, Values::kRandom, 1000, answer), Not(HasSubstr("but had begun only")));
}

// A thread adds d_in[i] and d_in[i + 1].
TEST(ExplainTest, NamesElementsThatTwoThreadsAdd) {
  const auto all_but_first = [](auto in) { return Add(in) + Add(in.subspan(1)); };
  EXPECT_THAT(Message(kFloatSum, Values::kRandom, 31, all_but_first),
              HasSubstr("as if two threads had added each element but the first"));
  const auto all = [](auto in) { return 2 * Add(in); };
  EXPECT_THAT(Message(kFloatSum, Values::kRandom, 31, all), HasSubstr("as if two threads had added each element"));
}

TEST(ExplainTest, NamesABlockThatWasAddedTwice) {
  const auto answer = [](auto in) { return Add(in) + Add(in.subspan(512, 256)); };
  EXPECT_THAT(Message(kFloatSum, Values::kRandom, 1024, answer),
              HasSubstr("as if d_in[512] to d_in[767] had been added twice"));
}

TEST(ExplainTest, CountsElementsWhenAllAreOne) {
  const auto answer = [](auto in) { return Add(in) - 700; };
  EXPECT_THAT(Message(kFloatSum, Values::kEqual, 5000, answer),
              HasSubstr("as if 4300 elements had been added, not 5000"));
  const auto more = [](auto in) { return Add(in) + 256; };
  EXPECT_THAT(Message(kFloatSum, Values::kEqual, 5000, more),
              HasSubstr("as if 5256 elements had been added, not 5000"));
  const auto none = [](auto) { return 0.0f; };
  EXPECT_THAT(Message(kFloatSum, Values::kEqual, 5000, none), HasSubstr("as if no element had been added at all"));
}

TEST(ExplainTest, NamesAMaximumThatWasKeptInAFloat) {
  const auto c = MakeTestCase(kIntMax, Values::kRandom, 33);
  const auto rounded = [](std::span<const int32_t> in) {
    return static_cast<int32_t>(static_cast<float>(Largest(in)));
  };
  EXPECT_THAT(MessageOf(VerdictOn<int32_t>(c, rounded)), HasSubstr("kept in fewer bits than T has"));
  const auto above = [](std::span<const int32_t> in) { return Largest(in) + 1; };
  EXPECT_THAT(MessageOf(VerdictOn<int32_t>(c, above)), testing::Not(HasSubstr("fewer bits")));
}

TEST(ExplainTest, NamesASecondPassThatIsMissing) {
  EXPECT_THAT(Message(kFloatSum, Values::kRandom, 5000, [](auto in) { return Add(in.first(256)); }),
              HasSubstr("as if only the first 256 elements had been combined"));
}

TEST(ExplainTest, NamesAReadPastTheEnd) {
  const auto sum = VerdictOn<int32_t>(MakeTestCase(kIntSum, Values::kRandom, 1000, 0, 5),
                                      [](auto in) { return Add(in.first(1003)); });
  EXPECT_THAT(MessageOf(sum), HasSubstr("as if 3 elements outside of d_in[0 .. n) had been added"));
  const auto max =
      VerdictOn<int32_t>(MakeTestCase(kIntMax, Values::kRandom, 1000, 2, 0), [](auto in) { return Largest(in); });
  EXPECT_THAT(MessageOf(max), HasSubstr("outside of d_in[0 .. n)"));
}

TEST(ExplainTest, NamesANeutralElementOfZeroInAMaximum) {
  EXPECT_THAT(Message(kFloatMax, Values::kNegative, 1000, [](auto) { return 0.0f; }),
              HasSubstr("larger than every element: a neutral element that is not neutral"));
}

TEST(ExplainTest, NamesTheLargestElementWhenItWasLeftOut) {
  EXPECT_THAT(Message(kFloatMax, Values::kPeakFirst, 4099, [](auto in) { return Largest(in.subspan(1)); }),
              HasSubstr("d_in[0] was left out: it is the largest"));
}

TEST(ExplainTest, SaysWhenTheLargestElementIsTheLast) {
  EXPECT_THAT(Message(kFloatMax, Values::kStairs, 4099, [](auto in) { return Largest(in.first(4096)); }),
              HasSubstr("so d_in[4098], the last element, was left out"));
}

// With thousands of blocks of small numbers, some block's sum is whatever is missing.
TEST(ExplainTest, DoesNotBlameABlockThatFitsByChance) {
  const std::string message = Message(kFloatSum, Values::kRandom, 65537, [](auto in) { return Add(in) - 456; });
  EXPECT_EQ(message.find("as if"), std::string::npos) << message;
}

// A sum of 32 random elements is most often within 400 of 0. So one of 32 such blocks may well have this sum.
TEST(ExplainTest, DoesNotBlameASmallBlockOfAShortInput) {
  const auto answer = [](auto in) { return Add(in) + Add(in.subspan(416, 32)); };
  const std::string message = Message(kFloatSum, Values::kRandom, 1000, answer);
  EXPECT_EQ(message.find("as if"), std::string::npos) << message;
}

TEST(ExplainTest, ClaimsNothingWhenNothingFits) {
  EXPECT_EQ(Message(kFloatSum, Values::kRandom, 1000, [](auto) { return 0.3f; }).find("as if"), std::string::npos);
}

TEST(ExplainTest, PrintsEnoughDigitsToTellNeighboursApart) {
  EXPECT_NE(Print(0.1f), Print(std::nextafter(0.1f, 1.0f)));
  EXPECT_NE(Print(0.1), Print(std::nextafter(0.1, 1.0)));
  EXPECT_EQ(Print(1000.0f), "1000");
  EXPECT_EQ(Print(int32_t{-7}), "-7");
}

}  // namespace
}  // namespace lab1
