// Elements are made from a keyed mixing of their index. Tested by tests/course/lab6/lab6_judge_test.cc.
#include "labs/lab6/values.h"

#include <limits>

#include "labs/lab6/elements.h"
#include "labs/support/noise.h"

namespace lab6 {
namespace {

using lab::Noise;

float Fraction(uint64_t noise) { return static_cast<float>(lab::Low<24>(noise)) / (1 << 24); }

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
  return std::to_string(p.rows) + " x " + std::to_string(p.columns) + ", " + std::to_string(p.points) + " points, " +
         std::to_string(p.steps) + (p.steps == 1 ? " step" : " steps");
}

void Draw(const Problem& p, uint64_t seed, float* to) {
  const size_t elements = p.Elements();
  if (p.pattern == kFractions) {
    lab::FillFromNoise(elements, seed, to, [](size_t, uint64_t noise) { return Fraction(noise); });
  } else {
    lab::FillFromNoise(elements, seed, to, [](size_t, uint64_t noise) { return SmallInteger(noise); });
  }
  if (p.pattern == kSpoiled && elements > 0) {
    to[Noise(seed, ~uint64_t{0}) % elements] = std::numeric_limits<float>::infinity();
    to[Noise(seed, ~uint64_t{1}) % elements] = std::numeric_limits<float>::quiet_NaN();
  }
}

}  // namespace lab6
