// lab1's inputs: what the name of each kind of values promises, and that sums are exact in float in any order where
// they must be.
#include "labs/lab1/values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <string>
#include <vector>

namespace lab1 {
namespace {

using testing::AllOf;
using testing::Each;
using testing::Ge;
using testing::Gt;
using testing::Le;
using testing::Lt;
using testing::Ne;

template <typename T>
std::vector<T> DrawVector(Variant variant, Values values, uint64_t seed, size_t n, size_t front = 0, size_t back = 0) {
  std::vector<T> drawn(front + n + back);
  DrawInput({.n = n, .variant = variant, .values = values, .front = front, .back = back}, seed, drawn.data());
  return drawn;
}

constexpr Variant kFloatSum = {Element::kFloat, Operation::kSum};
constexpr Variant kFloatMax = {Element::kFloat, Operation::kMax};

TEST(ValuesTest, DependOnTheSeedAndOnNothingElse) {
  const auto once = DrawVector<float>(kFloatSum, Values::kRandom, 5, 300'000);
  EXPECT_EQ(once, DrawVector<float>(kFloatSum, Values::kRandom, 5, 300'000));
  EXPECT_NE(once, DrawVector<float>(kFloatSum, Values::kRandom, 6, 300'000));
}

TEST(ValuesTest, AreNeverZeroInASumSoThatALostOneShows) {
  EXPECT_THAT(DrawVector<float>(kFloatSum, Values::kRandom, 1, 100'000), Each(AllOf(Ne(0), Ge(-64), Le(64))));
  EXPECT_THAT(DrawVector<float>(kFloatSum, Values::kFractions, 1, 100'000), Each(AllOf(Gt(0), Le(1))));
}

TEST(ValuesTest, AreNegativeWhereTheNameSaysSo) {
  EXPECT_THAT(DrawVector<float>(kFloatMax, Values::kNegative, 1, 10'000), Each(Lt(0)));
  EXPECT_THAT(DrawVector<float>(kFloatMax, Values::kEqual, 1, 10'000), Each(Lt(0)));
  EXPECT_THAT(DrawVector<float>(kFloatMax, Values::kStairs, 1, 10'000), Each(Lt(0)));
}

TEST(ValuesTest, PutThePeakWhereTheNameSays) {
  for (const Variant variant : {kFloatSum, kFloatMax}) {
    const auto first = DrawVector<float>(variant, Values::kPeakFirst, 1, 1000, 2, 2);
    const auto last = DrawVector<float>(variant, Values::kPeakLast, 1, 1000, 2, 2);
    EXPECT_EQ(first[2], 0x1p20f);
    EXPECT_EQ(last[1001], 0x1p20f);
    const auto inside = DrawVector<float>(variant, Values::kPeakInside, 1, 1000);
    EXPECT_EQ(std::count(inside.begin(), inside.end(), 0x1p20f), 1);
  }
}

TEST(ValuesTest, FenceBothEndsAndOnlyThose) {
  for (const Variant variant : {kFloatSum, kFloatMax}) {
    const float fence = FenceValue<float>(variant.operation);
    const auto drawn = DrawVector<float>(variant, Values::kRandom, 1, 100, 3, 5);
    EXPECT_EQ(std::count(drawn.begin(), drawn.end(), fence), 8);
    EXPECT_EQ(drawn[2], fence);
    EXPECT_EQ(drawn[103], fence);
  }
}

// Without this, an exact answer could not be asked of a program that adds in an order of its own.
TEST(ValuesTest, AddUpExactlyInFloatInAnyOrderButForFractions) {
  const size_t n = kMostExactElements;
  for (const ValuesInfo& info : kAllValues) {
    if (info.values == Values::kFractions) continue;
    const auto drawn = DrawVector<float>(kFloatSum, info.values, 3, n);
    double exact = 0;
    for (const float x : drawn) exact += x;
    for (const size_t stride : {1u, 2u, 32u, 1024u, 65537u}) {
      float sum = 0;
      for (size_t start = 0; start < stride; ++start) {
        float part = 0;
        for (size_t i = start; i < n; i += stride) part += drawn[i];
        sum += part;
      }
      EXPECT_EQ(sum, exact) << info.name << " added with stride " << stride;
    }
  }
}

TEST(ValuesTest, DoNotOverflowAnInt) {
  for (const ValuesInfo& info : kAllValues) {
    const auto drawn = DrawVector<int32_t>({Element::kInt, Operation::kSum}, info.values, 3, kMostExactElements);
    int64_t positive = 0, negative = 0;
    for (const int32_t x : drawn) (x > 0 ? positive : negative) += x;
    EXPECT_LE(positive, std::numeric_limits<int32_t>::max()) << info.name;
    EXPECT_GE(negative, std::numeric_limits<int32_t>::min()) << info.name;
  }
}

TEST(ValuesTest, HaveOneRowEachInTheTable) {
  std::set<std::string> names;
  for (const ValuesInfo& info : kAllValues) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_EQ(&Info(info.values), &info);
  }
}

}  // namespace
}  // namespace lab1
