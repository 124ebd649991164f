// lab3 as the judge sees it: that Check catches every kind of wrong answer and nothing else, that its messages name the
// place, and that the matrices are what values.h promises. Products are made by three loops written here.
#include "labs/lab3/lab3_judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "labs/lab3/cases.h"
#include "labs/lab3/elements.h"
#include "labs/lab3/lab3.h"
#include "labs/lab3/reference.h"
#include "labs/lab3/tolerance.h"
#include "labs/lab3/values.h"
#include "tests/course/rungs.h"

namespace warpgrade {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using Bytes = std::vector<std::byte>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// One multiplication with its inputs drawn and its exact sums computed.
struct Drawn {
  Drawn(uint64_t m, uint64_t k, uint64_t n, uint32_t pattern = lab3::kExact, int32_t variant = lab3::kFloat,
        uint64_t seed = 1) {
    c.variant = variant;
    c.sizes = {m, k, n};
    c.pattern = pattern;
    const auto buffers = Lab3().Buffers(c);
    a.resize(buffers[0].bytes);
    b.resize(buffers[1].bytes);
    Random random(seed);
    Lab3().DrawInput(c, 0, random, a);
    Lab3().DrawInput(c, 1, random, b);
    sums.resize(m * n);
    for (uint64_t i = 0; i < m; ++i) {
      for (uint64_t j = 0; j < n; ++j) {
        for (uint64_t l = 0; l < k; ++l) sums[i * n + j] += ElementOf(a, i * k + l) * ElementOf(b, l * n + j);
      }
    }
  }

  double ElementOf(const Bytes& matrix, uint64_t i) const {
    if (c.variant == lab3::kHalf) {
      uint16_t half;
      std::memcpy(&half, &matrix[i * 2], 2);
      return static_cast<double>(lab3::HalfToFloat(half));
    }
    float element;
    std::memcpy(&element, &matrix[i * 4], 4);
    return static_cast<double>(element);
  }

  // The right answer, as a float kernel gives it where sums are exact.
  std::vector<float> Product() const { return {sums.begin(), sums.end()}; }

  std::optional<Mismatch> Check(const std::vector<float>& out) const {
    const std::span<const std::byte> buffers[] = {a, b, std::as_bytes(std::span(out))};
    return Lab3().Check(c, buffers);
  }

