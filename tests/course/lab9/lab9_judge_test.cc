// lab9 as the judge sees it: that Check catches every kind of wrong answer and nothing else, that its messages name the
// row and the likely reason, and that the matrices are what values.h promises. Products are made here, from a dense
// matrix.
#include "labs/lab9/lab9_judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "labs/lab9/cases.h"
#include "labs/lab9/elements.h"
#include "labs/lab9/lab9.h"
#include "labs/lab9/values.h"
#include "tests/course/rungs.h"

namespace warpgrade {
namespace {

using lab9::Problem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Problem Matrix(size_t rows, size_t columns, size_t nonzeros, lab9::Lengths lengths = lab9::kUneven,
               lab9::Values values = lab9::kExact) {
  return {.rows = rows, .columns = columns, .nonzeros = nonzeros, .lengths = lengths, .values = values};
}

// One product with its inputs drawn. Every() computes it with what a test puts in the place of a row's sum.
struct Drawn {
  explicit Drawn(const Problem& problem, uint64_t seed = 1) : p(problem) {
    c.sizes = {p.rows, p.columns, p.nonzeros};
    c.pattern = p.Pattern();
    Random random(seed);
    for (const BufferSpec& spec : Lab9().Buffers(c)) {
      buffers.emplace_back(spec.bytes);
      if (spec.role != BufferSpec::Role::kInput) continue;
      Lab9().DrawInput(c, static_cast<int>(buffers.size()) - 1, random, buffers.back());
    }
  }

  template <typename T>
  const T* At(size_t buffer) const {
    return reinterpret_cast<const T*>(buffers[buffer].data());
  }
  int Begin(size_t row) const { return At<int>(0)[row]; }
  int End(size_t row) const { return At<int>(0)[row + 1]; }
  int Length(size_t row) const { return End(row) - Begin(row); }
  size_t Column(int k) const { return static_cast<size_t>(At<int>(1)[k]); }
  double Value(int k) const { return static_cast<double>(At<float>(2)[k]); }
  double X(size_t column) const { return static_cast<double>(At<float>(3)[column]); }

  double Sum(int begin, int end, int step = 1) const {
    double sum = 0;
    for (int k = begin; k < std::min(end, static_cast<int>(p.nonzeros)); k += step) sum += Value(k) * X(Column(k));
    return sum;
  }
  std::vector<float> Every(const std::function<double(size_t row)>& sum) const {
    std::vector<float> y;
    for (size_t row = 0; row < p.rows; ++row) y.push_back(static_cast<float>(sum(row)));
    return y;
  }
  std::vector<float> Right() const {
    return Every([this](size_t row) { return Sum(Begin(row), End(row)); });
  }

  std::optional<Mismatch> Check(const std::vector<float>& y) const {
    std::vector<std::span<const std::byte>> spans(buffers.begin(), buffers.end());
    spans.back() = std::as_bytes(std::span(y));
    return Lab9().Check(c, spans);
  }
  std::string Told(const std::function<double(size_t row)>& mistake) const {
    const auto wrong = Check(Every(mistake));
    return wrong ? wrong->message : "it is right";
  }

