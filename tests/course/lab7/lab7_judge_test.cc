// lab7 as the judge sees it: that Check catches every kind of wrong answer and nothing else, that its messages name
// what the answer looks like, and that the inputs are what values.h promises. Counts are made by sorting, here.
#include "labs/lab7/lab7_judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "labs/lab7/cases.h"
#include "labs/lab7/explain.h"
#include "labs/lab7/lab7.h"
#include "labs/lab7/reference.h"
#include "labs/lab7/values.h"
#include "labs/support/noise.h"
#include "tests/course/rungs.h"

namespace warpgrade {
namespace {

using testing::HasSubstr;
using testing::Not;

using Bytes = std::vector<std::byte>;

constexpr lab7::Pattern kPatterns[] = {lab7::kUniform, lab7::kEqual,  lab7::kSorted,
                                       lab7::kTwo,     lab7::kSkewed, lab7::kOutside};
constexpr uint32_t kPoisonWord = 0xCBCBCBCB;

// One input, drawn, with its counts.
struct Drawn {
  Drawn(uint64_t n, uint64_t bins, int32_t variant = lab7::kByte, lab7::Pattern pattern = lab7::kUniform,
        uint64_t seed = 1) {
    c.variant = variant;
    c.sizes = {n, bins};
    c.pattern = pattern;
    in.resize(Lab7().Buffers(c)[0].bytes);
    Random random(seed);
    Lab7().DrawInput(c, 0, random, in);
    for (uint64_t i = 0; i < n; ++i) elements.push_back(ElementOf(i));
    std::vector<int64_t> sorted = elements;
    std::sort(sorted.begin(), sorted.end());
    for (uint64_t bin = 0; bin < bins; ++bin) {
      const auto range = std::equal_range(sorted.begin(), sorted.end(), static_cast<int64_t>(bin));
      counts.push_back(static_cast<unsigned>(range.second - range.first));
    }
  }

  int64_t ElementOf(uint64_t i) const {
    if (c.variant == lab7::kByte) return static_cast<uint8_t>(in[i]);
    int element;
    std::memcpy(&element, &in[i * 4], 4);
    return element;
  }

  // The counts of the first `n` elements.
  std::vector<unsigned> CountsOf(uint64_t n) const {
    std::vector<unsigned> result(counts.size());
    for (uint64_t i = 0; i < n; ++i) {
      if (elements[i] >= 0 && elements[i] < static_cast<int64_t>(counts.size())) {
        ++result[static_cast<size_t>(elements[i])];
      }
    }
    return result;
  }

  std::optional<Mismatch> Check(const std::vector<unsigned>& out) const {
    const std::span<const std::byte> buffers[] = {in, std::as_bytes(std::span(out))};
    return Lab7().Check(c, buffers);
  }
  std::string Message(const std::vector<unsigned>& out) const {
    const auto wrong = Check(out);
    return wrong ? wrong->message : "right";
  }

