// What lab1's judge accepts and what it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "labs/lab1/lab1_judge.h"
#include "labs/lab1/tolerance.h"
#include "tests/course/lab1/answers.h"

namespace lab1 {
namespace {

using testing::HasSubstr;

constexpr Variant kIntSum = {Element::kInt, Operation::kSum};
constexpr Variant kIntMax = {Element::kInt, Operation::kMax};
constexpr Variant kFloatSum = {Element::kFloat, Operation::kSum};
constexpr Variant kFloatMax = {Element::kFloat, Operation::kMax};
constexpr Variant kDoubleSum = {Element::kDouble, Operation::kSum};

// Adds as a GPU does: `threads` strided chains, then a tree.
float AddLikeAGpu(std::span<const float> in, size_t threads) {
  std::vector<float> part(threads, 0.0f);
  for (size_t i = 0; i < in.size(); ++i) part[i % threads] += in[i];
  for (size_t step = threads / 2; step > 0; step /= 2) {
    for (size_t t = 0; t < step; ++t) part[t] += part[t + step];
  }
  return part[0];
}

// Keeps the first `bits` bits of the significand: 11 is fp16 (without its range) and TF32, 8 is bf16.
float RoundTo(int bits, float x) {
  int exponent = 0;
  const double fraction = std::frexp(static_cast<double>(x), &exponent);
  return static_cast<float>(std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), exponent - bits));
}

float AddLikeAGpuIn(int bits, std::span<const float> in, size_t threads) {
  std::vector<float> part(threads, 0.0f);
  for (size_t i = 0; i < in.size(); ++i) part[i % threads] = RoundTo(bits, part[i % threads] + in[i]);
  for (size_t step = threads / 2; step > 0; step /= 2) {
    for (size_t t = 0; t < step; ++t) part[t] = RoundTo(bits, part[t] + part[t + step]);
  }
  return part[0];
}

TEST(Lab1CheckTest, AcceptsAnyReasonableOrderOfFloatAdditions) {
  for (const uint64_t n : {1u, 33u, 1000u, 65537u, 1u << 20}) {
    for (const Values values : {Values::kRandom, Values::kFractions}) {
      for (const size_t threads : {1u << 11, 1u << 15, 1u << 18}) {
        const auto c = MakeTestCase(kFloatSum, values, n);
        const auto verdict = VerdictOn<float>(c, [&](auto in) { return AddLikeAGpu(in, threads); });
        EXPECT_EQ(MessageOf(verdict), "right") << n << " elements, " << threads << " threads";
      }
    }
  }
}

TEST(Lab1CheckTest, RefusesSumsKeptInFewerBits) {
  for (const int bits : {8, 11}) {
    for (const Values values : {Values::kRandom, Values::kFractions}) {
      const auto c = MakeTestCase(kFloatSum, values, 1 << 17);
      const auto verdict = VerdictOn<float>(c, [&](auto in) { return AddLikeAGpuIn(bits, in, 1 << 12); });
      EXPECT_NE(MessageOf(verdict), "right") << bits << " bits, " << Info(values).name;
    }
  }
}

TEST(Lab1CheckTest, RefusesADoubleSumKeptInFloat) {
  const auto c = MakeTestCase(kDoubleSum, Values::kFractions, 5000);
  const auto verdict = VerdictOn<double>(c, [](std::span<const double> in) {
    float sum = 0;
    for (const double x : in) sum += static_cast<float>(x);
    return static_cast<double>(sum);
  });
  EXPECT_NE(MessageOf(verdict), "right");
}

TEST(Lab1CheckTest, RefusesASumWithoutOneElementAtAnySize) {
  for (const uint64_t n : {2u, 33u, 1000u, (1u << 20) + 7, 1u << 22}) {
    const auto c = MakeTestCase(kFloatSum, Values::kRandom, n);
    const auto verdict = VerdictOn<float>(c, [](auto in) { return AddLikeAGpu(in.first(in.size() - 1), 1 << 12); });
    EXPECT_THAT(MessageOf(verdict), HasSubstr("as if the last element had been left out")) << n;
  }
}

