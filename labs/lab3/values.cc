// Elements are made from a keyed mixing of their index. Tested by tests/course/lab3/lab3_judge_test.cc.
//
//   exact, float   A: (4096 + r) / 4096, r odd: 13 bits, two more than TF32 and half have.  B: 1 or 2. Random signs.
//   exact, half    A: odd, up to 31.  B: odd, up to 15. Random signs. Sums soon have more bits than a half.
//
// Sums of k such products are multiples of 2^-12 (of 1) and, like a random walk, seldom above 2.4 (167) times sqrt(k):
// 24 bits hold them, 13 times that even, for k up to 2^14. For k up to 2^10 they hold the worst case.
#include "labs/lab3/values.h"

#include <limits>

#include "grader/lab/parallel.h"
#include "labs/lab3/elements.h"
#include "labs/support/noise.h"

namespace lab3 {
namespace {

enum class Side { kA, kB };

using lab::Noise;

// The bits that the type has: 24, or the 11 of a half, all of them below 1.
float FractionMagnitude(int32_t variant, uint64_t noise) {
  return variant == kHalf ? static_cast<float>(noise % 2048) / 2048 : static_cast<float>(noise % (1 << 24)) / (1 << 24);
}

float Element(const Problem& p, Side side, uint64_t noise) {
  if (p.pattern != kFractions) return ExactElement(p.variant, side == Side::kA, noise);
  return lab::Signed(FractionMagnitude(p.variant, noise >> 1), noise);
}

struct Spoiler {
  size_t index;
  float value;
};

// Next to what lies outside: what comes after the end of a row of A, and the last row of B. A kernel that reads too far
// and multiplies by 0 what it should not have read makes a NaN of them.
Spoiler SpoilerOf(const Problem& p, Side side, uint64_t seed) {
  const uint64_t noise = Noise(seed, ~uint64_t{0});
  if (side == Side::kA) {
    const size_t row = p.m > 1 ? 1 + noise % (p.m - 1) : 0;
    return {row * p.k, std::numeric_limits<float>::quiet_NaN()};
  }
  return {(p.k - 1) * p.n + noise % p.n, std::numeric_limits<float>::infinity()};
}

void Put(const Problem& p, size_t index, float value, void* to) {
  if (p.variant == kHalf) {
    static_cast<uint16_t*>(to)[index] = ExactHalf(value);
  } else {
    static_cast<float*>(to)[index] = value;
  }
}

void Draw(const Problem& p, Side side, uint64_t seed, void* to) {
  const size_t elements = side == Side::kA ? p.m * p.k : p.k * p.n;
  warpgrade::ParallelFor(elements, elements, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) Put(p, i, Element(p, side, Noise(seed, i)), to);
  });
  if (p.pattern == kSpoiled && elements > 0) {
    const Spoiler spoiler = SpoilerOf(p, side, seed);
    Put(p, spoiler.index, spoiler.value, to);
  }
}

}  // namespace

const char* Name(Pattern pattern) {
  switch (pattern) {
    case kFractions:
      return "fractions";
    case kSpoiled:
      return "spoiled";
    default:
      return "exact";
  }
}

std::string Size(const Problem& p) {
  const std::string k = std::to_string(p.k);
  return std::to_string(p.m) + " x " + k + " times " + k + " x " + std::to_string(p.n);
}

void DrawA(const Problem& p, uint64_t seed, void* to) { Draw(p, Side::kA, seed, to); }
void DrawB(const Problem& p, uint64_t seed, void* to) { Draw(p, Side::kB, seed, to); }

}  // namespace lab3
