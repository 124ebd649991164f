// One multiplication to do, what stands in its matrices, and how to print an element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "labs/lab3/lab3.h"

namespace lab3 {

// Case::pattern.
enum Pattern : uint32_t {
  kExact = 0,      // numbers of few bits: every sum of their products is exact in float, whatever the order
  kFractions = 1,  // numbers between -1 and 1 with all the bits that there are: sums are rounded
  kSpoiled = 2,  // exact, but a NaN in one row of A and an infinity in one column of B: they spoil that row and column
};
inline constexpr int kPatternCount = 3;

const char* Name(Pattern pattern);  // "exact", as in cases.yaml

// C = A * B: m x k times k x n.
struct Problem {
  size_t m = 0, k = 0, n = 0;
  int32_t variant = kFloat;  // the type of A and B (lab3.h)
  Pattern pattern = kExact;

  size_t BytesOfA() const { return m * k * InputBytes(variant); }
  size_t BytesOfB() const { return k * n * InputBytes(variant); }
  size_t BytesOfC() const { return m * n * sizeof(float); }
};

// "31 x 33 times 33 x 65".
std::string Size(const Problem& p);

// Fill `to` with A or B. The content depends on `seed` alone, not on the number of threads, and cannot be continued
// from a few elements without knowing the seed.
void DrawA(const Problem& p, uint64_t seed, void* to);
void DrawB(const Problem& p, uint64_t seed, void* to);

}  // namespace lab3
