// One stencil to compute, what stands in its field, and how to print an element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "labs/lab6/lab6.h"
#include "labs/lab6/weights.h"

namespace lab6 {

// Case::pattern.
enum Pattern : uint32_t {
  kExact = 0,      // whole numbers and weights of few bits: exact in float, in any order, for kMostExactSteps
  kFractions = 1,  // numbers from 0 to 1 with 24 bits, weights whose sum is 1: sums are rounded
  kSpoiled = 2,    // exact, but a NaN and an infinity somewhere: they spread by one element in each step, no further
};
inline constexpr int kPatternCount = 3;
inline constexpr int kMostExactSteps = 5;

const char* Name(Pattern pattern);  // "exact", as in cases.yaml

struct Problem {
  size_t rows = 0, columns = 0;
  int steps = 1;
  int32_t points = kNine;
  Pattern pattern = kExact;
  uint64_t weights = 0;  // the key of weights.h; its bit 0 is (pattern == kFractions)

  size_t Elements() const { return rows * columns; }
  size_t Bytes() const { return Elements() * sizeof(float); }
  Weights MakeWeights() const { return lab6::MakeWeights(points, weights); }
};

// The key of the weights that belong to a pattern, number `which` of them.
inline uint64_t WeightsKey(Pattern pattern, uint64_t which) { return 2 * which + (pattern == kFractions ? 1 : 0); }

// "33 x 65, 9 points, 2 steps".
std::string Size(const Problem& p);

// Fills `to` with a field. The content depends on `seed` alone, not on the number of threads, and cannot be continued
// from a few elements without knowing the seed.
void Draw(const Problem& p, uint64_t seed, float* to);

}  // namespace lab6
