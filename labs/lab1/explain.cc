// Compares the answer with the reference. For a wrong one it tries one hypothesis after another, the surest first, and
// reports the first that gives just this wrong answer. Tested by tests/course/lab1/explain_test.cc.
#include "labs/lab1/explain.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <span>
#include <vector>

#include "labs/lab1/cases.h"
#include "labs/lab1/reference.h"
#include "labs/lab1/tolerance.h"

namespace lab1 {
namespace {

constexpr size_t kMostBlocksTried = 64;
constexpr size_t kBlockSizes[] = {32, 64, 128, 256, 512, 1024, 2048, 4096, 8192};

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

std::string Elements(size_t count) { return count == 1 ? "element" : std::to_string(count) + " elements"; }

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
std::string NothingButNeutral(const WrongAnswer<T>& wrong) {
  if (!Fits(wrong, 0) || wrong.operation != Operation::kSum || wrong.input.empty()) return "";
  return "as if no element had been added at all";
}

template <typename T>
std::string AllEqualCount(const WrongAnswer<T>& wrong) {
  if (wrong.operation != Operation::kSum || wrong.expected.value != static_cast<double>(wrong.input.size())) return "";
  for (const T x : wrong.input) {
    if (x != T(1)) return "";
  }
  const double over = static_cast<double>(wrong.got) - wrong.expected.value;
  const size_t count = static_cast<size_t>(std::fabs(over));
  if (over < 0) return "as if " + Elements(count) + " of " + std::to_string(wrong.input.size()) + " were left out";
  return "as if " + Elements(count) + " too many had been added";
}

// The last element, or what is left after the last full block of a size.
template <typename T>
std::string TailLeftOut(const WrongAnswer<T>& wrong) {
  if (wrong.operation != Operation::kSum) return "";
  const size_t n = wrong.input.size();
  std::vector<size_t> tails = {1};
  for (const size_t block : kBlockSizes) tails.push_back(n % block);
  for (const size_t tail : tails) {
    if (tail == 0 || tail >= n) continue;
    if (Fits(wrong, Over(wrong.operation, wrong.input.first(n - tail)))) {
      return "as if the last " + Elements(tail) + " had been left out";
    }
  }
  return "";
}

template <typename T>
std::string OnlyTheFirstBlock(const WrongAnswer<T>& wrong) {
  if (wrong.operation != Operation::kSum) return "";
  for (const size_t block : kBlockSizes) {
    if (block >= wrong.input.size()) break;
    if (Fits(wrong, Over(wrong.operation, wrong.input.first(block)))) {
      return "as if only the first " + Elements(block) + " had been combined";
    }
  }
  return "";
}

// Blocks of two elements for each thread that begin one element for each thread after each other; and threads of which
// two add the same element. Another number of threads may fit by chance, so the result counts only if exactly one does.
template <typename T>
std::string AddedTwice(const WrongAnswer<T>& wrong) {
  const size_t n = wrong.input.size();
  if (wrong.operation != Operation::kSum || n < 2) return "";
  const double want = wrong.expected.value;
  if (Fits(wrong, 2 * want)) return "as if two threads had added each element";
  if (Fits(wrong, 2 * want - static_cast<double>(wrong.input[0]))) {
    return "as if two threads had added each element but the first";
  }
  size_t found = 0;
  for (const size_t threads : kBlockSizes) {
    const size_t blocks = (n + 2 * threads - 1) / (2 * threads);
    if (blocks < 2 || blocks > kMostBlocksTried) continue;
    double sum = 0;
    for (size_t b = 0; b < blocks; ++b) {
      const size_t begin = b * threads;
      sum += Over(wrong.operation, wrong.input.subspan(begin, std::min(2 * threads, n - begin)));
    }
    if (!Fits(wrong, sum)) continue;
    if (found != 0) return "";
    found = threads;
  }
  if (found == 0) return "";
  return "as if each block had added " + std::to_string(2 * found) + " elements, but had begun only " +
         std::to_string(found) + " after the block before it: some are added twice, and the last ones not at all";
}

// The only aligned block whose sum is `value`: "d_in[512] to d_in[767]". Among many blocks one would fit by chance. So
// only a few blocks are tried, and the result counts only if exactly one block fits.
template <typename T>
std::string OnlyBlockOf(const WrongAnswer<T>& wrong, double value) {
  std::string found;
  for (const size_t block : kBlockSizes) {
    if (block >= wrong.input.size() || block * kMostBlocksTried < wrong.input.size()) continue;
    for (size_t begin = 0; begin < wrong.input.size(); begin += block) {
      const auto part = wrong.input.subspan(begin, std::min(block, wrong.input.size() - begin));
      if (std::fabs(Over(wrong.operation, part) - value) > wrong.allowed) continue;
      if (!found.empty()) return "";
      found = "d_in[" + std::to_string(begin) + "] to d_in[" + std::to_string(begin + part.size() - 1) + "]";
    }
  }
  return found;
}

template <typename T>
std::string BlockLeftOut(const WrongAnswer<T>& wrong) {
  if (wrong.operation != Operation::kSum) return "";
  const double missing = wrong.expected.value - static_cast<double>(wrong.got);
  const std::string block = OnlyBlockOf(wrong, missing);
  return block.empty() ? "" : "as if " + block + " had been left out";
}

template <typename T>
std::string BlockAddedTwice(const WrongAnswer<T>& wrong) {
  if (wrong.operation != Operation::kSum) return "";
  const double over = static_cast<double>(wrong.got) - wrong.expected.value;
  const std::string block = OnlyBlockOf(wrong, over);
  return block.empty() ? "" : "as if " + block + " had been added twice";
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
  for (auto hypothesis :
       {KeptInFloat<T>, AboveEveryElement<T>, FenceCounted<T>, AllEqualCount<T>, NothingButNeutral<T>, TailLeftOut<T>,
        OnlyTheFirstBlock<T>, AddedTwice<T>, BlockLeftOut<T>, BlockAddedTwice<T>, LargestLeftOut<T>}) {
    if (std::string text = hypothesis(wrong); !text.empty()) return text;
  }
  return "";
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
