// lab10 as the judge sees it: that Check catches every kind of wrong answer and nothing else, that its messages name
// the place and the mistake, and that the inputs are what values.h promises. The right answer is std::stable_sort's.
#include "labs/lab10/lab10_judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "labs/lab10/cases.h"
#include "labs/lab10/lab10.h"
#include "labs/lab10/values.h"
#include "tests/course/rungs.h"

namespace warpgrade {
namespace {

using lab10::Problem;
using testing::HasSubstr;
using testing::Not;

using Elements = std::vector<uint32_t>;

uint32_t Mask(int bits) { return static_cast<uint32_t>((uint64_t{1} << bits) - 1); }

// One sort with its input drawn and its answer computed.
struct Drawn {
  explicit Drawn(uint64_t n, int bits = 32, uint32_t pattern = lab10::kRandom, uint64_t seed = 1) : in(n) {
    c.sizes = {n, static_cast<uint64_t>(bits)};
    c.pattern = pattern;
    Random random(seed);
    Lab10().DrawInput(c, 0, random, std::as_writable_bytes(std::span(in)));
    want = SortedBy([bits](uint32_t a, uint32_t b) { return (a & Mask(bits)) < (b & Mask(bits)); });
  }

  template <typename Less>
  Elements SortedBy(const Less& less) const {
    Elements sorted = in;
    std::stable_sort(sorted.begin(), sorted.end(), less);
    return sorted;
  }
  std::optional<Mismatch> Check(const Elements& out) const {
    const std::span<const std::byte> buffers[] = {std::as_bytes(std::span(in)), std::as_bytes(std::span(out)), {}};
    return Lab10().Check(c, buffers);
  }
  std::string Told(const Elements& out) const {
    const auto wrong = Check(out);
    return wrong ? wrong->message : "right";
  }