TEST(Lab1CheckTest, RefusesNaN) {
  for (const Variant variant : {kFloatSum, kFloatMax}) {
    const auto c = MakeTestCase(variant, Values::kFractions, 100);
    const auto verdict = VerdictOn<float>(c, [](auto) { return std::numeric_limits<float>::quiet_NaN(); });
    ASSERT_TRUE(verdict);
    EXPECT_EQ(verdict->got, "nan");
    EXPECT_THAT(verdict->message, HasSubstr("declared __shared__?"));
    EXPECT_THAT(verdict->message, HasSubstr("no element is NaN"));
  }
}

TEST(Lab1CheckTest, RefusesInfinityButForTheMaximumOfNothing) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(VerdictOn<float>(MakeTestCase(kFloatMax, Values::kRandom, 0), [](auto) { return kInfinity; }));
  EXPECT_TRUE(VerdictOn<float>(MakeTestCase(kFloatSum, Values::kFractions, 9), [](auto) { return kInfinity; }));
  EXPECT_FALSE(VerdictOn<float>(MakeTestCase(kFloatMax, Values::kRandom, 0), [](auto) { return -kInfinity; }));
  // FLT_MIN and -FLT_MAX are the neutral elements that people take for it.
  EXPECT_TRUE(VerdictOn<float>(MakeTestCase(kFloatMax, Values::kRandom, 0),
                               [](auto) { return std::numeric_limits<float>::lowest(); }));
}

TEST(Lab1CheckTest, SaysThatThePoisonIsStillThere) {
  const auto c = MakeTestCase(kIntSum, Values::kRandom, 100);
  const auto verdict = VerdictOn<int32_t>(c, [](auto) { return static_cast<int32_t>(0xCBCBCBCBu); });
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->got, "never written");
  EXPECT_THAT(verdict->message, HasSubstr("d_out[0] was never written"));
}

TEST(Lab1CheckTest, RefusesAnIntSumThatIsOffByOne) {
  const auto c = MakeTestCase(kIntSum, Values::kRandom, 1000);
  const auto verdict = VerdictOn<int32_t>(c, [](auto in) {
    int32_t sum = 1;
    for (const int32_t x : in) sum += x;
    return sum;
  });
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->index, 0u);
  EXPECT_EQ(verdict->count, 1u);
}

TEST(Lab1CasesTest, PublicOnesHaveTheSizesOfTheHandout) {
  Random random(1);
  std::set<uint64_t> sizes;
  std::set<int32_t> variants;
  std::set<std::string> names;
  for (const Case& c : Lab1().Cases("v1_interleaved_modulo", CaseSet::kPublic, random)) {
    sizes.insert(c.sizes[kCount]);
    variants.insert(c.variant);
    EXPECT_TRUE(names.insert(c.name).second) << c.name << " appears twice";
  }
  for (const uint64_t n : {0, 1, 31, 32, 33, 1000, 65537, (1 << 20) + 7}) EXPECT_TRUE(sizes.contains(n)) << n;
  EXPECT_EQ(variants.size(), 6u);
}

TEST(Lab1CasesTest, HiddenOnesDifferFromSeedToSeedButAlwaysCoverTheAdversarialValues) {
  std::set<std::string> first;
  for (const uint64_t seed : {1u, 2u, 3u}) {
    Random random(seed);
    const auto cases = Lab1().Cases("v1_interleaved_modulo", CaseSet::kHidden, random);
    std::set<uint32_t> patterns;
    std::set<uint64_t> fronts;
    uint64_t elements = 0;
    std::string all;
    for (const Case& c : cases) {
      patterns.insert(c.pattern);
      fronts.insert(c.sizes[kFront]);
      elements += c.sizes[kCount];
      all += c.name + "\n";
      EXPECT_LE(c.sizes[kCount], kMostExactElements);
    }
    EXPECT_EQ(patterns.size(), std::size(kAllValues));
    EXPECT_EQ(fronts.size(), 4u);
    EXPECT_LT(elements, 1'500'000u);  // what the emulator has time for
    EXPECT_TRUE(first.insert(all).second);
  }
}

