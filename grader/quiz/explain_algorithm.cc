// The arithmetic of the functions of functions_algorithm.cc. Tested by tests/quiz/explain_test.cc.
#include <fmt/format.h>

#include <cmath>

#include "grader/quiz/explanations.h"
#include "grader/quiz/value_text.h"

namespace warpgrade::quiz {
namespace {

std::string Given(const Arguments& a, const char* name) { return ValueText(a.Number(name)); }

int LogOf(const Arguments& a) { return static_cast<int>(std::lround(std::log2(a.Number("n")))); }

// The threads that add in a step of a reduction, in words.
std::string WorkersText(const std::string& variant, const std::string& step) {
  if (variant == "modulo") return fmt::format("thread tid adds if tid % (2 x {}) == 0", step);
  if (variant == "strided") return fmt::format("thread tid adds if 2 x {} x tid is below the size of the block", step);
  return fmt::format("thread tid adds if tid < {}", step);
}

std::string DivergesText(const Arguments& a, const std::string& step) {
  return WorkersText(a.Word("variant"), step) +
         fmt::format("; of the {} warps, those with both kinds of threads", (a.Whole("threads") + 31) / 32);
}

// "8 + 8 + 4 + 2 + 1" for the steps of a reduction.
std::string StepsText(const Arguments& a) {
  std::string sum;
  for (int step = 1; step < a.Whole("threads"); step *= 2) {
    const Values values = {{"variant", a.Word("variant")}, {"threads", a.Number("threads")}, {"step", double(step)}};
    const Result<Value> warps = Compute(*FindFunction("divergent_warps"), values);
    WARPGRADE_CHECK(warps.ok());
    sum += (sum.empty() ? "" : " + ") + ValueText(*warps);
  }
  return sum;
}

std::string LaunchesText(const Arguments& a) {
  std::string text = Given(a, "n");
  for (double n = a.Number("n"); n > 1;) {
    n = std::ceil(n / a.Number("per_block"));
    text += " -> " + ValueText(n);
  }
  return text + "; the number of arrows";
}

std::string SortStepsText(const Arguments& a) {
  return fmt::format("k = log2 {} = {}; k x (k + 1) / 2 steps", Given(a, "n"), LogOf(a));
}

}  // namespace

// Long because it is a table: one row for each function.
std::vector<Explanation> AlgorithmExplanations() {
  return {
      {"divergent_warps", [](const Arguments& a) { return DivergesText(a, Given(a, "step")); }},
      {"divergent_warps_in_all_steps",
       [](const Arguments& a) { return DivergesText(a, "step") + "; step 1, 2, 4 ...: " + StepsText(a); }},
      {"working_warps",
       [](const Arguments& a) {
         return WorkersText(a.Word("variant"), Given(a, "step")) + "; warps with at least one such thread";
       }},
      {"reduction_launches", LaunchesText},
      {"scan_steps",
       [](const Arguments& a) {
         const bool blelloch = a.Word("algorithm") == "blelloch";
         return fmt::format("{}log2 {}{}", blelloch ? "2 x " : "", Given(a, "n"),
                            blelloch ? ", up and down; the clear of the last place is no step" : "");
       }},
      {"scan_additions",
       [](const Arguments& a) {
         const std::string n = Given(a, "n");
         if (a.Word("algorithm") == "blelloch") return fmt::format("2 x ({} - 1), up and down", n);
         return fmt::format("{0} - d additions in the step with distance d: {0} x {1} - ({0} - 1)", n, LogOf(a));
       }},
      {"sort_steps", SortStepsText},
      {"sort_comparisons",
       [](const Arguments& a) { return SortStepsText(a) + fmt::format(" x {} / 2 comparisons", Given(a, "n")); }},
      {"radix_passes",
       [](const Arguments& a) {
         return fmt::format("{} bits / {}, rounded up", Given(a, "bits"), Given(a, "digit_bits"));
       }},
      {"radix_digit",
       [](const Arguments& a) {
         return fmt::format("{} / 2^({} x {}), rounded down, modulo 2^{}", Given(a, "key"), Given(a, "pass"),
                            Given(a, "digit_bits"), Given(a, "digit_bits"));
       }},
      {"pattern_of", [](const Arguments& a) { return fmt::format("to {}", a.Word("task")); }},
      {"inclusive_scan", [](const Arguments& a) { return "sums up to each element of " + ValueText(a.List("input")); }},
      {"exclusive_scan",
       [](const Arguments& a) { return "sums before each element of " + ValueText(a.List("input")); }},
      {"convolution",
       [](const Arguments& a) {
         const size_t radius = a.List("mask").size() / 2;
         return fmt::format("out[i] = sum over j of mask[j] x input[{}], r = {}, for i from {} to {}; ghosts are 0",
                            a.Word("orientation") == "turned" ? "i + r - j" : "i - r + j", radius,
                            a.Word("length") == "full" ? fmt::format("-{}", radius) : "0",
                            a.List("input").size() - 1 + (a.Word("length") == "full" ? radius : 0));
       }},
      {"mask_multiplications",
       [](const Arguments& a) {
         return fmt::format("{} {} {}", Given(a, "rows"), a.Word("separable") == "yes" ? "+" : "x",
                            Given(a, "columns"));
       }},
      {"ghost_products",
       [](const Arguments& a) {
         return fmt::format("at each end r + (r - 1) + ... + 1 with r = {} / 2, rounded down", Given(a, "width"));
       }},
      {"histogram_turns",
       [](const Arguments& a) {
         return fmt::format("lane l uses bin l x {} % {}; the most lanes of one bin", Given(a, "stride"),
                            Given(a, "bins"));
       }},
      {"histogram_global_atomics",
       [](const Arguments& a) {
         if (a.Word("scheme") == "direct") return std::string("one for each of the elements");
         return fmt::format("{} blocks x {} bins", Given(a, "blocks"), Given(a, "bins"));
       }},
      {"sparse_steps",
       [](const Arguments& a) {
         return fmt::format("the largest of {}, divided by {} lanes and rounded up", ValueText(a.List("lengths")),
                            Given(a, "lanes"));
       }},
  };
}

}  // namespace warpgrade::quiz
