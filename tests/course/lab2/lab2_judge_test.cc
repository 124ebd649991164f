// lab2 as the judge sees it: that Check catches every kind of wrong answer and nothing else, that its messages name the
// place, and that the matrices are what values.h promises. Outputs are made by a two-loop transpose written here.
#include "labs/lab2/lab2_judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "labs/lab2/cases.h"
#include "labs/lab2/lab2.h"
#include "labs/lab2/reference.h"
#include "labs/lab2/values.h"

namespace warpgrade {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using Bytes = std::vector<std::byte>;

Case MakeCase(uint64_t rows, uint64_t columns, int32_t variant = lab2::kFloat, uint32_t pattern = lab2::kOrdinary) {
  Case c;
  c.variant = variant;
  c.sizes = {rows, columns};
  c.pattern = pattern;
  return c;
}

Bytes Draw(const Case& c, uint64_t seed = 1) {
  Random random(seed);
  Bytes in(Lab2().Buffers(c)[0].bytes);
  Lab2().DrawInput(c, 0, random, in);
  return in;
}

// The oracle: two loops, byte by byte.
Bytes TransposeByHand(const Case& c, const Bytes& in) {
  const size_t rows = c.sizes[0], columns = c.sizes[1], size = lab2::ElementBytes(c.variant);
  Bytes out(in.size());
  for (size_t row = 0; row < rows; ++row) {
    for (size_t column = 0; column < columns; ++column) {
      std::memcpy(&out[(column * rows + row) * size], &in[(row * columns + column) * size], size);
    }
  }
  return out;
}

std::optional<Mismatch> Check(const Case& c, const Bytes& in, const Bytes& out) {
  const std::span<const std::byte> buffers[] = {in, out};
  return Lab2().Check(c, buffers);
}

template <typename T>
void Set(Bytes& bytes, size_t index, T value) {
  std::memcpy(&bytes[index * sizeof(T)], &value, sizeof(T));
}
template <typename T>
T Get(const Bytes& bytes, size_t index) {
  T value;
  std::memcpy(&value, &bytes[index * sizeof(T)], sizeof(T));
  return value;
}

TEST(Lab2CheckTest, AcceptsTheTransposeOfEverySizeTypeAndPattern) {
  for (const auto& [rows, columns] : {std::pair{0, 0}, {0, 5}, {1, 1}, {33, 31}, {7, 1000}, {700, 900}}) {
    for (int32_t variant = 0; variant < lab2::kVariantCount; ++variant) {
      for (uint32_t pattern = 0; pattern < lab2::kPatternCount; ++pattern) {
        const Case c = MakeCase(rows, columns, variant, pattern);
        const Bytes in = Draw(c);
        EXPECT_FALSE(Check(c, in, TransposeByHand(c, in)).has_value()) << rows << " x " << columns;
      }
    }
  }
}

TEST(Lab2CheckTest, FindsOneWrongElementWhereverItIs) {
  const Case c = MakeCase(70, 41);
  const Bytes in = Draw(c);
  const Bytes right = TransposeByHand(c, in);
  for (size_t index = 0; index < 70 * 41; index += 97) {
    Bytes out = right;
    Set(out, index, -1.0f);
    const auto wrong = Check(c, in, out);
    ASSERT_TRUE(wrong.has_value()) << index;
    EXPECT_EQ(wrong->index, index);
    EXPECT_EQ(wrong->count, 1u);
    EXPECT_EQ(wrong->got, "-1");
  }
}

TEST(Lab2CheckTest, FindsTheLastElementOfALargeMatrix) {
  const Case c = MakeCase(1031, 997);  // large enough for several threads
  const Bytes in = Draw(c);
  Bytes out = TransposeByHand(c, in);
  const size_t last = 1031 * 997 - 1;
  Set(out, last, -2.5f);
  const auto wrong = Check(c, in, out);
  ASSERT_TRUE(wrong.has_value());
  EXPECT_EQ(wrong->index, last);
  EXPECT_EQ(wrong->count, 1u);
}

TEST(Lab2CheckTest, SaysNeverWrittenWherePoisonIsLeft) {
  const Case c = MakeCase(1000, 33);
  const Bytes in = Draw(c);
  Bytes out = TransposeByHand(c, in);
  const size_t row = 32;  // the only row of the output past its last full tile
  std::fill(out.begin() + row * 1000 * 4, out.end(), kPoison);
  const auto wrong = Check(c, in, out);
  ASSERT_TRUE(wrong.has_value());
  EXPECT_EQ(wrong->index, 32000u);
  EXPECT_EQ(wrong->count, 1000u);
  EXPECT_EQ(wrong->got, "never written");
  EXPECT_EQ(
      wrong->message,
      "1000 x 33: out[32000] (row 32, column 0) was never written (first of 1000). All of them lie in rows 32 and "
      "up of the output, past its last multiple of 32.");
}

TEST(Lab2CheckTest, SaysSoWhenTheWrongElementsArePastTheLastFullTileAcross) {
  const Case c = MakeCase(35, 64);
  const Bytes in = Draw(c);
  Bytes out = TransposeByHand(c, in);
  Set(out, 5 * 35 + 34, -1.0f);
  EXPECT_THAT(Check(c, in, out)->message, HasSubstr("It lies in columns 32 and up of the output"));
  Set(out, 0, -1.0f);
  EXPECT_THAT(Check(c, in, out)->message, Not(HasSubstr("multiple of 32")));
}

// Threads of a tile of 32 x 32 leave the kernel if they have no element to load, or do not store for this reason.
TEST(Lab2CheckTest, SaysSoWhenThreadsWithNothingToLoadDoNotStore) {
  const auto message = [](uint64_t rows, uint64_t columns, bool by_row, bool by_column) {
    const Case c = MakeCase(rows, columns);
    const Bytes in = Draw(c);
    Bytes out = TransposeByHand(c, in);
    for (size_t out_row = 0; out_row < columns; ++out_row) {
      for (size_t out_column = 0; out_column < rows; ++out_column) {
        const size_t row = out_column / 32 * 32 + out_row % 32, column = out_row / 32 * 32 + out_column % 32;
        if ((!by_row || row < rows) && (!by_column || column < columns)) continue;
        std::fill_n(out.begin() + static_cast<std::ptrdiff_t>((out_row * rows + out_column) * sizeof(float)),
                    sizeof(float), kPoison);
      }
    }
    const auto mismatch = Check(c, in, out);
    return mismatch ? mismatch->message : "";
  };
  constexpr const char* kGuard =
      "Guard the load and the store, each with its own test, and let all threads reach the barrier";
  EXPECT_THAT(message(33, 33, true, true), AllOf(HasSubstr("never written"), HasSubstr(kGuard)));
  EXPECT_THAT(message(33, 31, true, false), HasSubstr(kGuard));
  EXPECT_THAT(message(100, 45, false, true), HasSubstr(kGuard));
}

TEST(Lab2CheckTest, ASwappedPairNamesWhereTheValueCameFrom) {
  const Case c = MakeCase(4, 3);
  const Bytes in = Draw(c);
  Bytes out = TransposeByHand(c, in);
  std::swap_ranges(out.begin() + 2 * 4, out.begin() + 3 * 4, out.begin() + 7 * 4);
  const auto wrong = Check(c, in, out);
  ASSERT_TRUE(wrong.has_value());
  EXPECT_EQ(wrong->index, 2u);
  EXPECT_EQ(wrong->count, 2u);
  // out[7] is row 1, column 3 of the output: in row 3, column 1, which is in[10].
  EXPECT_THAT(wrong->message, AllOf(HasSubstr("out[2] (row 0, column 2) is "), HasSubstr("(first of 2)"),
                                    HasSubstr(" is in[10] (row 3, column 1).")));
}

TEST(Lab2CheckTest, ACopyIsCalledACopy) {
  const Case c = MakeCase(40, 40);
  const Bytes in = Draw(c);
  const auto wrong = Check(c, in, in);
  ASSERT_TRUE(wrong.has_value());
  EXPECT_EQ(wrong->index, 1u);
  EXPECT_EQ(wrong->count, 40u * 40u - 40u);  // the diagonal is right
  EXPECT_THAT(wrong->message, HasSubstr("copied, not transposed"));
}

TEST(Lab2CheckTest, AnEqualNumberWithOtherBitsIsWrong) {
  const Case c = MakeCase(2, 2);
  Bytes in = Draw(c);
  Set(in, 0, 0.0f);
  Bytes out = TransposeByHand(c, in);
  Set(out, 0, -0.0f);
  const auto wrong = Check(c, in, out);
  ASSERT_TRUE(wrong.has_value());
  EXPECT_EQ(wrong->got, "-0");
  EXPECT_EQ(wrong->want, "0");
}

TEST(Lab2CheckTest, ANaNIsRightOnlyWithItsPayload) {
  const Case c = MakeCase(2, 2);
  Bytes in = Draw(c);
  Set(in, 0, std::bit_cast<float>(0x7fc00123u));
  Bytes out = TransposeByHand(c, in);
  EXPECT_FALSE(Check(c, in, out).has_value());
  Set(out, 0, std::bit_cast<float>(0x7fc00000u));
  const auto wrong = Check(c, in, out);
  ASSERT_TRUE(wrong.has_value());
  EXPECT_EQ(wrong->got, "nan (0x7fc00000)");
  EXPECT_EQ(wrong->want, "nan (0x7fc00123)");
}

TEST(Lab2CheckTest, ANaNWhereANumberBelongsIsWrong) {
  for (const int32_t variant : {lab2::kFloat, lab2::kDouble}) {
    const Case c = MakeCase(33, 2, variant);
    const Bytes in = Draw(c);
    Bytes out = TransposeByHand(c, in);
    if (variant == lab2::kFloat) {
      Set(out, 65, std::numeric_limits<float>::quiet_NaN());
    } else {
      Set(out, 65, std::numeric_limits<double>::quiet_NaN());
    }
    const auto wrong = Check(c, in, out);
    ASSERT_TRUE(wrong.has_value());
    EXPECT_EQ(wrong->index, 65u);
    EXPECT_THAT(wrong->got, HasSubstr("nan"));
  }
}

TEST(Lab2CheckTest, ADoubleWithOnlyItsLowWordWrongIsWrong) {
  const Case c = MakeCase(9, 9, lab2::kDouble);
  const Bytes in = Draw(c);
  Bytes out = TransposeByHand(c, in);
  Set(out, 80, Get<uint64_t>(out, 80) ^ 1);
  EXPECT_EQ(Check(c, in, out)->index, 80u);
}

TEST(Lab2ReferenceTest, EqualsTheTransposeByHand) {
  for (const auto& [rows, columns] : {std::pair{0, 3}, {1, 1}, {31, 65}, {800, 1200}}) {
    for (const int32_t variant : {lab2::kFloat, lab2::kDouble}) {
      const Case c = MakeCase(rows, columns, variant);
      const Bytes in = Draw(c);
      Bytes out(in.size());
      lab2::TransposeReference(
          {.rows = c.sizes[0], .columns = c.sizes[1], .element_bytes = lab2::ElementBytes(variant)}, in.data(),
          out.data());
      EXPECT_EQ(out, TransposeByHand(c, in));
    }
  }
}

TEST(Lab2ValuesTest, OrdinaryValuesAreUniqueFiniteAndNotPoison) {
  const Case c = MakeCase(1024, 1024);
  const Bytes in = Draw(c);
  std::vector<float> values(1024 * 1024);
  std::memcpy(values.data(), in.data(), in.size());
  std::sort(values.begin(), values.end());
  EXPECT_GE(values.front(), 1.0f);
  EXPECT_LT(values.back(), 4.0f);
  EXPECT_EQ(std::adjacent_find(values.begin(), values.end()), values.end());
}

TEST(Lab2ValuesTest, OrdinaryIntsAndDoublesAreUnique) {
  const Bytes ints = Draw(MakeCase(300, 300, lab2::kInt));
  const Bytes doubles = Draw(MakeCase(300, 300, lab2::kDouble));
  std::set<int> seen_ints;
  std::set<double> seen_doubles;
  for (size_t i = 0; i < 90000; ++i) {
    EXPECT_TRUE(seen_ints.insert(Get<int>(ints, i)).second);
    EXPECT_TRUE(seen_doubles.insert(Get<double>(doubles, i)).second);
  }
}

TEST(Lab2ValuesTest, AwkwardFloatsHoldEveryAwkwardKind) {
  const Bytes in = Draw(MakeCase(50, 50, lab2::kFloat, lab2::kAwkward));
  bool quiet_nan = false, signalling_nan = false, minus_zero = false, infinity = false, denormal = false;
  for (size_t i = 0; i < 2500; ++i) {
    const uint32_t bits = Get<uint32_t>(in, i);
    const uint32_t exponent = bits >> 23 & 0xff, mantissa = bits & 0x7fffff;
    quiet_nan |= exponent == 0xff && mantissa > 0x400000;
    signalling_nan |= exponent == 0xff && mantissa != 0 && mantissa < 0x400000;
    minus_zero |= bits == 0x80000000;
    infinity |= exponent == 0xff && mantissa == 0;
    denormal |= exponent == 0 && mantissa != 0;
  }
  EXPECT_TRUE(quiet_nan && signalling_nan && minus_zero && infinity && denormal);
}

TEST(Lab2ValuesTest, EqualRowsAreEqualAndTheirColumnsAreNot) {
  const Bytes in = Draw(MakeCase(20, 30, lab2::kInt, lab2::kEqualRows));
  for (size_t i = 0; i < 600; ++i) EXPECT_EQ(Get<int>(in, i), Get<int>(in, i % 30));
  std::set<int> row;
  for (size_t column = 0; column < 30; ++column) row.insert(Get<int>(in, column));
  EXPECT_EQ(row.size(), 30u);
}

TEST(Lab2ValuesTest, EveryDrawIsFreshAndTheSameSeedRepeatsIt) {
  const Case c = MakeCase(64, 64);
  EXPECT_EQ(Draw(c, 7), Draw(c, 7));
  EXPECT_NE(Draw(c, 7), Draw(c, 8));
  Random random(7);
  Bytes first(64 * 64 * 4), second(64 * 64 * 4);
  Lab2().DrawInput(c, 0, random, first);
  Lab2().DrawInput(c, 0, random, second);
  EXPECT_NE(first, second);
}

TEST(Lab2CasesTest, PublicCasesCoverWhatTheHandoutPromises) {
  Random random(1);
  const std::vector<Case> cases = Lab2().Cases("v3_padded", CaseSet::kPublic, random);
  std::set<std::pair<uint64_t, uint64_t>> sizes;
  std::set<int32_t> variants;
  std::set<std::string> names;
  for (const Case& c : cases) {
    sizes.insert({c.sizes[0], c.sizes[1]});
    variants.insert(c.variant);
    EXPECT_TRUE(names.insert(c.name).second) << c.name << " is there twice";
    EXPECT_EQ(c.elements, c.sizes[0] * c.sizes[1]);
    EXPECT_EQ(c.bytes_moved, 2 * c.elements * lab2::ElementBytes(c.variant));
  }
  for (const auto& [rows, columns] : {std::pair<uint64_t, uint64_t>{0, 0},
                                      {1, 1},
                                      {31, 31},
                                      {32, 32},
                                      {33, 33},
                                      {1000, 33},
                                      {1009, 1009},
                                      {1031, 33},
                                      {1, 1000},
                                      {1000, 1},
                                      {1024, 1024},
                                      {65535 * 32 + 1, 1},
                                      {1, 65535 * 32 + 1}}) {
    EXPECT_TRUE(sizes.contains({rows, columns})) << rows << " x " << columns;
  }
  EXPECT_EQ(variants.size(), 3u);
}

TEST(Lab2CasesTest, OnlyTheMatricesWithMoreTilesThanGridDimYCanCountHaveManyBlocks) {
  Random random;
  std::vector<std::string> names;
  for (const CaseSet set : {CaseSet::kPublic, CaseSet::kHidden, CaseSet::kTechnique}) {
    for (const Case& c : Lab2().Cases("v1_naive", set, random)) {
      if (c.many_blocks) names.push_back(c.name);
    }
  }
  EXPECT_THAT(names, testing::ElementsAre("2097121 x 1, float", "1 x 2097121, float"));
}

TEST(Lab2CasesTest, HiddenCasesAreDrawnAfreshAndReachEveryTypeAndPattern) {
  Random random(1);
  const std::vector<Case> first = Lab2().Cases("v1_naive", CaseSet::kHidden, random);
  const std::vector<Case> second = Lab2().Cases("v1_naive", CaseSet::kHidden, random);
  ASSERT_EQ(first.size(), second.size());
  std::set<std::pair<int32_t, uint32_t>> kinds;
  int same = 0, rectangular = 0;
  for (size_t i = 0; i < first.size(); ++i) {
    kinds.insert({first[i].variant, first[i].pattern});
    same += first[i].sizes == second[i].sizes;
    rectangular += first[i].sizes[0] != first[i].sizes[1];
  }
  EXPECT_EQ(kinds.size(), 9u);
  EXPECT_LE(same, 2);
  EXPECT_GE(rectangular, 12);
}

TEST(Lab2CasesTest, ThroughputIsAskedForFarMoreThanTheL2Cache) {
  Random random(1);
  const std::vector<Case> cases = Lab2().Cases("v5_open", CaseSet::kThroughput, random);
  ASSERT_EQ(cases.size(), 1u);
  EXPECT_EQ(cases[0].sizes, (std::vector<uint64_t>{16384, 16384}));
  EXPECT_EQ(cases[0].bytes_moved, 2u * 4 * 16384 * 16384);
}

TEST(Lab2CasesTest, BuffersAreOneInputAndOneOutputOfTheSameSize) {
  const auto buffers = Lab2().Buffers(MakeCase(3, 5, lab2::kDouble));
  ASSERT_EQ(buffers.size(), 2u);
  EXPECT_EQ(buffers[0].role, BufferSpec::Role::kInput);
  EXPECT_EQ(buffers[1].role, BufferSpec::Role::kOutput);
  EXPECT_EQ(buffers[0].bytes, 120u);
  EXPECT_EQ(buffers[1].bytes, 120u);
}

TEST(Lab2SizesTest, TheThroughputCaseIsOneOfItsSizes) {
  Random random(1);
  const Case whole = Lab2().Cases("v1_naive", CaseSet::kThroughput, random).at(0);
  const std::optional<Case> same = Lab2().OfSize("v1_naive", whole.elements);
  ASSERT_TRUE(same);
  EXPECT_EQ(same->sizes, whole.sizes);
  EXPECT_EQ(same->variant, whole.variant);
  EXPECT_EQ(same->pattern, whole.pattern);
  for (uint64_t elements = 1; elements <= whole.elements; elements *= 2) {
    EXPECT_EQ(Lab2().OfSize("v1_naive", elements)->elements, elements);
  }
}

TEST(Lab2HintTest, HasNoneForAMetricThatDoesNotExist) { EXPECT_EQ(Lab2().Hint("v1_naive", "no_such_metric"), ""); }

}  // namespace
}  // namespace warpgrade