  Case c;
  Bytes a, b;
  std::vector<double> sums;
};

float Poison() {
  float value;
  std::memset(&value, static_cast<int>(kPoison), sizeof(value));
  return value;
}

TEST(Lab3CheckTest, AcceptsTheProductOfEverySizeTypeAndPattern) {
  for (const auto& [m, k, n] : {std::tuple{0, 0, 0}, {0, 5, 3}, {4, 0, 5}, {1, 1, 1}, {33, 31, 65}, {7, 300, 2}}) {
    for (const int32_t variant : {lab3::kFloat, lab3::kHalf}) {
      for (const uint32_t pattern : {lab3::kExact, lab3::kFractions}) {
        const Drawn drawn(m, k, n, pattern, variant);
        const auto wrong = drawn.Check(drawn.Product());
        EXPECT_FALSE(wrong.has_value()) << wrong->message;
      }
    }
  }
}

TEST(Lab3CheckTest, FindsOneWrongElementWhereverItIs) {
  const Drawn drawn(45, 20, 33);
  for (size_t index = 0; index < 45 * 33; index += 97) {
    std::vector<float> out = drawn.Product();
    out[index] = std::nextafter(out[index], 1e9f);
    const auto wrong = drawn.Check(out);
    ASSERT_TRUE(wrong.has_value()) << index;
    EXPECT_EQ(wrong->index, index);
    EXPECT_EQ(wrong->count, 1u);
    EXPECT_THAT(wrong->message, HasSubstr("(the only one)"));
  }
}

TEST(Lab3CheckTest, AnEmptySumIsZeroAndHasToBeWritten) {
  const Drawn drawn(3, 0, 4);
  EXPECT_FALSE(drawn.Check(std::vector<float>(12, 0.0f)).has_value());
  const auto wrong = drawn.Check(std::vector<float>(12, Poison()));
  ASSERT_TRUE(wrong.has_value());
  EXPECT_EQ(wrong->message,
            "3 x 0 times 0 x 4: C[0] (row 0, column 0) was never written (first of 12, which is all of "
            "them).");
}

TEST(Lab3CheckTest, SaysNeverWrittenWherePoisonIsLeft) {
  const Drawn drawn(70, 5, 40);
  std::vector<float> out = drawn.Product();
  std::fill(out.begin() + 64 * 40, out.end(), Poison());
  const auto wrong = drawn.Check(out);
  ASSERT_TRUE(wrong.has_value());
  EXPECT_EQ(wrong->index, 64u * 40);
  EXPECT_EQ(wrong->count, 240u);
  EXPECT_EQ(wrong->got, "never written");
  EXPECT_THAT(wrong->message, AllOf(HasSubstr("C[2560] (row 64, column 0) was never written (first of 240)."),
                                    HasSubstr("All of them lie in rows 64 and up, past the last multiple of 64.")));
}

TEST(Lab3CheckTest, SaysSoWhenTheWrongElementsArePastTheLastFullTileAcross) {
  const Drawn drawn(64, 3, 35);
  std::vector<float> out = drawn.Product();
  out[5 * 35 + 34] += 1;
  EXPECT_THAT(drawn.Check(out)->message, HasSubstr("It lies in columns 32 and up, past the last multiple of 32."));
  out[0] += 1;
  EXPECT_THAT(drawn.Check(out)->message, Not(HasSubstr("multiple")));
}

TEST(Lab3CheckTest, SaysThatTheLastProductsWereLeftOut) {
  const Drawn drawn(20, 40, 20);
  std::vector<float> out = drawn.Product();
  double part = 0;
  for (uint64_t l = 0; l < 32; ++l) part += drawn.ElementOf(drawn.a, 3 * 40 + l) * drawn.ElementOf(drawn.b, l * 20 + 7);
  out[3 * 20 + 7] = static_cast<float>(part);
  EXPECT_THAT(drawn.Check(out)->message, HasSubstr("as if only the first 32 of 40 products had been added"));
  out[3 * 20 + 7] = 0;
  EXPECT_THAT(drawn.Check(out)->message, HasSubstr("as if no product had been added"));
}

TEST(Lab3CheckTest, SaysThatAnElementBelongsToTheTransposedPlace) {
  const Drawn drawn(20, 6, 20);
  std::vector<float> out = drawn.Product();
  std::swap(out[2 * 20 + 9], out[9 * 20 + 2]);
  const auto wrong = drawn.Check(out);
  ASSERT_TRUE(wrong.has_value());
  EXPECT_EQ(wrong->count, 2u);
  EXPECT_THAT(wrong->message, HasSubstr("what belongs to row 9, column 2"));
}

TEST(Lab3CheckTest, ANaNWhereANumberBelongsIsWrong) {
  for (const uint32_t pattern : {lab3::kExact, lab3::kFractions}) {
    const Drawn drawn(9, 30, 9, pattern);
    for (const float value : {kNan, kInfinity}) {
      std::vector<float> out = drawn.Product();
      out[80] = value;
      const auto wrong = drawn.Check(out);
      ASSERT_TRUE(wrong.has_value());
      EXPECT_EQ(wrong->index, 80u);
    }
  }
}

TEST(Lab3CheckTest, ANaNSpoilsItsRowAndAnInfinityItsColumnAndNothingElse) {
  for (const int32_t variant : {lab3::kFloat, lab3::kHalf}) {
    const Drawn drawn(12, 7, 15, lab3::kSpoiled, variant);
    size_t nans = 0, infinities = 0, finite = 0;
    for (const double sum : drawn.sums) {
      nans += std::isnan(sum) ? 1 : 0;
      infinities += std::isinf(sum) ? 1 : 0;
      finite += std::isfinite(sum) ? 1 : 0;
    }
    EXPECT_EQ(nans, 15u);
    EXPECT_EQ(infinities, 11u);
    EXPECT_EQ(finite, 11u * 14);
    EXPECT_FALSE(drawn.Check(drawn.Product()).has_value());

    std::vector<float> out = drawn.Product();
    const auto nan = std::find_if(out.begin(), out.end(), [](float e) { return std::isnan(e); });
    *nan = 1;
    EXPECT_TRUE(drawn.Check(out).has_value()) << "a number where NaN belongs";
    out = drawn.Product();
    const auto infinity = std::find_if(out.begin(), out.end(), [](float e) { return std::isinf(e); });
    *infinity = -*infinity;
    EXPECT_TRUE(drawn.Check(out).has_value()) << "the other infinity";
  }
}

// A float kernel adds in some order of its own; two orders stand for all.
TEST(Lab3ToleranceTest, EveryOrderOfAdditionIsRight) {
  const Drawn drawn(40, 400, 40, lab3::kFractions);
  std::vector<float> forwards(1600), in_pairs(1600);
  for (uint64_t i = 0; i < 1600; ++i) {
    float sum = 0, even = 0, odd = 0;
    for (uint64_t l = 0; l < 400; ++l) {
      const auto a = static_cast<float>(drawn.ElementOf(drawn.a, i / 40 * 400 + l));
      const auto b = static_cast<float>(drawn.ElementOf(drawn.b, l * 40 + i % 40));
      sum += a * b;
      (l % 2 == 0 ? even : odd) += a * b;
    }
    forwards[i] = sum;
    in_pairs[i] = even + odd;
  }
  EXPECT_FALSE(drawn.Check(forwards).has_value());
  EXPECT_FALSE(drawn.Check(in_pairs).has_value());
}

TEST(Lab3ToleranceTest, OneProductLeftOutIsWrong) {
  const Drawn drawn(10, 400, 10, lab3::kFractions);
  std::vector<float> out = drawn.Product();
  for (size_t i = 0; i < out.size(); ++i) {
    const double last = drawn.ElementOf(drawn.a, i / 10 * 400 + 399) * drawn.ElementOf(drawn.b, 399 * 10 + i % 10);
    out[i] = static_cast<float>(drawn.sums[i] - last);
  }
  EXPECT_GT(drawn.Check(out)->count, 95u);
}

// Keeps the `bits` highest bits of the mantissa, as TF32 (11), half (11) and bf16 (8) do.
float Rounded(float value, int bits) {
  const int exponent = std::ilogb(value);
  return std::ldexp(std::nearbyint(std::ldexp(value, bits - 1 - exponent)), exponent - (bits - 1));
}

TEST(Lab3ToleranceTest, InputsRoundedToTensorCoreTypesAreSeenInExactSums) {
  for (const int bits : {11, 8}) {
    const Drawn drawn(20, 300, 20);
    std::vector<float> out(400);
    for (uint64_t i = 0; i < 400; ++i) {
      double sum = 0;
      for (uint64_t l = 0; l < 300; ++l) {
        sum += static_cast<double>(Rounded(static_cast<float>(drawn.ElementOf(drawn.a, i / 20 * 300 + l)), bits)) *
               drawn.ElementOf(drawn.b, l * 20 + i % 20);
      }
      out[i] = static_cast<float>(sum);
    }
    EXPECT_GT(drawn.Check(out)->count, 350u) << bits << " bits";
  }
}

TEST(Lab3ToleranceTest, SumsInHalfAreSeen) {
  const Drawn drawn(20, 300, 20, lab3::kExact, lab3::kHalf);
  std::vector<float> out(400);
  for (uint64_t i = 0; i < 400; ++i) {
    float sum = 0;
    for (uint64_t l = 0; l < 300; ++l) {
      sum += static_cast<float>(drawn.ElementOf(drawn.a, i / 20 * 300 + l) * drawn.ElementOf(drawn.b, l * 20 + i % 20));
      if (sum != 0) sum = Rounded(sum, 11);
    }
    out[i] = sum;
  }
  EXPECT_GT(drawn.Check(out)->count, 200u);
}

// Above lab3::kMostProducts a random vector compares.
class Lab3LargeTest : public testing::Test {
 protected:
  static constexpr lab3::Problem kLarge = {.m = 600, .k = 500, .n = 900};
  static_assert(600.0 * 500 * 900 > lab3::kMostProducts);