  Case c;
  Elements in, want;
};

TEST(Lab10CheckTest, AcceptsTheStableSortOfEverySizeKeyAndPattern) {
  for (const uint64_t n : {0u, 1u, 2u, 33u, 1000u, 70'001u}) {
    for (const int bits : {1, 5, 11, 12, 22, 31, 32}) {
      for (uint32_t pattern = 0; pattern < lab10::kPatternCount; ++pattern) {
        const Drawn drawn(n, bits, pattern);
        EXPECT_EQ(drawn.Told(drawn.want), "right");
      }
    }
  }
}

TEST(Lab10CheckTest, FindsOneWrongElementWhereverItIs) {
  const Drawn drawn(5000);
  for (const size_t index : {0u, 1u, 2047u, 4999u}) {
    Elements out = drawn.want;
    out[index] ^= 1;
    const auto wrong = drawn.Check(out);
    ASSERT_TRUE(wrong.has_value()) << index;
    EXPECT_EQ(wrong->index, index);
    EXPECT_EQ(wrong->count, 1u);
    EXPECT_THAT(wrong->message, HasSubstr("(the only wrong element): 1 element of the input is not in the output"));
  }
}

TEST(Lab10CheckTest, SaysNeverWrittenWherePoisonIsLeft) {
  const Drawn drawn(1000);
  Elements out = drawn.want;
  std::fill(out.begin() + 512, out.end(), 0xcbcbcbcb);
  EXPECT_EQ(drawn.Told(out), "n = 1000: d_out[512] was never written (first of 488 wrong elements).");
}

TEST(Lab10CheckTest, NamesTheMistakeThatGivesExactlyThisAnswer) {
  const Drawn drawn(3000), part(3000, 13, lab10::kFew);
  EXPECT_THAT(drawn.Told(drawn.in), HasSubstr("in the order of the input"));
  EXPECT_THAT(drawn.Told(drawn.SortedBy(std::greater<>())), HasSubstr("the largest key is first"));
  EXPECT_THAT(drawn.Told(drawn.SortedBy([](uint32_t a, uint32_t b) { return int32_t(a) < int32_t(b); })),
              HasSubstr("as if keys were signed"));
  EXPECT_THAT(part.Told(part.SortedBy(std::less<>())), HasSubstr("as if all 32 bits were the key"));
  EXPECT_THAT(drawn.Told(drawn.SortedBy([](uint32_t a, uint32_t b) { return (a & Mask(28)) < (b & Mask(28)); })),
              HasSubstr("as if only the lowest 28 bits were the key"));
  Elements unstable = part.want;
  const auto twin = std::adjacent_find(unstable.begin(), unstable.end(),
                                       [](uint32_t a, uint32_t b) { return a != b && ((a ^ b) & Mask(13)) == 0; });
  ASSERT_NE(twin, unstable.end());
  std::swap(twin[0], twin[1]);
  EXPECT_THAT(part.Told(unstable), HasSubstr("this sort is not stable"));
  Elements parts = drawn.in;
  for (size_t i = 0; i < parts.size(); i += 256) {
    std::sort(parts.begin() + long(i), parts.begin() + long(std::min(i + 256, parts.size())));
  }
  EXPECT_THAT(drawn.Told(parts), HasSubstr("each part of 256 elements is in order"));
  Elements swapped = drawn.want;
  std::swap(swapped[7], swapped[2500]);
  EXPECT_THAT(drawn.Told(swapped), HasSubstr("no element is lost, but their order is wrong"));
  Elements doubled = drawn.want;
  doubled[8] = doubled[7];
  doubled[9] = doubled[7];
  EXPECT_THAT(drawn.Told(doubled), HasSubstr("2 elements of the input are not in the output"));
}

// The bitonic network for the next power of two, of which each step compares only the first `threads` pairs, ordered by
// their left element. The partner of an element differs from it in all bits below the part's size, or in one bit.
Elements AfterNetworkOf(size_t threads, Elements elements) {
  size_t all = 1;
  while (all < elements.size()) all *= 2;
  const auto step = [&](size_t flipped) {
    size_t pairs = 0;
    for (size_t left = 0; left < all && pairs < threads; ++left) {
      const size_t right = left ^ flipped;
      if (right < left) continue;
      ++pairs;
      if (right < elements.size() && elements[left] > elements[right]) std::swap(elements[left], elements[right]);
    }
  };
  for (size_t phase = 2; phase <= all; phase *= 2) {
    step(phase - 1);
    for (size_t distance = phase / 4; distance > 0; distance /= 2) step(distance);
  }
  return elements;
}

TEST(Lab10CheckTest, NamesTheNumberOfPairsOfANetworkThatIsTooSmall) {
  const Drawn drawn(3000);
  EXPECT_EQ(drawn.Told(AfterNetworkOf(2048, drawn.in)), "right");
  EXPECT_THAT(drawn.Told(AfterNetworkOf(1500, drawn.in)),
              HasSubstr("as if only the first 1500 pairs of each step had been compared; the network for 4096 elements "
                        "has 2048"));
  EXPECT_THAT(drawn.Told(AfterNetworkOf(1536, drawn.in)), HasSubstr("the first 1536 pairs")) << "six blocks of 256";
  EXPECT_THAT(drawn.Told(AfterNetworkOf(1400, drawn.in)), Not(HasSubstr("pairs of each step")));
  const Drawn power(1024);
  EXPECT_THAT(power.Told(AfterNetworkOf(511, power.in)), Not(HasSubstr("pairs of each step")));
}

TEST(Lab10ValuesTest, EveryDrawIsFreshAndTheSameSeedRepeatsIt) {
  for (uint32_t pattern = 0; pattern < lab10::kPatternCount; ++pattern) {
    EXPECT_EQ(Drawn(999, 20, pattern, 7).in, Drawn(999, 20, pattern, 7).in);
    EXPECT_NE(Drawn(999, 20, pattern, 7).in, Drawn(999, 20, pattern, 8).in);
  }
}

TEST(Lab10ValuesTest, PatternsAreWhatTheirNamesSay) {
  constexpr int kBits = 20;
  const auto keys = [](uint32_t pattern) {
    Elements of = Drawn(4001, kBits, pattern).in;
    for (uint32_t& element : of) element &= Mask(kBits);
    return of;
  };
  const auto kinds = [](const Elements& of) { return std::set<uint32_t>(of.begin(), of.end()); };
  EXPECT_GT(kinds(keys(lab10::kRandom)).size(), 3900u);
  EXPECT_EQ(kinds(keys(lab10::kEqual)).size(), 1u);
  EXPECT_EQ(kinds(keys(lab10::kFew)).size(), 5u);
  EXPECT_EQ(kinds(keys(lab10::kExtremes)), (std::set<uint32_t>{0, 1, 0x7ffff, 0x80000, 0xffffe, 0xfffff}));
  const Elements sorted = keys(lab10::kSorted), reversed = keys(lab10::kReversed);
  EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end()));
  EXPECT_TRUE(std::is_sorted(reversed.rbegin(), reversed.rend()));
  EXPECT_GT(kinds(sorted).size(), 3900u);
}

// Otherwise no wrong order of equal keys could be seen.
TEST(Lab10ValuesTest, ElementsWithTheSameKeyDifferAboveIt) {
  const Elements in = Drawn(1000, 8, lab10::kEqual).in;
  EXPECT_GT(std::set<uint32_t>(in.begin(), in.end()).size(), 990u);
}

TEST(Lab10CasesTest, PublicCasesCoverWhatTheHandoutPromises) {
  Random random(1);
  std::set<uint64_t> sizes, bits, patterns;
  for (const Case& c : Lab10().Cases("v3_split", CaseSet::kPublic, random)) {
    sizes.insert(c.sizes[0]);
    bits.insert(c.sizes[1]);
    patterns.insert(c.pattern);
    EXPECT_EQ(c.bytes_moved, 8 * c.sizes[0]);
  }
  for (const uint64_t n : {0u, 1u, 2u, 2048u, 16384u}) EXPECT_TRUE(sizes.contains(n)) << n;
  for (const uint64_t b : {1u, 13u, 31u, 32u}) EXPECT_TRUE(bits.contains(b)) << b;
  EXPECT_EQ(patterns.size(), size_t{lab10::kPatternCount});
}

TEST(Lab10CasesTest, OnlyTheRadixRungsSortByAPartOfTheElement) {
  Random random(1);
  for (const std::string& rung : RungsOf("lab10")) {
    const bool whole = rung.starts_with("v1_") || rung.starts_with("v2_");
    for (const CaseSet set : {CaseSet::kPublic, CaseSet::kHidden}) {
      int parts = 0;
      for (const Case& c : Lab10().Cases(rung, set, random)) parts += c.sizes[1] < 32 ? 1 : 0;
      EXPECT_EQ(parts > 4, !whole) << rung;
    }
  }
}

TEST(Lab10CasesTest, HiddenCasesAreDrawnAfreshAndReachEveryPattern) {
  Random random(5);
  const std::vector<Case> first = Lab10().Cases("v5_one_sweep", CaseSet::kHidden, random);
  const std::vector<Case> second = Lab10().Cases("v5_one_sweep", CaseSet::kHidden, random);
  std::set<uint32_t> patterns;
  size_t same = 0;
  for (size_t i = 0; i < first.size(); ++i) {
    patterns.insert(first[i].pattern);
    same += first[i].sizes == second[i].sizes ? 1 : 0;
    EXPECT_LT(first[i].elements, 100'000u) << "the emulator would take long";
  }
  EXPECT_EQ(patterns.size(), size_t{lab10::kPatternCount});
  EXPECT_LT(same, first.size() / 2);
}

TEST(Lab10CasesTest, KernelsHaveToLoadEveryElement) {
  Random random(1);
  for (const Case& c : Lab10().Cases("v1_bitonic", CaseSet::kPublic, random)) {
    EXPECT_EQ(c.loaded_bytes, c.sizes[0] > 1 ? 4 * c.sizes[0] : 0) << c.name;
  }
}

TEST(Lab10SizesTest, TheThroughputCaseIsOneOfItsSizes) {
  Random random(1);
  for (const std::string& rung : RungsOf("lab10")) {
    const Case whole = Lab10().Cases(rung, CaseSet::kThroughput, random).at(0);
    const std::optional<Case> same = Lab10().OfSize(rung, whole.elements);
    ASSERT_TRUE(same);
    EXPECT_EQ(same->name, whole.name);
    EXPECT_EQ(same->sizes, whole.sizes);
    EXPECT_EQ(whole.elements, rung < "v3" ? 1u << 24 : 1u << 27);
  }
}

TEST(Lab10HintTest, HasNoneForAMetricThatDoesNotExist) { EXPECT_EQ(Lab10().Hint("v1_bitonic", "no_such_metric"), ""); }

}  // namespace
}  // namespace warpgrade
