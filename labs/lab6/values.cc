// Elements are made from a keyed mixing of their index. Tested by tests/course/lab6/lab6_judge_test.cc.
#include "labs/lab6/values.h"

#include <limits>

#include "labs/support/noise.h"
#include "labs/support/parallel.h"

namespace lab6 {
namespace {

using lab::Noise;

float Element(Pattern pattern, uint64_t noise) {
  if (pattern == kFractions) return static_cast<float>(noise % (1 << 24)) / (1 << 24);
  const auto magnitude = static_cast<float>(1 + noise % 4);  // never 0: what is left out is missed
  return (noise & 4) != 0 ? -magnitude : magnitude;
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
  return std::to_string(p.rows) + " x " + std::to_string(p.columns) + ", " + std::to_string(p.points) + " points, " +
         std::to_string(p.steps) + (p.steps == 1 ? " step" : " steps");
}

void Draw(const Problem& p, uint64_t seed, float* to) {
  const size_t elements = p.Elements();
  lab::ParallelFor(elements, elements, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) to[i] = Element(p.pattern, Noise(seed, i));
  });
  if (p.pattern == kSpoiled && elements > 0) {
    to[Noise(seed, ~uint64_t{0}) % elements] = std::numeric_limits<float>::infinity();
    to[Noise(seed, ~uint64_t{1}) % elements] = std::numeric_limits<float>::quiet_NaN();
  }
}

}  // namespace lab6
