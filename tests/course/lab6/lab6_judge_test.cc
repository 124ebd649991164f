// lab6 as the judge sees it: that Check catches every kind of wrong answer and nothing else, that its messages name the
// place and what the answer looks like, and that fields and weights are what values.h and weights.h promise. Fields are
// computed by a recursion, here: an element asks its neighbours what they were a step before.
#include "labs/lab6/lab6_judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "labs/lab6/cases.h"
#include "labs/lab6/explain.h"
#include "labs/lab6/lab6.h"
#include "labs/lab6/reference.h"
#include "labs/lab6/tolerance.h"
#include "labs/lab6/values.h"
#include "tests/course/rungs.h"

namespace warpgrade {
namespace {

using lab6::Problem;
using testing::HasSubstr;
using testing::Not;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// One problem with its field drawn and its answer computed.
struct Drawn {
  explicit Drawn(const Problem& problem, uint64_t seed = 1) : p(problem) {
    p.weights = lab6::WeightsKey(p.pattern, problem.weights);
    c.variant = p.points;
    c.sizes = {p.rows, p.columns, static_cast<uint64_t>(p.steps), p.weights};
    c.pattern = p.pattern;
    in.resize(p.Elements());
    Random random(seed);
    Lab6().DrawInput(c, 0, random, std::as_writable_bytes(std::span(in)));
    answer = After(p.steps);
  }

  double Element(size_t row, size_t column, int steps) const {
    const bool in_ring = row == 0 || row + 1 == p.rows || column == 0 || column + 1 == p.columns;
    if (steps == 0 || in_ring) return in[row * p.columns + column];
    const lab6::Weights weights = p.MakeWeights();
    double sum = 0;
    for (size_t i = 0; i < 3; ++i) {
      for (size_t j = 0; j < 3; ++j) {
        if (p.points == 5 && i != 1 && j != 1) continue;
        sum += static_cast<double>(weights.at[i][j]) * Element(row + i - 1, column + j - 1, steps - 1);
      }
    }
    return sum;
  }
  std::vector<float> After(int steps) const {
    std::vector<float> field;
    for (size_t row = 0; row < p.rows; ++row) {
      for (size_t column = 0; column < p.columns; ++column) {
        field.push_back(static_cast<float>(Element(row, column, steps)));
      }
    }
    return field;
  }

  std::optional<Mismatch> Check(const std::vector<float>& out) const {
    const std::span<const std::byte> buffers[] = {std::as_bytes(std::span(in)), std::as_bytes(std::span(out)), {}};
    return Lab6().Check(c, buffers);
  }
  std::string Message(const std::vector<float>& out) const {
    const auto wrong = Check(out);
    return wrong ? wrong->message : "right";
  }