  Lab3LargeTest() : a_(kLarge.m * kLarge.k), b_(kLarge.k * kLarge.n), c_(kLarge.m * kLarge.n) {
    DrawA(kLarge, 1, a_.data());
    DrawB(kLarge, 2, b_.data());
    for (size_t i = 0; i < kLarge.m; ++i) {
      const lab3::ReferenceRow row = ComputeRow(kLarge, a_.data(), b_.data(), i);
      std::copy(row.sum.begin(), row.sum.end(), c_.begin() + static_cast<ptrdiff_t>(i * kLarge.n));
    }
  }
  lab3::Difference Compared() const { return Compare(kLarge, a_.data(), b_.data(), c_.data()); }

  std::vector<float> a_, b_, c_;
};

TEST_F(Lab3LargeTest, TheProductIsRightAndItsSumsAreExact) {
  EXPECT_EQ(Compared().count, 0u);
  for (const float sum : c_) EXPECT_LT(std::fabs(sum), 4096) << "more than 24 bits";
}

TEST_F(Lab3LargeTest, OneElementThatIsWrongByItsLastBitIsFound) {
  c_[123 * 900 + 899] = std::nextafter(c_[123 * 900 + 899], 1e9f);
  const lab3::Difference d = Compared();
  EXPECT_EQ(d.count, 1u);
  EXPECT_EQ(d.first, 123u * 900 + 899);
  EXPECT_FALSE(d.there_are_more);
}

TEST_F(Lab3LargeTest, ANaNAndAnElementThatWasNeverWrittenAreFound) {
  c_[5] = kNan;
  c_[c_.size() - 1] = Poison();
  const lab3::Difference d = Compared();
  EXPECT_EQ(d.count, 2u);
  EXPECT_EQ(d.first, 5u);
  EXPECT_EQ(d.max_row, 599u);
}

TEST_F(Lab3LargeTest, WhenAllIsWrongTheFirstRowsAreEnough) {
  std::fill(c_.begin(), c_.end(), 0.5f);
  const lab3::Difference d = Compared();
  EXPECT_TRUE(d.there_are_more);
  EXPECT_EQ(d.first, 0u);
  EXPECT_GE(d.count, 8u * 890);
}

TEST(Lab3ValuesTest, ExactFloatsHaveMoreBitsThanTf32) {
  const Drawn drawn(64, 64, 64);
  int rounded = 0;
  for (uint64_t i = 0; i < 64 * 64; ++i) {
    const double a = drawn.ElementOf(drawn.a, i), b = std::fabs(drawn.ElementOf(drawn.b, i));
    EXPECT_EQ(a * 4096, std::nearbyint(a * 4096));
    EXPECT_TRUE(b == 1 || b == 2);
    rounded += static_cast<double>(Rounded(static_cast<float>(a), 11)) != a ? 1 : 0;
  }
  EXPECT_EQ(rounded, 64 * 64);
}

TEST(Lab3ValuesTest, EveryDrawIsFreshAndTheSameSeedRepeatsIt) {
  EXPECT_EQ(Drawn(9, 8, 7, lab3::kExact, lab3::kFloat, 7).a, Drawn(9, 8, 7, lab3::kExact, lab3::kFloat, 7).a);
  EXPECT_NE(Drawn(9, 8, 7, lab3::kExact, lab3::kFloat, 7).a, Drawn(9, 8, 7, lab3::kExact, lab3::kFloat, 8).a);
  const Drawn square(8, 8, 8);
  EXPECT_NE(square.a, square.b);
}

TEST(Lab3ValuesTest, HalvesKeepTheirValue) {
  for (const float value : {0.0f, 1.0f, -31.0f, 0.5f, 2047.0f / 2048, -1.0f / 2048, kInfinity}) {
    EXPECT_EQ(lab3::HalfToFloat(lab3::ExactHalf(value)), value);
  }
  EXPECT_TRUE(std::isnan(lab3::HalfToFloat(lab3::ExactHalf(kNan))));
  EXPECT_EQ(lab3::HalfToFloat(0x3c00), 1.0f);
  EXPECT_EQ(lab3::HalfToFloat(0x0001), 0x1p-24f);  // the smallest denormal
}

TEST(Lab3CasesTest, PublicCasesCoverWhatTheHandoutPromises) {
  Random random(1);
  for (const std::string& rung : RungsOf("lab3")) {
    const std::vector<Case> cases = Lab3().Cases(rung, CaseSet::kPublic, random);
    std::set<std::vector<uint64_t>> sizes;
    std::set<std::string> names;
    std::set<uint32_t> patterns;
    for (const Case& c : cases) {
      sizes.insert(c.sizes);
      patterns.insert(c.pattern);
      EXPECT_TRUE(names.insert(c.name).second) << c.name << " is there twice";
      EXPECT_EQ(c.elements, c.sizes[0] * c.sizes[2]);
      EXPECT_EQ(c.flops, 2 * c.sizes[0] * c.sizes[1] * c.sizes[2]);
      EXPECT_EQ(c.variant, rung == "v7_tensor" ? lab3::kHalf : lab3::kFloat);
    }
    EXPECT_EQ(patterns.size(), 3u);
    for (const std::vector<uint64_t>& size : {std::vector<uint64_t>{0, 0, 0},
                                              {33, 0, 35},
                                              {1, 1, 1},
                                              {32, 32, 32},
                                              {31, 32, 32},
                                              {32, 33, 32},
                                              {32, 32, 33},
                                              {211, 223, 227},
                                              {100, 200, 300},
                                              {256, 64, 384},
                                              {1, 1000, 1}}) {
      EXPECT_TRUE(sizes.contains(size)) << size[0] << " x " << size[1] << " x " << size[2];
    }
  }
}

TEST(Lab3CasesTest, RungsWithSmallBlocksGetMoreOfThemThanGridDimYCanCount) {
  using Sizes = std::vector<uint64_t>;
  constexpr uint64_t kTooManyOf32 = 65536 * 32 + 1;  // and of 8 and 16 all the more
  for (const std::string& rung : RungsOf("lab3")) {
    Random random(1);
    std::set<Sizes> sizes;
    for (const Case& c : Lab3().Cases(rung, CaseSet::kHidden, random)) sizes.insert(c.sizes);
    EXPECT_EQ(sizes.contains(Sizes{1, 0, kTooManyOf32}), rung == "v1_naive") << rung;
    EXPECT_EQ(sizes.contains(Sizes{kTooManyOf32, 0, 1}), rung == "v2_coalesced" || rung == "v3_tiled") << rung;
  }
}

TEST(Lab3CasesTest, HiddenCasesAreDrawnAfreshAndReachEveryPattern) {
  Random random(1);
  const std::vector<Case> first = Lab3().Cases("v1_naive", CaseSet::kHidden, random);
  const std::vector<Case> second = Lab3().Cases("v1_naive", CaseSet::kHidden, random);
  ASSERT_EQ(first.size(), second.size());
  std::set<uint32_t> patterns;
  int same = 0, empty_sums = 0;
  for (size_t i = 0; i < first.size(); ++i) {
    patterns.insert(first[i].pattern);
    same += first[i].sizes == second[i].sizes ? 1 : 0;
    empty_sums += first[i].sizes[1] == 0 ? 1 : 0;
  }
  EXPECT_EQ(patterns.size(), 3u);
  EXPECT_LE(same, 2);  // one of them is the same in each grading: that of the test above
  EXPECT_EQ(empty_sums, 2);
}

TEST(Lab3CasesTest, ThroughputCountsOperations) {
  Random random(1);
  const std::vector<Case> cases = Lab3().Cases("v6_open", CaseSet::kThroughput, random);
  ASSERT_EQ(cases.size(), 1u);
  EXPECT_EQ(cases[0].sizes, (std::vector<uint64_t>{4096, 4096, 4096}));
  EXPECT_EQ(cases[0].flops, uint64_t{1} << 37);
  EXPECT_EQ(cases[0].pattern, lab3::kExact) << "what a random vector can compare";
}

TEST(Lab3CasesTest, BuffersAreTwoInputsAndOneOutput) {
  const auto floats = Lab3().Buffers(Drawn(3, 5, 7).c);
  ASSERT_EQ(floats.size(), 3u);
  EXPECT_EQ(floats[0].bytes, 60u);
  EXPECT_EQ(floats[1].bytes, 140u);
  EXPECT_EQ(floats[2].bytes, 84u);
  EXPECT_EQ(floats[2].role, BufferSpec::Role::kOutput);
  EXPECT_EQ(Lab3().Buffers(Drawn(3, 5, 7, lab3::kExact, lab3::kHalf).c)[0].bytes, 30u);
}

TEST(Lab3HintTest, HasNoneForAMetricThatDoesNotExist) { EXPECT_EQ(Lab3().Hint("v1_naive", "no_such_metric"), ""); }

}  // namespace
}  // namespace warpgrade
