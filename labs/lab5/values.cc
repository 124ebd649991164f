// Elements are made from a keyed mixing of their index. Tested by tests/course/lab5/lab5_judge_test.cc.
//
// Sums of n values of kRandom are a random walk with steps of 37: after 2^28 of them 600,000 from the start, where 24
// bits reach 16 million.
#include "labs/lab5/values.h"

#include <algorithm>
#include <limits>

#include "labs/lab5/elements.h"
#include "labs/support/noise.h"

namespace lab5 {
namespace {

using lab::Noise;

template <typename T>
void DrawAs(const Problem& p, uint64_t seed, T* to) {
  switch (p.pattern) {
    case kOnes:
      std::fill(to, to + p.n, T{1});
      return;
    case kFractions:
      return lab::FillFromNoise(p.n, seed, to, [](size_t, uint64_t noise) {
        return static_cast<float>(1 + lab::Low<24>(noise)) / (1 << 24);
      });
    default:
      return lab::FillFromNoise(p.n, seed, to, [](size_t, uint64_t noise) { return SmallInteger(noise); });
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
  if (IsFloat(p.variant)) {
    DrawAs(p, seed, static_cast<float*>(to));
  } else {
    DrawAs(p, seed, static_cast<int32_t*>(to));
  }
  if (p.pattern == kInfinity && p.n > 0) {
    static_cast<float*>(to)[Noise(seed, ~uint64_t{0}) % p.n] = std::numeric_limits<float>::infinity();
  }
}

double ElementOf(const Problem& p, const void* array, size_t i) {
  return IsFloat(p.variant) ? static_cast<double>(static_cast<const float*>(array)[i])
                            : static_cast<double>(static_cast<const int32_t*>(array)[i]);
}

}  // namespace lab5