  Problem p;
  Case c;
  std::vector<float> in, answer;
};

float Poison() {
  float value;
  std::memset(&value, static_cast<int>(kPoison), sizeof(value));
  return value;
}

TEST(Lab6CheckTest, AcceptsTheAnswerOfEverySizePointsStepsAndPattern) {
  for (const auto& [rows, columns] : {std::pair{0, 0}, {1, 1}, {2, 9}, {3, 3}, {4, 3}, {13, 17}, {20, 6}}) {
    for (const int32_t points : {5, 9}) {
      for (const int steps : {0, 1, 2, 3, 4}) {
        for (const lab6::Pattern pattern : {lab6::kExact, lab6::kFractions, lab6::kSpoiled}) {
          const Drawn drawn({.rows = static_cast<size_t>(rows),
                             .columns = static_cast<size_t>(columns),
                             .steps = steps,
                             .points = points,
                             .pattern = pattern,
                             .weights = 7});
          EXPECT_EQ(drawn.Message(drawn.answer), "right");
        }
      }
    }
  }
}

// Above kWorkPerThread the reference computes with several threads.
TEST(Lab6CheckTest, AcceptsTheAnswerOfALargeField) {
  const Drawn drawn({.rows = 700, .columns = 900, .steps = 1});
  EXPECT_EQ(drawn.Message(drawn.answer), "right");
}

TEST(Lab6CheckTest, FindsOneElementThatIsWrongByItsLastBitWhereverItIs) {
  const Drawn drawn({.rows = 40, .columns = 33, .steps = 2});
  for (size_t index = 0; index < drawn.answer.size(); index += 101) {
    std::vector<float> out = drawn.answer;
    out[index] = std::nextafter(out[index], 1e9f);
    const auto wrong = drawn.Check(out);
    ASSERT_TRUE(wrong.has_value()) << index;
    EXPECT_EQ(wrong->index, index);
    EXPECT_EQ(wrong->count, 1u);
    EXPECT_THAT(wrong->message, HasSubstr("40 x 33, 9 points, 2 steps: out[" + std::to_string(index) + "] (row " +
                                          std::to_string(index / 33) + ", column " + std::to_string(index % 33)));
  }
}

TEST(Lab6CheckTest, SaysThatElementsWereNeverWritten) {
  const Drawn drawn({.rows = 40, .columns = 33});
  std::vector<float> out = drawn.answer;
  std::fill(out.begin() + 32 * 33, out.end(), Poison());
  const auto wrong = drawn.Check(out);
  ASSERT_TRUE(wrong.has_value());
  EXPECT_EQ(wrong->got, "never written");
  EXPECT_THAT(wrong->message,
              HasSubstr("(row 32, column 0) was never written (first of 264). All of them lie in rows 32 "
                        "and up, past the last multiple of 32."));
}

TEST(Lab6CheckTest, SaysThatTheRingIsWrong) {
  const Drawn drawn({.rows = 20, .columns = 30});
  std::vector<float> out = drawn.answer;
  for (size_t column = 3; column < 10; ++column) out[column] = 0;
  EXPECT_THAT(drawn.Message(out), HasSubstr("All of them lie in the outermost ring, which keeps its values."));
  out[31] += 1;
  EXPECT_THAT(drawn.Message(out), Not(HasSubstr("ring")));
}

TEST(Lab6CheckTest, SaysThatAnotherNumberOfStepsWasDone) {
  const Drawn drawn({.rows = 20, .columns = 30, .steps = 3});
  EXPECT_THAT(drawn.Message(drawn.After(2)), HasSubstr("as if 2 steps had been done instead of 3 steps."));
  EXPECT_THAT(drawn.Message(drawn.After(4)), HasSubstr("as if 4 steps had been done instead of 3 steps."));
  EXPECT_THAT(drawn.Message(drawn.After(0)), HasSubstr("what was there before the first step."));
}

TEST(Lab6CheckTest, SaysThatTheHaloIsWrong) {
  const Drawn drawn({.rows = 50, .columns = 100});
  std::vector<float> out = drawn.answer;
  for (size_t row = 1; row < 49; ++row) {
    for (const size_t column : {31, 32, 63, 64, 95, 96}) out[row * 100 + column] += 1;
  }
  EXPECT_THAT(drawn.Message(out), HasSubstr("All of them lie where tiles 32 columns wide meet."));
  out = drawn.answer;
  for (const size_t row : {7, 8, 15, 16, 39, 40}) {
    for (size_t column = 1; column < 99; ++column) out[row * 100 + column] += 1;
  }
  EXPECT_THAT(drawn.Message(out), HasSubstr("All of them lie where tiles 8 rows high meet."));
  for (size_t row = 1; row < 49; ++row) out[row * 100 + 32] += 2;
  EXPECT_THAT(drawn.Message(out), HasSubstr("where tiles 32 columns wide and 8 rows high meet."));
  out[20 * 100 + 50] += 1;
  EXPECT_THAT(drawn.Message(out), Not(HasSubstr("meet")));
}

TEST(Lab6CheckTest, SaysThatSomethingWasReadThatTakesNoPart) {
  const Drawn drawn({.rows = 20, .columns = 30, .points = 5, .pattern = lab6::kSpoiled});
  std::vector<float> out = drawn.answer;
  for (size_t i = 40; i < 50; ++i) out[i] = kNan;
  EXPECT_THAT(drawn.Message(out), HasSubstr("All of them are NaN, but should be numbers"));
}

TEST(Lab6CheckTest, ANaNWhereANumberBelongsIsWrongAndTheOtherWayAround) {
  for (const lab6::Pattern pattern : {lab6::kExact, lab6::kFractions, lab6::kSpoiled}) {
    const Drawn drawn({.rows = 9, .columns = 9, .pattern = pattern});
    const auto finite =
        std::find_if(drawn.answer.begin(), drawn.answer.end(), [](float e) { return std::isfinite(e); });
    std::vector<float> out = drawn.answer;
    out[static_cast<size_t>(finite - drawn.answer.begin())] = kNan;
    EXPECT_EQ(drawn.Check(out)->count, 1u);
  }
  const Drawn drawn({.rows = 9, .columns = 9, .pattern = lab6::kSpoiled});
  for (size_t i = 0; i < drawn.answer.size(); ++i) {
    if (std::isfinite(drawn.answer[i])) continue;
    std::vector<float> out = drawn.answer;
    out[i] = std::isnan(out[i]) ? 1 : -out[i];
    EXPECT_TRUE(drawn.Check(out).has_value()) << i;
  }
}

// Large fields are compared in blocks: of 64 x 512 elements, for up to 16 steps.
TEST(Lab6CheckTest, AFieldOfSeveralBlocksIsRightWhereItsWholeFieldIsAndWrongWithOneWrongElementAnywhere) {
  for (const auto& [rows, columns] : {std::pair{64, 512}, {65, 513}, {66, 514}, {3, 1100}, {200, 3}, {130, 1030}}) {
    for (const int steps : {0, 1, 4, 16, 17}) {
      for (const lab6::Pattern pattern : {lab6::kExact, lab6::kFractions, lab6::kSpoiled}) {
        Problem p = {.rows = static_cast<size_t>(rows),
                     .columns = static_cast<size_t>(columns),
                     .steps = steps,
                     .pattern = pattern,
                     .weights = lab6::WeightsKey(pattern, 3)};
        std::vector<float> in(p.Elements());
        Draw(p, 11, in.data());
        const std::vector<double> want = Compute(p, in.data(), steps);
        std::vector<float> out(want.begin(), want.end());
        ASSERT_EQ(Compare(p, want, out.data()).count == 0, IsRight(p, in.data(), out.data())) << Size(p);
        if (pattern != lab6::kFractions && steps > lab6::kMostExactSteps) continue;  // rounded, so both say wrong
        EXPECT_TRUE(IsRight(p, in.data(), out.data())) << Size(p);
        if (pattern != lab6::kExact) continue;
        for (const size_t row : {0, 1, 62, 63, 64, 65, rows - 2, rows - 1}) {
          for (const size_t column : {0, 1, 510, 511, 512, 513, 1023, 1024, columns - 1}) {
            if (row >= p.rows || column >= p.columns) continue;
            float& element = out[row * p.columns + column];
            const float right = element;
            element = std::nextafter(right, 1000.0f);
            EXPECT_FALSE(IsRight(p, in.data(), out.data())) << Size(p) << " at " << row << ", " << column;
            element = right;
          }
        }
      }
    }
  }
}

TEST(Lab6CheckTest, ACornerOfFivePointsTakesNoPartAndOneOfNineDoes) {
  Problem p = {.rows = 5, .columns = 5, .points = 5};
  std::vector<float> in(25, 1.0f);
  in[6] = kNan;  // row 1, column 1
  const auto is_nan = [&](size_t index) { return std::isnan(Compute(p, in.data(), 1)[index]); };
  EXPECT_TRUE(is_nan(6) && is_nan(7) && is_nan(11));
  EXPECT_FALSE(is_nan(12) || is_nan(8) || is_nan(1));
  p.points = 9;
  EXPECT_TRUE(is_nan(12));
  EXPECT_FALSE(is_nan(13) || is_nan(0));
}

// A float kernel adds in some order of its own; two orders stand for all.
TEST(Lab6ToleranceTest, EveryOrderOfAdditionIsRightAndAStepLeftOutIsNot) {
  for (const int steps : {1, 40}) {
    const Problem p = {.rows = 60,
                       .columns = 50,
                       .steps = steps,
                       .pattern = lab6::kFractions,
                       .weights = lab6::WeightsKey(lab6::kFractions, 3)};
    std::vector<float> in(p.Elements());
    Draw(p, 5, in.data());
    const lab6::Weights w = p.MakeWeights();
    std::vector<float> forwards = in, backwards = in, fewer = in;
    for (int step = 0; step < steps; ++step) {
      const std::vector<float> f = forwards, b = backwards;
      fewer = forwards;
      for (size_t row = 1; row < 59; ++row) {
        for (size_t column = 1; column < 49; ++column) {
          float sum = 0, other = 0;
          for (size_t k = 0; k < 9; ++k) {
            sum += w.at[k / 3][k % 3] * f[(row + k / 3 - 1) * 50 + column + k % 3 - 1];
            const size_t l = 8 - k;
            other += w.at[l / 3][l % 3] * b[(row + l / 3 - 1) * 50 + column + l % 3 - 1];
          }
          forwards[row * 50 + column] = sum;
          backwards[row * 50 + column] = other;
        }
      }
    }
    const auto wrong = [&](const std::vector<float>& out) {
      return Compare(p, Compute(p, in.data(), steps), out.data()).count;
    };
    EXPECT_EQ(wrong(forwards), 0u);
    EXPECT_EQ(wrong(backwards), 0u);
    EXPECT_GT(wrong(fewer), 58u * 48 / 2);
  }
}

TEST(Lab6ToleranceTest, ValuesKeptInHalfAreSeen) {
  const Drawn drawn({.rows = 20, .columns = 20, .pattern = lab6::kFractions});
  std::vector<float> out = drawn.answer;
  for (float& element : out) element = std::nearbyint(element * 2048) / 2048;
  EXPECT_GT(drawn.Check(out)->count, 380u);
}

TEST(Lab6ValuesTest, ExactValuesHaveAtMost24BitsAfterTheMostSteps) {
  for (uint64_t which = 0; which < 20; ++which) {
    const Problem p = {
        .rows = 30, .columns = 30, .steps = lab6::kMostExactSteps, .weights = lab6::WeightsKey(lab6::kExact, which)};
    std::vector<float> in(p.Elements());
    Draw(p, which, in.data());
    for (const double element : Compute(p, in.data(), p.steps)) {
      EXPECT_EQ(element * 32768, std::nearbyint(element * 32768));
      EXPECT_LT(std::fabs(element), 512);
    }
    double most = 0;  // of all partial sums
    const lab6::Weights w = p.MakeWeights();
    for (const auto& row : w.at) {
      for (const float weight : row) most += std::fabs(static_cast<double>(weight));
    }
    EXPECT_LE(4 * std::pow(most, lab6::kMostExactSteps), 512) << "with 15 bits behind the point that is 24";
  }
}

TEST(Lab6ValuesTest, WeightsOfFractionsArePositiveWithSumOneAndCornersOfFivePointsAreZero) {
  for (uint64_t which = 0; which < 50; ++which) {
    for (const int points : {5, 9}) {
      for (const lab6::Pattern pattern : {lab6::kExact, lab6::kFractions}) {
        const lab6::Weights w = lab6::MakeWeights(points, lab6::WeightsKey(pattern, which));
        float sum = 0;
        for (int k = 0; k < 9; ++k) {
          const float weight = w.at[k / 3][k % 3];
          const bool is_corner = k % 2 == 0 && k != 4;
          EXPECT_EQ(weight == 0, points == 5 && is_corner);
          if (pattern == lab6::kFractions) {
            EXPECT_GE(weight, 0.0f);
          }
          sum += weight;
        }
        if (pattern == lab6::kFractions) {
          EXPECT_EQ(sum, 1.0f);
        }
      }
    }
  }
}

TEST(Lab6ValuesTest, EveryDrawIsFreshAndTheSameSeedRepeatsIt) {
  const Problem p = {.rows = 9, .columns = 8};
  EXPECT_EQ(Drawn(p, 7).in, Drawn(p, 7).in);
  EXPECT_NE(Drawn(p, 7).in, Drawn(p, 8).in);
}

TEST(Lab6CasesTest, PublicCasesCoverWhatTheHandoutPromises) {
  Random random(1);
  for (const std::string& rung : RungsOf("lab6")) {
    std::set<std::string> names;
    std::set<uint64_t> steps;
    std::set<std::pair<int32_t, uint32_t>> kinds;
    bool thin = false, tall = false;
    for (const Case& c : Lab6().Cases(rung, CaseSet::kPublic, random)) {
      EXPECT_TRUE(names.insert(c.name).second) << c.name << " is there twice";
      EXPECT_EQ(c.elements, c.sizes[0] * c.sizes[1]);
      EXPECT_EQ(c.sizes[3] & 1, c.pattern == lab6::kFractions ? 1u : 0u);
      if (c.pattern != lab6::kFractions) {
        EXPECT_LE(c.sizes[2], static_cast<uint64_t>(lab6::kMostExactSteps));
      }
      steps.insert(c.sizes[2]);
      kinds.insert({c.variant, c.pattern});
      thin = thin || (c.sizes[0] < 3 && c.sizes[1] > 3);
      tall = tall || c.sizes[0] > 65535 * 8;
    }
    for (const uint64_t count : {0, 1, 2, 3, 4, 5, 20, 33}) EXPECT_TRUE(steps.contains(count)) << count;
    EXPECT_EQ(kinds.size(), 2u * lab6::kPatternCount);
    EXPECT_TRUE(thin);
    EXPECT_EQ(tall, rung == "v1_naive");
  }
}

TEST(Lab6CasesTest, HiddenCasesAreDrawnAfreshAndReachEveryKind) {
  Random random(1);
  const std::vector<Case> first = Lab6().Cases("v1_naive", CaseSet::kHidden, random);
  const std::vector<Case> second = Lab6().Cases("v1_naive", CaseSet::kHidden, random);
  ASSERT_EQ(first.size(), second.size());
  std::set<std::pair<int32_t, uint32_t>> kinds;
  std::set<uint64_t> steps;
  int same = 0;
  for (size_t i = 0; i < first.size(); ++i) {
    kinds.insert({first[i].variant, first[i].pattern});
    if (first[i].pattern == lab6::kExact) steps.insert(first[i].sizes[2]);
    same += first[i].sizes == second[i].sizes ? 1 : 0;
    EXPECT_EQ(first[i].sizes[3] & 1, first[i].pattern == lab6::kFractions ? 1u : 0u);
    if (first[i].pattern != lab6::kFractions) {
      EXPECT_LE(first[i].sizes[2], 5u);
    }
  }
  EXPECT_EQ(kinds.size(), 2u * lab6::kPatternCount);
  EXPECT_EQ(steps, (std::set<uint64_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(same, 0);
}

TEST(Lab6CasesTest, ThroughputCountsEightBytesForEachElementAndStep) {
  Random random(1);
  const std::vector<Case> cases = Lab6().Cases("v4_open", CaseSet::kThroughput, random);
  ASSERT_EQ(cases.size(), 1u);
  EXPECT_EQ(cases[0].bytes_moved, uint64_t{8} * 8192 * 8192) << "in once, out once, however many steps";
  EXPECT_EQ(cases[0].flops, uint64_t{17} * 8192 * 8192 * 4) << "9 products and 8 sums for each element and step";
}

// What its kernels do not load and store, a rung cannot have computed on the device.
TEST(Lab6CasesTest, KernelsHaveToLoadAndStoreWhatAStepChanges) {
  Random random(1);
  for (const CaseSet set : {CaseSet::kPublic, CaseSet::kHidden, CaseSet::kTechnique}) {
    for (const Case& c : Lab6().Cases("v1_naive", set, random)) {
      const bool changes = c.sizes[0] > 2 && c.sizes[1] > 2 && c.sizes[2] > 0;
      const uint64_t bytes = changes ? 4 * (c.sizes[0] - 2) * (c.sizes[1] - 2) : 0;
      EXPECT_EQ(c.stored_bytes, bytes) << c.name;
      EXPECT_EQ(c.loaded_bytes, bytes) << c.name;
    }
  }
}

TEST(Lab6CasesTest, BuffersAreAnInputAnOutputAndAWorkspace) {
  const auto buffers = Lab6().Buffers(Drawn({.rows = 3, .columns = 5}).c);
  ASSERT_EQ(buffers.size(), 3u);
  for (const auto& buffer : buffers) EXPECT_EQ(buffer.bytes, 60u);
  EXPECT_EQ(buffers[1].role, BufferSpec::Role::kOutput);
  EXPECT_EQ(buffers[2].role, BufferSpec::Role::kWorkspace);
}

TEST(Lab6HintTest, HasNoneForAMetricThatDoesNotExist) { EXPECT_EQ(Lab6().Hint("v1_naive", "no_such_metric"), ""); }

}  // namespace
}  // namespace warpgrade
