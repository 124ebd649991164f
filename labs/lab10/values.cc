// Elements are made from a keyed mixing of their index. Tested by tests/course/lab10/lab10_judge_test.cc.
#include "labs/lab10/values.h"

#include <iterator>

#include "labs/lab10/elements.h"
#include "labs/support/noise.h"

namespace lab10 {
namespace {

// The key of element i. Only its `bits` lowest bits count.
uint32_t KeyOf(const Problem& p, uint64_t seed, size_t i, uint64_t noise) {
  const uint32_t largest = p.KeyMask(), half = largest / 2 + 1;
  const auto scaled = [&](size_t place) {
    return static_cast<uint32_t>(static_cast<double>(place) / static_cast<double>(p.n) * largest);
  };
  switch (p.pattern) {
    case kEqual:
      return RandomElement(lab::Noise(seed, ~uint64_t{0}));
    case kSorted:
      return scaled(i);
    case kReversed:
      return scaled(p.n - 1 - i);
    case kFew:
      return RandomElement(lab::Noise(seed, ~(noise % 5)));
    case kExtremes: {
      const uint32_t keys[] = {0, 1, largest - 1, largest, half - 1, half};
      return keys[noise % std::size(keys)];
    }
    default:
      return RandomElement(noise);
  }
}

}  // namespace

const char* Name(Pattern pattern) {
  constexpr const char* kNames[kPatternCount] = {"random", "equal", "sorted", "reversed", "few", "extremes"};
  return kNames[pattern];
}

std::string Size(const Problem& p) {
  std::string size = "n = " + std::to_string(p.n);
  if (p.bits == kKeyBits) return size;
  return size + ", " + std::to_string(p.bits) + (p.bits == 1 ? " bit" : " bits");
}

void Draw(const Problem& p, uint64_t seed, uint32_t* to) {
  const uint32_t mask = p.KeyMask();
  lab::FillFromNoise(p.n, seed, to, [&](size_t i, uint64_t noise) {
    return (KeyOf(p, seed, i, noise) & mask) | (RandomElement(noise) & ~mask);
  });
}

}  // namespace lab10
