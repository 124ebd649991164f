// lab5 as the judge sees it: that Check catches every kind of wrong answer and nothing else, that its messages name the
// place, and that the inputs are what values.h promises. Sums are made by a loop over whole numbers written here: all
// elements but infinities are multiples of 2^-24.
#include "labs/lab5/lab5_judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "labs/lab5/cases.h"
#include "labs/lab5/lab5.h"
#include "labs/lab5/reference.h"
#include "labs/lab5/tolerance.h"
#include "labs/lab5/values.h"

namespace warpgrade {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using Bytes = std::vector<std::byte>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// One scan with its input drawn and its sums computed. Values are floats here, whatever the type of the arrays.
struct Drawn {
  explicit Drawn(uint64_t n, int32_t variant = lab5::kFloatInclusive, uint32_t pattern = lab5::kRandom,
                 uint64_t seed = 1) {
    c.variant = variant;
    c.sizes = {n};
    c.pattern = pattern;
    in.resize(n * 4);
    Random random(seed);
    Lab5().DrawInput(c, 0, random, in);
    int64_t sum = 0;
    bool infinite = false;
    for (uint64_t i = 0; i < n; ++i) {
      const float element = ElementOf(i);
      const float before = infinite ? kInfinity : static_cast<float>(std::ldexp(static_cast<double>(sum), -24));
      infinite = infinite || std::isinf(element);
      if (!infinite) sum += static_cast<int64_t>(std::ldexp(static_cast<double>(element), 24));
      const float after = infinite ? kInfinity : static_cast<float>(std::ldexp(static_cast<double>(sum), -24));
      sums.push_back(lab5::KindOf(variant) == ScanKind::kInclusive ? after : before);
    }
  }

  float ElementOf(uint64_t i) const {
    if (lab5::IsFloat(c.variant)) {
      float element;
      std::memcpy(&element, &in[i * 4], 4);
      return element;
    }
    int32_t element;
    std::memcpy(&element, &in[i * 4], 4);
    return static_cast<float>(element);
  }

  std::optional<Mismatch> Check(const std::vector<float>& out) const {
    Bytes bytes(out.size() * 4);
    for (size_t i = 0; i < out.size(); ++i) {
      const auto whole = static_cast<int32_t>(lab5::IsFloat(c.variant) ? 0 : out[i]);
      std::memcpy(&bytes[i * 4], lab5::IsFloat(c.variant) ? static_cast<const void*>(&out[i]) : &whole, 4);
    }
    return CheckBytes(bytes);
  }
  std::optional<Mismatch> CheckBytes(const Bytes& out) const {
    const std::span<const std::byte> buffers[] = {in, out, {}};
    return Lab5().Check(c, buffers);
  }

