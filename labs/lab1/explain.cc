// Compares the answer with the reference. For a wrong one it tries one hypothesis after another, the surest first, and
// reports the first that gives just this wrong answer. A sum may fit a mistake by chance. So a guess is left out if
// another one fits as well, or if so many were tried that one might. Tested by tests/course/lab1/explain_test.cc.
#include "labs/lab1/explain.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "labs/lab1/cases.h"
#include "labs/lab1/reference.h"
#include "labs/lab1/tolerance.h"
#include "labs/lab1/wrong_sums.h"

namespace lab1 {
namespace {

constexpr size_t kMostBlocksTried = 64;

// A reduction gone wrong. `input` is d_in[0 .. n); `allowed` is how far from expected.value is still right.
template <typename T>
struct WrongAnswer {
  Operation operation = Operation::kSum;
  std::span<const T> input;
  T got{};
  Expected expected;
  double allowed = 0;
};

std::string Format(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

// Op over the part of the input that the wrong answer may have used. Plain fp64 is exact enough for a guess.
template <typename T>
double Over(Operation operation, std::span<const T> part) {
  return Reduce(operation, part).value;
}

template <typename T>
bool Fits(const WrongAnswer<T>& wrong, double value) {
  return std::fabs(static_cast<double>(wrong.got) - value) <= wrong.allowed;
}

template <typename T>
std::string AboveEveryElement(const WrongAnswer<T>& wrong) {
  if (wrong.operation != Operation::kMax || !(static_cast<double>(wrong.got) > wrong.expected.value)) return "";
  if (wrong.got == FenceValue<T>(Operation::kMax)) {
    return "which lies outside of d_in[0 .. n): elements before or after it were read";
  }
  return "which is larger than every element: a neutral element that is not neutral, or memory that nobody wrote";
}

// For an int or a double. A sum in float depends on the order of additions, so only a maximum proves this mistake.
template <typename T>
std::string KeptInFloat(const WrongAnswer<T>& wrong) {
  if (wrong.operation != Operation::kMax) return "";
  const double rounded = static_cast<double>(static_cast<float>(wrong.expected.value));
  if (rounded == wrong.expected.value || static_cast<double>(wrong.got) != rounded) return "";
  return "which is the right value rounded to a float: a value was kept in fewer bits than T has";
}

template <typename T>
std::string FenceCounted(const WrongAnswer<T>& wrong) {
  if (wrong.operation != Operation::kSum) return "";
  const double over = static_cast<double>(wrong.got) - wrong.expected.value;
  const double fences = over / FenceValue<T>(Operation::kSum);
  if (fences < 1 || fences > 64 || fences != std::floor(fences)) return "";
  return "as if " + Elements(static_cast<size_t>(fences)) +
         " outside of d_in[0 .. n) had been added: reads before or "
         "after the input";
}

template <typename T>
std::string AllEqualCount(const WrongAnswer<T>& wrong) {
  const size_t n = wrong.input.size();
  if (wrong.operation != Operation::kSum || n < 2 || wrong.expected.value != static_cast<double>(n)) return "";
  for (const T x : wrong.input) {
    if (x != T(1)) return "";
  }
  const double count = static_cast<double>(wrong.got);
  if (count < 1 || count != std::floor(count) || count >= 0x1p53) return "";
  return "as if " + std::to_string(static_cast<uint64_t>(count)) + (count == 1 ? " element" : " elements") +
         " had been added, not " + std::to_string(n);
}

double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// How many of 1000 answers that come from some other mistake would fit one of `tried` sums, roughly: such answers are
// integers, or real numbers within the tolerance, and lie about as far from `middle` as the sums in `all`. The median
// says how far, since one large element would move a mean.
template <typename T>
double ChancePerMille(const WrongAnswer<T>& wrong, size_t tried, std::vector<double> all, double middle) {
  for (double& sum : all) sum = std::fabs(sum - middle);
  const double resolution = wrong.allowed > 0 ? 2 * wrong.allowed : 1;
  const double range = 3.7 * Median(std::move(all));  // 1 / the height of a normal distribution
  return range > 0 ? 1000 * static_cast<double>(tried) * resolution / range : 1000;
}

// The sum of a common mistake. Null if none fits; "" if several that add other elements do, or if it may be chance.
template <typename T>
std::optional<std::string> CommonMistake(const WrongAnswer<T>& wrong) {
  constexpr double kMostPerMille = 20;
  if (wrong.operation != Operation::kSum || wrong.input.empty()) return std::nullopt;
  std::vector<WrongSum> sums;
  for (WrongSum& sum : WrongSums(wrong.input, wrong.expected.value)) {
    const bool known = std::any_of(sums.begin(), sums.end(), [&](const auto& s) { return s.taken == sum.taken; });
    if (!known) sums.push_back(std::move(sum));
  }
  std::vector<double> values;
  values.reserve(sums.size());
  for (const WrongSum& sum : sums) values.push_back(sum.value);
  std::optional<std::string> found;
  for (size_t k = 0; k < sums.size(); ++k) {
    if (!Fits(wrong, sums[k].value)) continue;
    if (found && *found != sums[k].words) return "";
    found = ChancePerMille(wrong, k + 1, values, wrong.expected.value) <= kMostPerMille ? sums[k].words : "";
  }
  return found;
}

// The only aligned block whose sum is `value`: "d_in[512] to d_in[767]". Among many blocks one would fit by chance. So
// only sizes with few blocks are tried, and the result counts only if exactly one block fits.
template <typename T>
std::string OnlyBlockOf(const WrongAnswer<T>& wrong, double value) {
  constexpr double kMostPerMille = 10;
  std::string found;
  for (const size_t block : kBlockSizes) {
    if (block >= wrong.input.size() || block * kMostBlocksTried < wrong.input.size()) continue;
    std::vector<double> sums;
    for (size_t begin = 0; begin < wrong.input.size(); begin += block) {
      sums.push_back(Over(wrong.operation, wrong.input.subspan(begin, std::min(block, wrong.input.size() - begin))));
    }
    if (ChancePerMille(wrong, sums.size(), sums, Median(sums)) > kMostPerMille) continue;
    for (size_t b = 0; b < sums.size(); ++b) {
      if (std::fabs(sums[b] - value) > wrong.allowed) continue;
      if (!found.empty()) return "";
      found = "d_in[" + std::to_string(b * block) + "] to d_in[" +
              std::to_string(std::min((b + 1) * block, wrong.input.size()) - 1) + "]";
    }
  }
  return found;
}

template <typename T>
std::string OneBlock(const WrongAnswer<T>& wrong) {
  if (wrong.operation != Operation::kSum) return "";
  const double over = static_cast<double>(wrong.got) - wrong.expected.value;
  const std::string left_out = OnlyBlockOf(wrong, -over), twice = OnlyBlockOf(wrong, over);
  if (left_out.empty() == twice.empty()) return "";
  return twice.empty() ? "as if " + left_out + " had been left out" : "as if " + twice + " had been added twice";
}

template <typename T>
std::string LargestLeftOut(const WrongAnswer<T>& wrong) {
  if (wrong.operation != Operation::kMax) return "";
  for (size_t i = 0; i < wrong.input.size(); ++i) {
    if (static_cast<double>(wrong.input[i]) != wrong.expected.value) continue;
    // The first largest one. A maximum below it is proof, not a guess.
    return "so d_in[" + std::to_string(i) + "]" + (i + 1 == wrong.input.size() ? ", the last element," : "") +
           " was left out: it is the largest";
  }
  return "";
}

// The end of a sentence, such as "as if the last 232 elements had been left out"; "" when nothing fits.
template <typename T>
std::string Diagnose(const WrongAnswer<T>& wrong) {
  if (wrong.got != wrong.got) {
    return "though no element is NaN: memory that nobody wrote was taken for a value. Is the array of the block "
           "declared "
           "__shared__? Without this word, each thread has an array of its own, into which no other thread writes";
  }
  for (auto hypothesis : {KeptInFloat<T>, AboveEveryElement<T>, FenceCounted<T>, AllEqualCount<T>, LargestLeftOut<T>}) {
    if (std::string text = hypothesis(wrong); !text.empty()) return text;
  }
  if (const std::optional<std::string> text = CommonMistake(wrong)) return *text;
  return OneBlock(wrong);
}

bool IsPoison(const void* out, size_t bytes) {
  const auto* const begin = static_cast<const unsigned char*>(out);
  return std::all_of(begin, begin + bytes, [](unsigned char byte) { return byte == kPoisonByte; });
}

template <typename T>
std::optional<Explanation> ExplainAs(const Problem& p, const void* in, const void* out) {
  WrongAnswer<T> answer;
  answer.operation = p.variant.operation;
  if (p.n > 0) answer.input = {static_cast<const T*>(in) + p.front, p.n};
  std::memcpy(&answer.got, out, sizeof(T));
  answer.expected = Reduce<T>(answer.operation, answer.input);
  answer.allowed = AllowedError(p, answer.expected);

  const double want = answer.expected.value;
  const double got = static_cast<double>(answer.got);
  // Equal first: the difference of two infinities is NaN. A NaN fails both.
  if (got == want || std::abs(got - want) <= answer.allowed) return std::nullopt;

  Explanation e;
  e.count = 1;
  e.want = Print(static_cast<T>(want));
  if (IsPoison(out, sizeof(T))) {
    e.got = "never written";
    e.message = Name(p) + ": d_out[0] was never written (should be " + e.want + ")";
    return e;
  }
  e.got = Print(answer.got);
  e.message = Name(p) + ": d_out[0] is " + e.got + ", should be " + e.want;
  if (const std::string diagnosis = Diagnose(answer); !diagnosis.empty()) e.message += ", " + diagnosis;
  return e;
}

}  // namespace

std::optional<Explanation> Explain(const Problem& p, const void* in, const void* out) {
  switch (p.variant.element) {
    case Element::kInt:
      return ExplainAs<int32_t>(p, in, out);
    case Element::kFloat:
      return ExplainAs<float>(p, in, out);
    case Element::kDouble:
      return ExplainAs<double>(p, in, out);
  }
  return std::nullopt;
}

std::string Print(int32_t value) { return std::to_string(value); }
std::string Print(float value) { return Format("%.9g", static_cast<double>(value)); }
std::string Print(double value) { return Format("%.17g", value); }

}  // namespace lab1
