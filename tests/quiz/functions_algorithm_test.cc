// Reductions and histograms against the emulator's counters; scans and convolutions by doing them another way.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/quiz/ask.h"
#include "tests/quiz/emulated.h"

namespace warpgrade::quiz {
namespace {

TEST(QuizAlgorithmTest, DivergentWarpsAreWhatTheEmulatorCounts) {
  for (const std::string variant : {"modulo", "strided", "sequential"}) {
    Emulated kernel("reduce_" + variant);
    const auto out = kernel.Buffer(4096);
    for (const uint32_t threads : {32u, 64u, 256u, 512u, 1024u}) {
      uint64_t in_all = 0;
      for (uint32_t step = 1; step < threads; step *= 2) {
        SCOPED_TRACE(testing::Message() << variant << ", " << threads << " threads, step " << step);
        const emulator::Counters counted = kernel.Count({1}, {threads}, {out, step});
        const Values asked = {{"variant", variant}, {"threads", double(threads)}, {"step", double(step)}};
        EXPECT_EQ(Number("divergent_warps", asked), double(counted.divergent_branches));
        // Two loads of each working warp; all warps read their element at the end.
        EXPECT_EQ(2 * Number("working_warps", asked), double(counted.shared_load_requests) - threads / 32);
        in_all += counted.divergent_branches;
      }
      EXPECT_EQ(Number("divergent_warps_in_all_steps", {{"variant", variant}, {"threads", double(threads)}}),
                double(in_all));
    }
  }
}

TEST(QuizAlgorithmTest, LaunchesUntilOneIsLeft) {
  const auto launches = [](double n, double per_block) {
    return Number("reduction_launches", {{"n", n}, {"per_block", per_block}});
  };
  EXPECT_EQ(launches(1, 256), 0);
  EXPECT_EQ(launches(256, 256), 1);
  EXPECT_EQ(launches(257, 256), 2);
  EXPECT_EQ(launches(16777216, 256), 3);
}

// Both algorithms as they are written in books, counting.
struct Counted {
  std::vector<double> result;
  int steps = 0, additions = 0;
};
Counted HillisSteele(std::vector<double> x) {
  Counted counted;
  for (size_t d = 1; d < x.size(); d *= 2, ++counted.steps) {
    const std::vector<double> before = x;
    for (size_t i = d; i < x.size(); ++i, ++counted.additions) x[i] = before[i] + before[i - d];
  }
  counted.result = x;
  return counted;
}
Counted Blelloch(std::vector<double> x) {
  Counted counted;
  const size_t n = x.size();
  for (size_t d = 1; d < n; d *= 2, ++counted.steps) {
    for (size_t i = 2 * d - 1; i < n; i += 2 * d, ++counted.additions) x[i] += x[i - d];
  }
  x[n - 1] = 0;
  for (size_t d = n / 2; d >= 1; d /= 2, ++counted.steps) {
    for (size_t i = 2 * d - 1; i < n; i += 2 * d, ++counted.additions) {
      const double left = x[i - d];
      x[i - d] = x[i];
      x[i] += left;
    }
  }
  counted.result = x;
  return counted;
}

TEST(QuizAlgorithmTest, ScansAreAsLongAndAsMuchWorkAsTheBooksAlgorithms) {
  for (size_t n = 2; n <= 64; n *= 2) {
    std::vector<double> input;
    for (size_t i = 0; i < n; ++i) input.push_back(double(i * 7 % 11));
    const Counted inclusive = HillisSteele(input), exclusive = Blelloch(input);
    const Values hillis = {{"algorithm", "hillis_steele"}, {"n", double(n)}};
    const Values blelloch = {{"algorithm", "blelloch"}, {"n", double(n)}};
    EXPECT_EQ(Number("scan_steps", hillis), inclusive.steps);
    EXPECT_EQ(Number("scan_additions", hillis), inclusive.additions);
    EXPECT_EQ(Number("scan_steps", blelloch), exclusive.steps);
    EXPECT_EQ(Number("scan_additions", blelloch), exclusive.additions);
    EXPECT_EQ(List("inclusive_scan", {{"input", input}}), inclusive.result);
    EXPECT_EQ(List("exclusive_scan", {{"input", input}}), exclusive.result);
  }
}

TEST(QuizAlgorithmTest, AConvolutionScattersEachElementAlongTheMask) {
  const std::vector<double> input = {1, 2, 3, 4, 5, 6, 7}, mask = {2, -1, 3, 0, 5};
  std::vector<double> padded(input.size() + mask.size() - 1, 0);  // the product of two polynomials
  for (size_t i = 0; i < input.size(); ++i) {
    for (size_t j = 0; j < mask.size(); ++j) padded[i + j] += input[i] * mask[j];
  }
  const std::vector<double> middle(padded.begin() + 2, padded.end() - 2);
  EXPECT_EQ(List("convolution", {{"input", input}, {"mask", mask}}), middle);
  EXPECT_NE(Refusal("convolution", {{"input", input}, {"mask", std::vector<double>{1, 2}}}), "");
}

TEST(QuizAlgorithmTest, GhostsAreWhatIsMissingFromAllProducts) {
  for (const int n : {1, 2, 10, 100}) {
    for (const int width : {1, 3, 9, 21}) {
      // A convolution of ones with ones adds up the products that are no ghost's.
      double real = 0;
      for (int i = 0; i < n; ++i) real += std::min(i, width / 2) + std::min(n - 1 - i, width / 2) + 1;
      EXPECT_EQ(Number("ghost_products", {{"n", double(n)}, {"width", double(width)}}), double(n) * width - real);
    }
  }
  EXPECT_EQ(Number("mask_multiplications", {{"rows", 5.0}, {"columns", 7.0}}), 35);
  EXPECT_EQ(Number("mask_multiplications", {{"rows", 5.0}, {"columns", 7.0}, {"separable", "yes"}}), 12);
}

TEST(QuizAlgorithmTest, GlobalAtomicsAreWhatTheEmulatorCounts) {
  constexpr uint32_t kN = 5000, kBlocks = 3;
  for (const std::string scheme : {"direct", "private"}) {
    for (const uint32_t bins : {16u, 200u}) {
      Emulated kernel("histogram_" + scheme);
      const auto out = kernel.Buffer(bins * 4);
      const emulator::Counters counted = kernel.Count({kBlocks}, {128}, {out, kN, bins});
      EXPECT_EQ(Number("histogram_global_atomics",
                       {{"scheme", scheme}, {"n", double(kN)}, {"blocks", double(kBlocks)}, {"bins", double(bins)}}),
                double(counted.global_atomic_lanes))
          << scheme << " " << bins;
    }
  }
}

TEST(QuizAlgorithmTest, TheMostWantedBinIsTheMostFrequentRemainder) {
  for (int stride = 0; stride < 70; ++stride) {
    for (const int bins : {1, 7, 16, 64, 256}) {
      std::vector<int> remainders;
      for (int lane = 0; lane < 32; ++lane) remainders.push_back(lane * stride % bins);
      long most = 0;
      for (const int bin : remainders) most = std::max(most, std::count(remainders.begin(), remainders.end(), bin));
      EXPECT_EQ(Number("histogram_turns", {{"stride", double(stride)}, {"bins", double(bins)}}), double(most));
    }
  }
}

// Lane by lane, as the warp does it.
TEST(QuizAlgorithmTest, AWarpOfSparseRowsIsDoneWithItsLongestRow) {
  const std::vector<double> all = {3, 17, 0, 9, 1, 40, 8, 16};
  for (const int lanes : {1, 2, 4, 8, 16, 32}) {
    const std::vector<double> lengths(all.begin(), all.begin() + std::min<long>(std::ssize(all), 32 / lanes));
    std::vector<double> left = lengths;
    int steps = 0;
    while (std::any_of(left.begin(), left.end(), [](double n) { return n > 0; })) {
      for (double& n : left) n -= lanes;
      ++steps;
    }
    EXPECT_EQ(Number("sparse_steps", {{"lengths", lengths}, {"lanes", double(lanes)}}), double(steps)) << lanes;
  }
  EXPECT_NE(Refusal("sparse_steps", {{"lengths", all}, {"lanes", 8.0}}), "");
}

// The chapter's figures, and those of two tables of the course.
TEST(QuizAlgorithmTest, DivergentWarpsOfAllStepsAreThoseOfTheCourseTexts) {
  const auto in_all = [](const char* variant, double threads) {
    return Number("divergent_warps_in_all_steps", {{"variant", variant}, {"threads", threads}});
  };
  EXPECT_EQ(in_all("modulo", 256), 47);
  EXPECT_EQ(in_all("modulo", 512), 95);
  EXPECT_EQ(in_all("sequential", 256), 5);
  EXPECT_EQ(in_all("sequential", 512), 5);
}

TEST(QuizAlgorithmTest, ConvolutionTurnsTheMaskOrNot) {
  const std::vector<double> a = {-3, -2, -1, 0, 1, 2, 3}, mask = {-1, 0, 1};
  const auto convolved = [&](const char* orientation) {
    return List("convolution", {{"input", a}, {"mask", mask}, {"orientation", orientation}});
  };
  EXPECT_EQ(convolved("as_given"), (std::vector<double>{-2, 2, 2, 2, 2, 2, -2}));
  EXPECT_EQ(convolved("turned"), (std::vector<double>{2, -2, -2, -2, -2, -2, 2}));
  EXPECT_EQ(List("convolution", {{"input", a}, {"mask", mask}, {"length", "full"}}),
            (std::vector<double>{3, 2, -2, -2, -2, -2, -2, 2, 3}));
}

TEST(QuizAlgorithmTest, ABitonicSortSortsInAsManySteps) {
  for (const int n : {2, 4, 16, 256, 1024}) {
    std::vector<int> x(n);
    for (int i = 0; i < n; ++i) x[i] = i * 37 % n * 7 % 11;
    int steps = 0, comparisons = 0;
    for (int size = 2; size <= n; size *= 2) {
      for (int distance = size / 2; distance > 0; distance /= 2, ++steps) {
        for (int i = 0; i < n; ++i) {
          const int partner = i ^ distance;
          if (partner < i) continue;
          ++comparisons;
          const bool ascending = (i & size) == 0;
          if ((x[i] > x[partner]) == ascending) std::swap(x[i], x[partner]);
        }
      }
    }
    EXPECT_TRUE(std::is_sorted(x.begin(), x.end())) << n;
    EXPECT_EQ(Number("sort_steps", {{"n", double(n)}}), steps);
    EXPECT_EQ(Number("sort_comparisons", {{"n", double(n)}}), comparisons);
  }
  EXPECT_EQ(Number("sort_comparisons", {{"n", 1024.0}}), 28160);
}

TEST(QuizAlgorithmTest, TheDigitsOfAllPassesMakeUpTheKey) {
  for (const int key : {0, 1, 1000, 4095, 123'456'789, 2'147'483'647}) {
    for (const int digit_bits : {1, 3, 4, 8, 11}) {
      const double passes = Number("radix_passes", {{"bits", 31.0}, {"digit_bits", double(digit_bits)}});
      double rest = key, weight = 1;
      for (int pass = 0; pass < passes; ++pass, weight *= 1 << digit_bits) {
        rest -= weight * Number("radix_digit",
                                {{"key", double(key)}, {"digit_bits", double(digit_bits)}, {"pass", double(pass)}});
      }
      EXPECT_EQ(rest, 0) << key << ", digits of " << digit_bits << " bits";
      EXPECT_GT(weight, 2'147'483'647.0) << "a pass is missing";
      EXPECT_LE(weight / (1 << digit_bits), 2'147'483'647.0) << "a pass too many";
    }
  }
}

TEST(QuizAlgorithmTest, EveryPatternHasATask) {
  const auto pattern = [](const char* task) { return Word("pattern_of", {{"task", task}}); };
  EXPECT_EQ(pattern("render each frame of a film"), "independent");
  EXPECT_EQ(pattern("find the best mark of a class"), "reduction");
  EXPECT_EQ(pattern("compute the balance of an account after each of its bookings"), "scan");
  EXPECT_EQ(pattern("hash a password a million times, each time the result of the time before"), "serial");
}

}  // namespace
}  // namespace warpgrade::quiz