  Case c;
  Bytes in;
  std::vector<int64_t> elements;
  std::vector<unsigned> counts;
};

TEST(Lab7CheckTest, AcceptsTheCountsOfEverySizeTypeAndPattern) {
  for (const uint64_t n : {0, 1, 2, 255, 10007}) {
    for (const uint64_t bins : {1, 2, 100, 256, 300, 4096}) {
      for (const int32_t variant : {lab7::kByte, lab7::kInt}) {
        for (const lab7::Pattern pattern : kPatterns) {
          const Drawn drawn(n, bins, variant, pattern);
          EXPECT_EQ(drawn.Message(drawn.counts), "right");
        }
      }
    }
  }
}

// Above kWorkPerThread the reference counts with several threads.
TEST(Lab7CheckTest, AcceptsTheCountsOfManyElements) {
  const Drawn drawn(1'500'001, 1000, lab7::kInt, lab7::kSkewed);
  EXPECT_EQ(drawn.Message(drawn.counts), "right");
}

TEST(Lab7CheckTest, FindsOneMissingElementInAnyBin) {
  const Drawn drawn(100'003, 256);
  for (size_t bin = 0; bin < 256; bin += 51) {
    std::vector<unsigned> out = drawn.counts;
    --out[bin];
    const auto wrong = drawn.Check(out);
    ASSERT_TRUE(wrong.has_value());
    EXPECT_EQ(wrong->index, bin);
    EXPECT_EQ(wrong->count, 1u);
    EXPECT_THAT(wrong->message, HasSubstr("100003 bytes, 256 bins: bin " + std::to_string(bin) + " is "));
    EXPECT_THAT(wrong->message, HasSubstr("(the only wrong one). All counts together are 100002, want 100003."));
  }
}

TEST(Lab7CheckTest, SaysThatAnElementWentToAnotherBin) {
  const Drawn drawn(5000, 64, lab7::kInt);
  std::vector<unsigned> out = drawn.counts;
  --out[3];
  ++out[60];
  const auto wrong = drawn.Check(out);
  ASSERT_TRUE(wrong.has_value());
  EXPECT_EQ(wrong->index, 3u);
  EXPECT_EQ(wrong->count, 2u);
  EXPECT_THAT(wrong->message, HasSubstr("(first of 2 wrong bins). The sum of all counts is right."));
}

TEST(Lab7CheckTest, SaysThatABinWasNeverWritten) {
  const Drawn drawn(0, 8);
  const auto wrong = drawn.Check(std::vector<unsigned>(8, kPoisonWord));
  ASSERT_TRUE(wrong.has_value());
  EXPECT_EQ(wrong->got, "never written");
  EXPECT_EQ(wrong->want, "0");
  EXPECT_THAT(wrong->message, HasSubstr("0 bytes, 8 bins: bin 0 was never written (first of 8 wrong bins, which is"));
}

TEST(Lab7CheckTest, SaysThatTheBinsWereNotCleared) {
  const Drawn drawn(1000, 300);  // some bins stay empty
  std::vector<unsigned> out = drawn.counts;
  for (unsigned& count : out) count += kPoisonWord;
  EXPECT_THAT(drawn.Message(out), HasSubstr("as if the counts had been added to what the bins held before"));
}

TEST(Lab7CheckTest, SaysThatTheTailIsMissing) {
  for (const auto& [n, counted, step] : {std::tuple{1003, 1000, 4}, {1003, 992, 16}, {100'003, 99'840, 256}}) {
    const Drawn drawn(static_cast<uint64_t>(n), 256);
    const std::string message = drawn.Message(drawn.CountsOf(static_cast<uint64_t>(counted)));
    EXPECT_THAT(message, HasSubstr("as if the last " + std::to_string(n - counted) +
                                   " elements, past the last multiple of " + std::to_string(step) + ","));
  }
}

TEST(Lab7CheckTest, SaysThatACounterWasTooNarrow) {
  const Drawn drawn(100'003, 256, lab7::kByte, lab7::kEqual);
  std::vector<unsigned> bytes = drawn.counts, halves = drawn.counts;
  for (unsigned& count : bytes) count %= 256;
  for (unsigned& count : halves) count %= 65536;
  EXPECT_THAT(drawn.Message(bytes), HasSubstr("as if it had been counted in 8 bits"));
  EXPECT_THAT(drawn.Message(halves), HasSubstr("as if it had been counted in 16 bits"));
}

TEST(Lab7CheckTest, SaysHowManyTimesTooOftenEverythingWasCounted) {
  const Drawn drawn(777, 100, lab7::kInt, lab7::kOutside);
  std::vector<unsigned> out = drawn.counts;
  for (unsigned& count : out) count *= 32;
  EXPECT_THAT(drawn.Message(out), HasSubstr("as if every element had been counted 32 times"));
  out[5] += 1;
  EXPECT_THAT(drawn.Message(out), Not(HasSubstr("times")));
}

TEST(Lab7CheckTest, SaysThatNothingWasCounted) {
  const Drawn drawn(777, 100);
  EXPECT_THAT(drawn.Message(std::vector<unsigned>(100)), HasSubstr("as if nothing had been counted"));
}

TEST(Lab7CheckTest, SaysThatBytesWereTakenForNegative) {
  const Drawn drawn(5000, 256);
  std::vector<unsigned> out = drawn.counts;
  std::fill(out.begin() + 128, out.end(), 0u);
  EXPECT_THAT(drawn.Message(out), HasSubstr("as if bytes from 128 on had been taken for negative numbers"));
}

TEST(Lab7CheckTest, SaysThatElementsOutsideWereCountedAtTheEdge) {
  const Drawn drawn(5000, 50, lab7::kInt, lab7::kOutside);
  std::vector<unsigned> out = drawn.counts;
  for (const int64_t element : drawn.elements) {
    if (element < 0) ++out[0];
    if (element >= 50) ++out[49];
  }
  ASSERT_NE(out, drawn.counts);
  EXPECT_THAT(drawn.Message(out), HasSubstr("elements that belong to no bin had been counted"));
}

TEST(Lab7ValuesTest, EveryDrawIsFreshAndTheSameSeedRepeatsIt) {
  for (const int32_t variant : {lab7::kByte, lab7::kInt}) {
    EXPECT_EQ(Drawn(999, 256, variant, lab7::kUniform, 7).in, Drawn(999, 256, variant, lab7::kUniform, 7).in);
    EXPECT_NE(Drawn(999, 256, variant, lab7::kUniform, 7).in, Drawn(999, 256, variant, lab7::kUniform, 8).in);
  }
}

// Noise is drawn for 2048 elements at once. One that came again after those would be as good as the whole input.
TEST(Lab7ValuesTest, EveryElementHasSixteenBitsOfNoiseOfItsOwn) {
  std::vector<uint8_t> in(3 * 2048 + 5);
  lab7::Draw({.n = in.size(), .bins = 97, .variant = lab7::kByte, .pattern = lab7::kUniform}, 7, in.data());
  for (size_t i = 0; i < in.size(); ++i) {
    ASSERT_EQ(in[i], (lab::Noise(7, i / 4) >> (16 * (i % 4)) & 0xffff) * 97 >> 16) << i;
  }
}

TEST(Lab7ValuesTest, UniformReachesEveryBinAboutEquallyOften) {
  for (const int bins : {2, 97, 256}) {
    for (const int32_t variant : {lab7::kByte, lab7::kInt}) {
      const uint64_t n = static_cast<uint64_t>(bins) * 1000;
      const Drawn drawn(n, static_cast<uint64_t>(bins), variant);
      for (const unsigned count : drawn.counts) {
        EXPECT_GT(count, 800u);
        EXPECT_LT(count, 1200u);
      }
    }
  }
}

TEST(Lab7ValuesTest, PatternsAreWhatTheirNamesSay) {
  const Drawn equal(1000, 256, lab7::kByte, lab7::kEqual), two(1000, 256, lab7::kByte, lab7::kTwo),
      sorted(1000, 100, lab7::kInt, lab7::kSorted), skewed(4096, 4096, lab7::kInt, lab7::kSkewed);
  EXPECT_EQ(std::set<int64_t>(equal.elements.begin(), equal.elements.end()).size(), 1u);
  EXPECT_EQ(std::set<int64_t>(two.elements.begin(), two.elements.end()).size(), 2u);
  EXPECT_TRUE(std::is_sorted(sorted.elements.begin(), sorted.elements.end()));
  EXPECT_EQ(std::set<int64_t>(sorted.elements.begin(), sorted.elements.end()).size(), 100u);
  EXPECT_GT(*std::max_element(skewed.counts.begin(), skewed.counts.end()), 1800u);
}

TEST(Lab7ValuesTest, OutsideHoldsEveryKindOfElementThatBelongsToNoBin) {
  const Drawn ints(5000, 50, lab7::kInt, lab7::kOutside);
  const std::set<int64_t> seen(ints.elements.begin(), ints.elements.end());
  for (const int64_t element : {int64_t{-1}, int64_t{std::numeric_limits<int>::min()}, int64_t{-50}, int64_t{50},
                                int64_t{std::numeric_limits<int>::max()}, int64_t{0}, int64_t{49}}) {
    EXPECT_TRUE(seen.contains(element)) << element;
  }
  const Drawn bytes(5000, 50, lab7::kByte, lab7::kOutside);
  EXPECT_EQ(std::set<int64_t>(bytes.elements.begin(), bytes.elements.end()).size(), 256u);
}

TEST(Lab7CasesTest, PublicCasesCoverWhatTheHandoutPromises) {
  Random random(1);
  const std::vector<Case> cases = Lab7().Cases("v1_global", CaseSet::kPublic, random);
  std::set<std::string> names;
  std::set<uint64_t> bins;
  std::set<std::pair<int32_t, uint32_t>> kinds;
  for (const Case& c : cases) {
    EXPECT_TRUE(names.insert(c.name).second) << c.name << " is there twice";
    EXPECT_EQ(c.elements, c.sizes[0]);
    EXPECT_EQ(c.bytes_moved, c.sizes[0] * lab7::ElementBytes(c.variant) + 4 * c.sizes[1]);
    EXPECT_GE(c.sizes[1], 1u);
    EXPECT_LE(c.sizes[1], static_cast<uint64_t>(lab7::kMaxBins));
    bins.insert(c.sizes[1]);
    kinds.insert({c.variant, c.pattern});
  }
  for (const uint64_t count : {1, 2, 97, 256, 300, 1025, 4096}) EXPECT_TRUE(bins.contains(count)) << count;
  for (const lab7::Pattern pattern : kPatterns) {
    EXPECT_TRUE(kinds.contains({lab7::kByte, pattern})) << lab7::Name(pattern);
    EXPECT_TRUE(kinds.contains({lab7::kInt, pattern})) << lab7::Name(pattern);
  }
}

TEST(Lab7CasesTest, HiddenCasesAreDrawnAfreshAndReachEveryPatternAndType) {
  Random random(1);
  const std::vector<Case> first = Lab7().Cases("v1_global", CaseSet::kHidden, random);
  const std::vector<Case> second = Lab7().Cases("v1_global", CaseSet::kHidden, random);
  ASSERT_EQ(first.size(), second.size());
  std::set<std::pair<int32_t, uint32_t>> kinds;
  int same = 0, empty = 0;
  for (size_t i = 0; i < first.size(); ++i) {
    kinds.insert({first[i].variant, first[i].pattern});
    same += first[i].sizes == second[i].sizes ? 1 : 0;
    empty += first[i].sizes[0] == 0 ? 1 : 0;
    EXPECT_GE(first[i].sizes[1], 1u);
    EXPECT_LE(first[i].sizes[1], static_cast<uint64_t>(lab7::kMaxBins));
  }
  EXPECT_EQ(kinds.size(), 2u * lab7::kPatternCount);
  EXPECT_LE(same, 2);
  EXPECT_EQ(empty, 2);
}

// A rung whose kernels load less has guessed, or has counted elsewhere.
TEST(Lab7CasesTest, KernelsHaveToLoadEveryElement) {
  Random random(1);
  for (const CaseSet set : {CaseSet::kPublic, CaseSet::kHidden, CaseSet::kTechnique}) {
    for (const Case& c : Lab7().Cases("v3_warp", set, random)) {
      EXPECT_EQ(c.loaded_bytes, c.sizes[0] * (c.variant == lab7::kInt ? 4 : 1)) << c.name;
    }
  }
}

TEST(Lab7CasesTest, V3IsTimedAndCountedWithEqualElementsTheOthersWithAnyKind) {
  Random random(1);
  for (const std::string& rung : RungsOf("lab7")) {
    for (const CaseSet set : {CaseSet::kTechnique, CaseSet::kThroughput}) {
      const std::vector<Case> cases = Lab7().Cases(rung, set, random);
      ASSERT_EQ(cases.size(), 1u);
      EXPECT_EQ(cases[0].pattern, rung == "v3_warp" ? lab7::kEqual : lab7::kUniform);
      EXPECT_EQ(cases[0].sizes[1], 256u);
      EXPECT_EQ(cases[0].flops, 0u) << "throughput is GB/s";
    }
  }
}

TEST(Lab7SizesTest, TheThroughputCaseIsOneOfItsSizes) {
  Random random(1);
  const Case whole = Lab7().Cases("v3_warp", CaseSet::kThroughput, random).at(0);
  const std::optional<Case> same = Lab7().OfSize("v3_warp", whole.elements);
  ASSERT_TRUE(same);
  EXPECT_EQ(same->sizes, whole.sizes);
  EXPECT_EQ(same->variant, whole.variant);
  EXPECT_EQ(same->pattern, whole.pattern);
  for (uint64_t elements = 1; elements <= whole.elements; elements *= 2) {
    EXPECT_EQ(Lab7().OfSize("v3_warp", elements)->elements, elements);
  }
}

TEST(Lab7HintTest, HasNoneForAMetricThatDoesNotExist) { EXPECT_EQ(Lab7().Hint("v1_global", "no_such_metric"), ""); }

}  // namespace
}  // namespace warpgrade