  Case c;
  Bytes in;
  std::vector<float> sums;
};

TEST(Lab5CheckTest, AcceptsTheScanOfEverySizeTypeKindAndPattern) {
  for (const uint64_t n : {0u, 1u, 2u, 33u, 1000u, 65536u, 200001u}) {
    for (int32_t variant = 0; variant < lab5::kVariantCount; ++variant) {
      for (uint32_t pattern = 0; pattern < lab5::kPatternCount; ++pattern) {
        if (!lab5::IsFloat(variant) && pattern >= lab5::kFractions) continue;
        const Drawn drawn(n, variant, pattern);
        const auto wrong = drawn.Check(drawn.sums);
        EXPECT_FALSE(wrong.has_value()) << wrong->message;
      }
    }
  }
}

TEST(Lab5CheckTest, FindsOneWrongElementWhereverItIs) {
  for (const int32_t variant : {lab5::kIntExclusive, lab5::kFloatInclusive}) {
    const Drawn drawn(140000, variant);
    for (const size_t index : {0u, 1u, 65535u, 65536u, 131072u, 139999u}) {
      std::vector<float> out = drawn.sums;
      out[index] += 1;
      const auto wrong = drawn.Check(out);
      ASSERT_TRUE(wrong.has_value()) << index;
      EXPECT_EQ(wrong->index, index);
      EXPECT_EQ(wrong->count, 1u);
      EXPECT_THAT(wrong->message, HasSubstr("(the only one)"));
    }
  }
}

TEST(Lab5CheckTest, SaysNeverWrittenWherePoisonIsLeft) {
  const Drawn drawn(1000, lab5::kIntInclusive);
  Bytes out(4000);
  for (size_t i = 0; i < 1000; ++i) {
    const auto sum = static_cast<int32_t>(drawn.sums[i]);
    std::memcpy(&out[i * 4], &sum, 4);
  }
  std::fill(out.begin() + 512 * 4, out.end(), kPoison);
  const auto wrong = drawn.CheckBytes(out);
  ASSERT_TRUE(wrong.has_value());
  EXPECT_EQ(wrong->got, "never written");
  EXPECT_EQ(
      wrong->message,
      "n = 1000, int, inclusive: d_out[512] was never written (first of 488, all from there to the end). 512 is a "
      "multiple of 512.");
}

TEST(Lab5CheckTest, OnePoisonedElementMayComeFromASumThatNobodyWrote) {
  const Drawn fractions(257, lab5::kFloatExclusive, lab5::kFractions);
  Bytes out(257 * 4);
  std::memcpy(out.data(), fractions.sums.data(), out.size());
  std::fill(out.begin() + 256 * 4, out.end(), kPoison);
  const auto wrong = fractions.CheckBytes(out);
  ASSERT_TRUE(wrong.has_value());
  EXPECT_THAT(wrong->message, AllOf(HasSubstr("n = 257, float, exclusive, fractions: d_out[256] was never written"),
                                    HasSubstr("a sum in d_work that nobody wrote")));
}

TEST(Lab5CheckTest, NamesTheOtherKindAndTheWrongShift) {
  const Drawn inclusive(300, lab5::kFloatInclusive), exclusive(300, lab5::kFloatExclusive);
  ASSERT_EQ(inclusive.in, exclusive.in);
  EXPECT_THAT(inclusive.Check(exclusive.sums)->message, HasSubstr("that is the exclusive scan"));
  EXPECT_THAT(exclusive.Check(inclusive.sums)->message, HasSubstr("that is the inclusive scan"));
  std::vector<float> left(inclusive.sums.begin() + 1, inclusive.sums.end());
  left.push_back(0);
  EXPECT_THAT(exclusive.Check(left)->message, HasSubstr("shifted to the left instead of to the right"));
}

TEST(Lab5CheckTest, SaysWhereAScanBeganAnew) {
  for (const int32_t variant : {lab5::kFloatInclusive, lab5::kFloatExclusive}) {
    const Drawn drawn(1500, variant);
    float before = 0;
    for (size_t i = 0; i < 1024; ++i) before += drawn.ElementOf(i);
    ASSERT_NE(before, 0);
    std::vector<float> out = drawn.sums;
    for (size_t i = 1024; i < out.size(); ++i) out[i] -= before;
    EXPECT_THAT(drawn.Check(out)->message,
                AllOf(HasSubstr("as if nothing came before element 1024"), HasSubstr("multiple of 1024")));
  }
}

TEST(Lab5CheckTest, SaysThatElementsWereNotSummed) {
  const Drawn drawn(100);
  std::vector<float> out(100);
  for (size_t i = 0; i < 100; ++i) out[i] = drawn.ElementOf(i);
  EXPECT_THAT(drawn.Check(out)->message, HasSubstr("the elements themselves"));
  out = drawn.sums;
  out[50] += 1;
  EXPECT_THAT(drawn.Check(out)->message, Not(HasSubstr("as if")));
}

TEST(Lab5CheckTest, ANaNOrAnInfinityWhereANumberBelongsIsWrong) {
  for (const uint32_t pattern : {lab5::kRandom, lab5::kOnes, lab5::kFractions}) {
    const Drawn drawn(500, lab5::kFloatExclusive, pattern);
    for (const float value : {kNan, kInfinity, -kInfinity}) {
      std::vector<float> out = drawn.sums;
      out[499] = value;
      const auto wrong = drawn.Check(out);
      ASSERT_TRUE(wrong.has_value());
      EXPECT_EQ(wrong->index, 499u);
    }
  }
}

TEST(Lab5CheckTest, AnInfinitySpoilsWhatComesAfterItAndNothingElse) {
  for (const int32_t variant : {lab5::kFloatInclusive, lab5::kFloatExclusive}) {
    const Drawn drawn(2000, variant, lab5::kInfinity, 3);
    const auto first = static_cast<size_t>(
        std::find_if(drawn.sums.begin(), drawn.sums.end(), [](float s) { return std::isinf(s); }) - drawn.sums.begin());
    ASSERT_GT(first, 0u);
    ASSERT_LT(first, 1999u);
    for (const float value : {kNan, -kInfinity, 1.0f}) {
      std::vector<float> out = drawn.sums;
      out[first + 1] = value;
      EXPECT_TRUE(drawn.Check(out).has_value()) << value;
    }
    std::vector<float> out = drawn.sums;
    out[first - 1] = kInfinity;
    EXPECT_EQ(drawn.Check(out)->index, first - 1);
  }
}

// The inclusive sum minus the element is no exclusive sum: infinity minus infinity is NaN.
TEST(Lab5CheckTest, SubtractingOnesOwnElementIsSeen) {
  const Drawn inclusive(2000, lab5::kFloatInclusive, lab5::kInfinity, 3);
  const Drawn exclusive(2000, lab5::kFloatExclusive, lab5::kInfinity, 3);
  std::vector<float> out = inclusive.sums;
  for (size_t i = 0; i < out.size(); ++i) out[i] -= exclusive.ElementOf(i);
  EXPECT_EQ(exclusive.Check(out)->got, "nan");
}

// Two orders stand for all: one addition after another, and blocks of 256 with the sums of blocks added after that.
TEST(Lab5ToleranceTest, EveryOrderOfAdditionIsRight) {
  const Drawn drawn(200000, lab5::kFloatInclusive, lab5::kFractions);
  std::vector<float> one_by_one(200000), in_blocks(200000);
  float running = 0, before = 0, in_block = 0;
  for (size_t i = 0; i < 200000; ++i) {
    if (i % 256 == 0) {
      before += in_block;
      in_block = 0;
    }
    running += drawn.ElementOf(i);
    in_block += drawn.ElementOf(i);
    one_by_one[i] = running;
    in_blocks[i] = before + in_block;
  }
  EXPECT_NE(one_by_one, in_blocks) << "nothing was rounded";
  EXPECT_FALSE(drawn.Check(one_by_one).has_value());
  EXPECT_FALSE(drawn.Check(in_blocks).has_value());
}

TEST(Lab5ToleranceTest, SumsInAShorterTypeAreSeen) {
  for (const uint32_t pattern : {lab5::kRandom, lab5::kFractions}) {
    const Drawn drawn(100000, lab5::kFloatInclusive, pattern);
    std::vector<float> out = drawn.sums;
    for (float& sum : out) {
      if (sum == 0) continue;
      const int exponent = std::ilogb(sum);
      sum = std::ldexp(std::nearbyint(std::ldexp(sum, 7 - exponent)), exponent - 7);  // bf16: 8 bits
    }
    EXPECT_GT(drawn.Check(out)->count, 100u) << pattern;
  }
}

TEST(Lab5ToleranceTest, WholeNumbersHaveNone) {
  EXPECT_EQ(lab5::AllowedError({.n = 9, .pattern = lab5::kRandom}, 9, 1e6), 0);
  EXPECT_EQ(lab5::AllowedError({.n = 9, .pattern = lab5::kInfinity}, 9, 1e6), 0);
  const double of_64 = lab5::AllowedError({.n = 64, .pattern = lab5::kFractions}, 64, 1);
  EXPECT_DOUBLE_EQ(of_64, 64 * 0x1p-24) << "where the two bounds meet";
}

TEST(Lab5ValuesTest, NoElementIsZeroAndTheSameSeedRepeatsThem) {
  const Drawn drawn(5000, lab5::kIntInclusive);
  std::set<float> values;
  for (uint64_t i = 0; i < 5000; ++i) values.insert(drawn.ElementOf(i));
  EXPECT_EQ(values.size(), 128u);
  EXPECT_FALSE(values.contains(0));
  EXPECT_EQ(*values.begin(), -64);
  EXPECT_EQ(Drawn(99, 0, 0, 7).in, Drawn(99, 0, 0, 7).in);
  EXPECT_NE(Drawn(99, 0, 0, 7).in, Drawn(99, 0, 0, 8).in);
}

TEST(Lab5CasesTest, PublicCasesCoverWhatTheHandoutPromises) {
  Random random(1);
  std::set<std::string> names;
  std::set<uint64_t> sizes;
  std::set<std::pair<int32_t, uint32_t>> kinds;
  for (const Case& c : Lab5().Cases("v1_hillis_steele", CaseSet::kPublic, random)) {
    EXPECT_TRUE(names.insert(c.name).second) << c.name << " is there twice";
    sizes.insert(c.sizes[0]);
    kinds.insert({c.variant, c.pattern});
    EXPECT_EQ(c.elements, c.sizes[0]);
    EXPECT_EQ(c.bytes_moved, 8 * c.sizes[0]);
    EXPECT_TRUE(lab5::IsFloat(c.variant) || c.pattern < lab5::kFractions) << c.name;
    EXPECT_TRUE(c.pattern != lab5::kOnes || c.sizes[0] <= lab5::kMostOnes) << c.name;
  }
  for (const uint64_t n : {0, 1, 2, 31, 32, 33, 255, 256, 257, 1024, 8191, 8192, 8193, 65521, 262145}) {
    EXPECT_TRUE(sizes.contains(n)) << n;
  }
  for (int32_t variant = 0; variant < lab5::kVariantCount; ++variant) {
    EXPECT_TRUE(kinds.contains({variant, lab5::kRandom}));
  }
  EXPECT_TRUE(kinds.contains({lab5::kFloatExclusive, lab5::kInfinity}));
  EXPECT_TRUE(kinds.contains({lab5::kFloatInclusive, lab5::kFractions}));
}

TEST(Lab5CasesTest, HiddenCasesAreDrawnAfreshForEveryVariantAndPattern) {
  Random random(1);
  const std::vector<Case> first = Lab5().Cases("v1_hillis_steele", CaseSet::kHidden, random);
  const std::vector<Case> second = Lab5().Cases("v1_hillis_steele", CaseSet::kHidden, random);
  ASSERT_EQ(first.size(), second.size());
  std::set<std::pair<int32_t, uint32_t>> kinds;
  int same = 0;
  for (size_t i = 0; i < first.size(); ++i) {
    kinds.insert({first[i].variant, first[i].pattern});
    same += first[i].sizes == second[i].sizes ? 1 : 0;
  }
  EXPECT_EQ(kinds.size(), 2u * 2 + 2u * 4);
  EXPECT_LE(same, 3);
}

TEST(Lab5CasesTest, ThroughputCountsBytesReadAndWrittenOnce) {
  Random random(1);
  const std::vector<Case> cases = Lab5().Cases("v6_look_back", CaseSet::kThroughput, random);
  ASSERT_EQ(cases.size(), 1u);
  EXPECT_EQ(cases[0].bytes_moved, uint64_t{1} << 31);
  EXPECT_EQ(cases[0].flops, 0u);
}

TEST(Lab5CasesTest, BuffersAreInputOutputAndAWorkspaceOfTheSizePromised) {
  const auto buffers = Lab5().Buffers(Drawn(1000).c);
  ASSERT_EQ(buffers.size(), 3u);
  EXPECT_EQ(buffers[0].bytes, 4000u);
  EXPECT_EQ(buffers[1].bytes, 4000u);
  EXPECT_EQ(buffers[1].role, BufferSpec::Role::kOutput);
  EXPECT_EQ(buffers[2].role, BufferSpec::Role::kWorkspace);
  EXPECT_EQ(buffers[2].bytes, WorkElements(1000) * 4);
}

// levels.h: two elements for each block on each level, for blocks of 256.
TEST(Lab5CasesTest, TheWorkspaceHasRoomForAllLevels) {
  for (const size_t n : {size_t{1}, size_t{257}, size_t{65537}, size_t{1} << 28, (size_t{1} << 33) + 1}) {
    size_t needed = 0;
    for (size_t count = n; count > 1 || needed == 0;) {
      count = divide_up(count, 256);
      needed += 2 * count;
    }
    EXPECT_LE(needed, WorkElements(n)) << n;
  }
}

TEST(Lab5SizesTest, TheThroughputCaseIsOneOfItsSizes) {
  Random random(1);
  const Case whole = Lab5().Cases("v2_blelloch", CaseSet::kThroughput, random).at(0);
  const std::optional<Case> same = Lab5().OfSize("v2_blelloch", whole.elements);
  ASSERT_TRUE(same);
  EXPECT_EQ(same->sizes, whole.sizes);
  EXPECT_EQ(same->variant, whole.variant);
  EXPECT_EQ(same->pattern, whole.pattern);
  for (uint64_t elements = 1; elements <= whole.elements; elements *= 2) {
    EXPECT_EQ(Lab5().OfSize("v2_blelloch", elements)->elements, elements);
  }
}

TEST(Lab5HintTest, HasNoneForAMetricThatDoesNotExist) {
  EXPECT_EQ(Lab5().Hint("v1_hillis_steele", "no_such_metric"), "");
}

}  // namespace
}  // namespace warpgrade