// Every case must be answerable: the reference's own answer, rounded to T, is right.
TEST(Lab1CasesTest, AcceptTheReferenceItself) {
  for (const CaseSet set : {CaseSet::kPublic, CaseSet::kHidden, CaseSet::kTechnique}) {
    Random random(11);
    for (const Case& c : Lab1().Cases("v9_one_pass", set, random)) {
      const Variant variant = VariantFromNumber(c.variant);
      auto answer = [&]<typename T>(std::span<const T> in) {
        return static_cast<T>(Reduce(variant.operation, in.subspan(c.sizes[kFront], c.sizes[kCount])).value);
      };
      const auto verdict = variant.element == Element::kInt     ? VerdictOn<int32_t>(c, answer)
                           : variant.element == Element::kFloat ? VerdictOn<float>(c, answer)
                                                                : VerdictOn<double>(c, answer);
      EXPECT_EQ(MessageOf(verdict), "right") << c.name;
    }
  }
}

TEST(Lab1CasesTest, DeclareTheBytesThatTheTaskMustMove) {
  Random random(1);
  const Case c = Lab1().Cases("v9_one_pass", CaseSet::kThroughput, random).front();
  EXPECT_EQ(c.bytes_moved, uint64_t{4} << 28);
  EXPECT_EQ(c.elements, 1u << 28);
}

TEST(Lab1BuffersTest, LeaveRoomForFencesAndWorkspace) {
  const auto buffers = Lab1().Buffers(MakeTestCase(kDoubleSum, Values::kRandom, 1000, 1, 5));
  ASSERT_EQ(buffers.size(), 3u);
  EXPECT_EQ(buffers[kInBuffer].bytes, 1006u * 8);
  EXPECT_EQ(buffers[kOutBuffer].bytes, 8u);
  EXPECT_EQ(buffers[kWorkBuffer].bytes, WorkElements(1000) * 8);
  EXPECT_EQ(Lab1().Buffers(MakeTestCase(kIntMax, Values::kRandom, 0))[kInBuffer].bytes, 0u);
}

// The passes of labs/lab1/lab1.h put their partial results one after another.
TEST(Lab1BuffersTest, WorkspaceHoldsAllPassesOfTheSmallestBlock) {
  for (uint64_t n = 1; n < (uint64_t{1} << 40); n = n * 3 + 1) {
    uint64_t used = 0;
    for (uint64_t left = (n + 31) / 32; left > 1; left = (left + 31) / 32) used += left;
    EXPECT_LE(used, WorkElements(n)) << n;
  }
}

TEST(Lab1SizesTest, TheThroughputCaseIsOneOfItsSizes) {
  Random random(1);
  const Case whole = Lab1().Cases("v3_sequential", CaseSet::kThroughput, random).at(0);
  const std::optional<Case> same = Lab1().OfSize("v3_sequential", whole.elements);
  ASSERT_TRUE(same);
  EXPECT_EQ(same->sizes, whole.sizes);
  EXPECT_EQ(same->variant, whole.variant);
  EXPECT_EQ(same->pattern, whole.pattern);
  for (uint64_t elements = 1; elements <= whole.elements; elements *= 2) {
    EXPECT_EQ(Lab1().OfSize("v3_sequential", elements)->elements, elements);
  }
}

TEST(Lab1HintTest, HasNoneForAMetricThatDoesNotExist) { EXPECT_EQ(Lab1().Hint("v3_sequential", "no_such_metric"), ""); }

TEST(Lab1NoteTest, IsForAV5WithOneElementForEachThread) {
  const auto note = [](const char* rung, double elements) {
    return Lab1().Note(rung, {{"elements_per_thread", elements}});
  };
  EXPECT_THAT(note("v5_last_warp", 1), HasSubstr("more than one thread for two elements, but in v4 and v5"));
  EXPECT_EQ(note("v5_last_warp", 2), "");
  EXPECT_EQ(note("v3_sequential", 1), "");
  EXPECT_EQ(Lab1().Note("v5_last_warp", {}), "");
}

}  // namespace
}  // namespace lab1
