// Elements are made from a keyed mixing of their index. Tested by tests/course/lab5/lab5_judge_test.cc.
//
// Sums of n values of kRandom are a random walk with steps of 37: after 2^28 of them 600,000 from the start, where 24
// bits reach 16 million.
#include "labs/lab5/values.h"

#include <limits>

#include "labs/support/noise.h"
#include "labs/support/parallel.h"

namespace lab5 {
namespace {

using lab::Noise;

float Element(Pattern pattern, uint64_t noise) {
  switch (pattern) {
    case kOnes:
      return 1;
    case kFractions:
      return static_cast<float>(1 + noise % (1 << 24)) / (1 << 24);
    default: {
      const auto magnitude = static_cast<float>(1 + (noise >> 1) % 64);
      return (noise & 1) != 0 ? -magnitude : magnitude;
    }
  }
}

}  // namespace

const char* Name(Pattern pattern) {
  constexpr const char* kNames[kPatternCount] = {"random", "ones", "fractions", "infinity"};
  return kNames[pattern];
}

std::string Size(const Problem& p) {
  return "n = " + std::to_string(p.n) + (IsFloat(p.variant) ? ", float" : ", int") +
         (p.is_inclusive() ? ", inclusive" : ", exclusive");
}

void DrawInput(const Problem& p, uint64_t seed, void* to) {
  lab::ParallelFor(p.n, p.n, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const float element = Element(p.pattern, Noise(seed, i));
      if (IsFloat(p.variant)) {
        static_cast<float*>(to)[i] = element;
      } else {
        static_cast<int32_t*>(to)[i] = static_cast<int32_t>(element);
      }
    }
  });
  if (p.pattern == kInfinity && p.n > 0) {
    static_cast<float*>(to)[Noise(seed, ~uint64_t{0}) % p.n] = std::numeric_limits<float>::infinity();
  }
}

double ElementOf(const Problem& p, const void* array, size_t i) {
  return IsFloat(p.variant) ? static_cast<double>(static_cast<const float*>(array)[i])
                            : static_cast<double>(static_cast<const int32_t*>(array)[i]);
}

}  // namespace lab5