  Problem p;
  Case c;
  std::vector<std::vector<std::byte>> buffers;
};

float Poison() {
  float value;
  std::memset(&value, static_cast<int>(kPoison), sizeof(value));
  return value;
}

std::vector<Problem> SomeProblems() {
  std::vector<Problem> problems = {Matrix(0, 0, 0), Matrix(0, 5, 0), Matrix(7, 0, 0), Matrix(1, 1, 1)};
  for (const auto lengths : {lab9::kUneven, lab9::kEven, lab9::kSkewed, lab9::kOneRow}) {
    for (const auto values : {lab9::kExact, lab9::kFractions, lab9::kSpoiled}) {
      problems.push_back(Matrix(1, 40, 100, lengths, values));
      problems.push_back(Matrix(300, 40, 2000, lengths, values));
      problems.push_back(Matrix(500, 700, 90, lengths, values));
    }
  }
  return problems;
}

TEST(Lab9CheckTest, AcceptsTheProductOfADenseMatrix) {
  for (const Problem& p : SomeProblems()) {
    const Drawn d(p);
    std::vector<double> dense(p.rows * p.columns);
    for (size_t row = 0; row < p.rows; ++row) {
      for (int k = d.Begin(row); k < d.End(row); ++k) dense[row * p.columns + d.Column(k)] += d.Value(k);
    }
    std::set<size_t> used;  // 0 * infinity is NaN, so columns without a nonzero are left out
    const std::vector<float> y = d.Every([&](size_t row) {
      used.clear();
      for (int k = d.Begin(row); k < d.End(row); ++k) used.insert(d.Column(k));
      double sum = 0;
      // A column whose values add up to 0 times an infinity is no number in any order: as the list has it.
      for (const size_t column : used) {
        double of_column = 0;
        if (std::isfinite(d.X(column))) {
          of_column = dense[row * p.columns + column] * d.X(column);
        } else {
          for (int k = d.Begin(row); k < d.End(row); ++k) {
            if (d.Column(k) == column) of_column += d.Value(k) * d.X(column);
          }
        }
        sum += of_column;
      }
      return sum;
    });
    const auto wrong = d.Check(y);
    EXPECT_FALSE(wrong.has_value()) << wrong->message;
  }
}

TEST(Lab9CheckTest, FindsOneWrongSumWhereverItIs) {
  for (const auto lengths : {lab9::kUneven, lab9::kSkewed}) {
    const Drawn d(Matrix(700, 300, 5000, lengths));
    const std::vector<float> right = d.Right();
    for (size_t row = 0; row < right.size(); row += 97) {
      std::vector<float> y = right;
      y[row] += 1;
      const auto wrong = d.Check(y);
      ASSERT_TRUE(wrong.has_value()) << row;
      EXPECT_EQ(wrong->index, row);
      EXPECT_EQ(wrong->count, 1u);
      EXPECT_THAT(wrong->message, HasSubstr("(the only wrong row)"));
    }
  }
}

TEST(Lab9CheckTest, SaysNeverWrittenWherePoisonIsLeft) {
  const Drawn d(Matrix(300, 300, 2000, lab9::kSkewed));
  const auto wrong = d.Check(
      d.Every([&](size_t row) { return d.Length(row) == 0 ? double{Poison()} : d.Sum(d.Begin(row), d.End(row)); }));
  ASSERT_TRUE(wrong.has_value());
  EXPECT_EQ(wrong->got, "never written");
  EXPECT_THAT(wrong->message,
              AllOf(HasSubstr("300 x 300, 2000 nonzeros, skewed: d_y["), HasSubstr("was never written (first of"),
                    HasSubstr("All of these rows are empty."), Not(HasSubstr("as if"))));
}

TEST(Lab9CheckTest, InAMatrixWithoutNonzerosTheRowsThatAreMissingAskForMoreBlocks) {
  const Drawn d(Matrix(300, 300, 0, lab9::kUneven));
  const auto wrong = d.Check(d.Every([&](size_t row) { return row < 16 ? 0.0 : double{Poison()}; }));
  ASSERT_TRUE(wrong.has_value());
  EXPECT_THAT(wrong->message, AllOf(HasSubstr("d_y[16] was never written (first of 284 wrong rows)"),
                                    HasSubstr("are there enough blocks"), Not(HasSubstr("empty"))));
  const auto all = d.Check(d.Every([&](size_t) { return double{Poison()}; }));
  ASSERT_TRUE(all.has_value());
  EXPECT_THAT(all->message, HasSubstr("All of these rows are empty."));
}

TEST(Lab9CheckTest, ANaNWhereANumberBelongsIsWrongAndSoIsANumberForANaN) {
  for (const auto values : {lab9::kExact, lab9::kFractions}) {
    const Drawn d(Matrix(100, 100, 900, lab9::kUneven, values));
    for (const float value : {kNan, std::numeric_limits<float>::infinity()}) {
      std::vector<float> y = d.Right();
      y[80] = value;
      EXPECT_TRUE(d.Check(y).has_value());
    }
  }
  const Drawn d(Matrix(500, 40, 5000, lab9::kUneven, lab9::kSpoiled));
  const std::vector<float> right = d.Right();
  for (const auto& is : {+[](float e) { return std::isnan(e); }, +[](float e) { return std::isinf(e); },
                         +[](float e) { return std::isfinite(e); }}) {
    std::vector<float> y = right;
    const auto found = std::find_if(y.begin(), y.end(), is);
    ASSERT_NE(found, y.end()) << "the matrix has no such row";
    *found = std::isfinite(*found) ? kNan : 1;
    EXPECT_TRUE(d.Check(y).has_value());
  }
}

TEST(Lab9ExplainTest, ARowThatIsCutOff) {
  const Drawn d(Matrix(90, 500, 9000));
  EXPECT_THAT(d.Told([&](size_t row) { return d.Sum(d.Begin(row), std::min(d.Begin(row) + 32, d.End(row))); }),
              AllOf(HasSubstr("as if only the first 32 nonzeros of a row had been added"), HasSubstr("They have 3")));
  EXPECT_THAT(d.Told([&](size_t row) { return d.Sum(d.Begin(row), d.End(row), 32); }),
              HasSubstr("as if only every 32nd nonzero of a row had been added: what one of 32 lanes has"));
  EXPECT_THAT(d.Told([&](size_t row) { return d.Sum(d.Begin(row), d.End(row) - 1); }),
              HasSubstr("as if the last nonzero of a row had been left out"));
  EXPECT_THAT(d.Told([&](size_t row) { return d.Sum(d.Begin(row), d.End(row) + 1); }),
              HasSubstr("as if the row had gone on to the first nonzero of the next one"));
}

TEST(Lab9ExplainTest, OtherElementsOfX) {
  const Drawn d(Matrix(200, 200, 2000));
  const auto with = [&](const std::function<double(size_t, int)>& x) {
    return d.Told([&](size_t row) {
      double sum = 0;
      for (int k = d.Begin(row); k < d.End(row); ++k) sum += d.Value(k) * x(row, k);
      return sum;
    });
  };
  EXPECT_THAT(with([](size_t, int) { return 1.0; }), HasSubstr("as if the values had been added without d_x"));
  EXPECT_THAT(with([&](size_t row, int) { return d.X(row); }), HasSubstr("read at the number of the row"));
  EXPECT_THAT(with([&](size_t row, int k) { return d.X(static_cast<size_t>(k - d.Begin(row))); }),
              HasSubstr("read in order, not at d_columns"));
}

TEST(Lab9ExplainTest, SumsThatBeginWithWhatWasThere) {
  const Drawn d(Matrix(200, 200, 2000));
  EXPECT_THAT(d.Told([&](size_t row) { return double{Poison()} + d.Sum(d.Begin(row), d.End(row)); }),
              HasSubstr("as if the sums had been added to what d_y held before"));
  EXPECT_THAT(d.Told([](size_t) { return 0; }), HasSubstr("as if nothing had been added"));
}

TEST(Lab9ExplainTest, WhatFitsNothingIsNotExplained) {
  const Drawn d(Matrix(100, 100, 900));
  std::vector<float> y = d.Right();
  y[50] += 12345;
  y[3] -= 777;
  EXPECT_THAT(d.Check(y)->message, Not(HasSubstr("as if")));
}

TEST(Lab9ToleranceTest, EveryOrderOfAdditionIsRightAndAProductLeftOutIsWrong) {
  const Drawn d(Matrix(60, 900, 30000, lab9::kUneven, lab9::kFractions));
  const auto in_float = [&](bool backwards) {
    return d.Every([&](size_t row) {
      float sum = 0;
      for (int i = 0; i < d.Length(row); ++i) {
        const int k = backwards ? d.End(row) - 1 - i : d.Begin(row) + i;
        sum += static_cast<float>(d.Value(k)) * static_cast<float>(d.X(d.Column(k)));
      }
      return double{sum};
    });
  };
  EXPECT_FALSE(d.Check(in_float(false)).has_value());
  EXPECT_FALSE(d.Check(in_float(true)).has_value());
  const auto wrong = d.Check(d.Every([&](size_t row) { return d.Sum(d.Begin(row) + 1, d.End(row)); }));
  ASSERT_TRUE(wrong.has_value());
  EXPECT_GT(wrong->count, 55u);
}

TEST(Lab9ValuesTest, OffsetsAscendFromNothingToAllNonzeros) {
  for (const Problem& p : SomeProblems()) {
    const Drawn d(p);
    EXPECT_EQ(d.At<int>(0)[0], 0);
    EXPECT_EQ(static_cast<size_t>(d.At<int>(0)[p.rows]), p.nonzeros);
    EXPECT_TRUE(std::is_sorted(d.At<int>(0), d.At<int>(0) + p.rows + 1));
    for (size_t k = 0; k < p.nonzeros; ++k) EXPECT_LT(d.Column(static_cast<int>(k)), p.columns);
  }
}

TEST(Lab9ValuesTest, LengthsAreWhatTheirNameSays) {
  const auto lengths_of = [](lab9::Lengths lengths) {
    const Drawn d(Matrix(3000, 3000, 36000, lengths));
    std::vector<int> all;
    for (size_t row = 0; row < 3000; ++row) all.push_back(d.Length(row));
    std::sort(all.begin(), all.end());
    return all;
  };
  const std::vector<int> uneven = lengths_of(lab9::kUneven), even = lengths_of(lab9::kEven);
  EXPECT_EQ(even.front(), 12);
  EXPECT_EQ(even.back(), 12);
  EXPECT_GE(uneven.front(), 1);
  EXPECT_LE(uneven.back(), 23);
  EXPECT_GT(uneven.back(), 18);
  const std::vector<int> skewed = lengths_of(lab9::kSkewed);
  EXPECT_GT(std::count(skewed.begin(), skewed.end(), 0), 300);
  EXPECT_GE(skewed.back(), 18000);
  EXPECT_GT(skewed[2998], 300) << "other long rows";
  const std::vector<int> one = lengths_of(lab9::kOneRow);
  EXPECT_EQ(one.back(), 36000);
  EXPECT_EQ(one[2998], 0);
}

// Matrices that are timed must take one kernel the same time.
TEST(Lab9ValuesTest, InALargeSkewedMatrixTheLargePartsHoldTheSameOnEveryDrawAndTheSmallPartsDoNot) {
  constexpr uint64_t kRows = uint64_t{1} << 20, kNonzeros = 12 * kRows, kPart = kRows >> 10;
  const auto at = [](uint64_t rows, uint64_t seed, uint64_t row) {
    return static_cast<double>(lab9::SharedOutBefore(rows, rows * 12, seed, row));
  };
  std::set<double> sizes;
  for (uint64_t row = 0; row <= kRows; row += kPart) {
    EXPECT_NEAR(at(kRows, 1, row), at(kRows, 2, row), 0.001 * kNonzeros) << row;
    if (row > 0) sizes.insert(std::round(std::log2(at(kRows, 1, row) - at(kRows, 1, row - kPart))));
  }
  EXPECT_GE(sizes.size(), 8u) << "they are skewed all the same";
  int differ = 0, differ_in_smaller = 0;
  for (uint64_t part = 0; part < 1024; ++part) {
    const uint64_t middle = part * kPart + kPart / 2;
    const double begin = at(kRows, 1, part * kPart), all = at(kRows, 1, part * kPart + kPart) - begin;
    differ += std::abs(at(kRows, 1, middle) - at(kRows, 2, middle)) > 0.2 * all;
    const uint64_t smaller = (part + 1) * (kRows - 1) / 1025;
    differ_in_smaller += std::abs(at(kRows - 1, 1, smaller) - at(kRows - 1, 2, smaller)) > 0.001 * kNonzeros;
  }
  EXPECT_GT(differ, 300);
  EXPECT_GT(differ_in_smaller, 500);
}

TEST(Lab9ValuesTest, EveryDrawIsFreshAndTheSameSeedRepeatsIt) {
  const Problem p = Matrix(300, 200, 3000, lab9::kSkewed);
  EXPECT_EQ(Drawn(p, 7).buffers, Drawn(p, 7).buffers);
  const Drawn seven(p, 7), eight(p, 8);
  for (size_t i = 0; i < 4; ++i) EXPECT_NE(seven.buffers[i], eight.buffers[i]);
}

TEST(Lab9CasesTest, PublicCasesCoverWhatTheHandoutPromises) {
  Random random(1);
  for (const std::string& rung : RungsOf("lab9")) {
    std::set<std::string> names;
    std::set<uint32_t> lengths, values;
    bool without_rows = false, without_nonzeros = false, is_wide = false, is_tall = false;
    for (const Case& c : Lab9().Cases(rung, CaseSet::kPublic, random)) {
      EXPECT_TRUE(names.insert(c.name).second) << c.name << " is there twice";
      lengths.insert(c.pattern % lab9::kLengthsCount);
      values.insert(c.pattern / lab9::kLengthsCount);
      EXPECT_EQ(c.elements, c.sizes[2]);
      EXPECT_EQ(c.bytes_moved, 8 * c.sizes[2] + 4 * (2 * c.sizes[0] + c.sizes[1] + 1));
      without_rows |= c.sizes[0] == 0;
      without_nonzeros |= c.sizes[0] > 0 && c.sizes[2] == 0;
      is_wide |= c.sizes[1] > 4 * c.sizes[0];
      is_tall |= c.sizes[0] > 4 * c.sizes[1];
    }
    EXPECT_EQ(lengths.size(), lab9::kLengthsCount);
    EXPECT_EQ(values.size(), lab9::kValuesCount);
    EXPECT_TRUE(without_rows && without_nonzeros && is_wide && is_tall);
  }
}

TEST(Lab9CasesTest, HiddenCasesAreDrawnAfreshAndReachEveryKind) {
  Random random(1);
  for (int turn = 0; turn < 20; ++turn) {
    const std::vector<Case> first = Lab9().Cases("v1_thread", CaseSet::kHidden, random);
    const std::vector<Case> second = Lab9().Cases("v1_thread", CaseSet::kHidden, random);
    ASSERT_EQ(first.size(), second.size());
    std::set<uint32_t> lengths, values;
    int same = 0;
    for (size_t i = 0; i < first.size(); ++i) {
      lengths.insert(first[i].pattern % lab9::kLengthsCount);
      values.insert(first[i].pattern / lab9::kLengthsCount);
      same += first[i].sizes == second[i].sizes ? 1 : 0;
      EXPECT_TRUE(first[i].sizes[2] == 0 || (first[i].sizes[0] > 0 && first[i].sizes[1] > 0)) << first[i].name;
    }
    EXPECT_EQ(lengths.size(), lab9::kLengthsCount);
    EXPECT_EQ(values.size(), lab9::kValuesCount);
    EXPECT_LE(same, 1);
  }
}

TEST(Lab9CasesTest, EachRungIsTimedWithTheMatrixThatItIsAbout) {
  Random random(1);
  const auto timed = [&](const char* rung) { return Lab9().Cases(rung, CaseSet::kThroughput, random).at(0); };
  EXPECT_EQ(timed("v1_thread").sizes, timed("v2_warp").sizes);
  EXPECT_EQ(timed("v2_warp").sizes[2] / timed("v2_warp").sizes[0], 128u);
  EXPECT_EQ(timed("v3_group").sizes[2] / timed("v3_group").sizes[0], 40u);
  EXPECT_EQ(timed("v4_open").pattern, lab9::kSkewed);
  for (const char* rung : {"v1_thread", "v3_group", "v4_open"}) {
    EXPECT_GT(timed(rung).bytes_moved, uint64_t{1} << 30);
    EXPECT_TRUE(Lab9().OnGpu(timed(rung)).has_value());
  }
}

TEST(Lab9HintTest, HasNoneForAMetricThatDoesNotExist) { EXPECT_EQ(Lab9().Hint("v1_thread", "no_such_metric"), ""); }

}  // namespace
}  // namespace warpgrade
