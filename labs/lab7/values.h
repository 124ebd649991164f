// One histogram to make, and what stands in its input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "labs/lab7/lab7.h"

namespace lab7 {

// Case::pattern.
enum Pattern : uint32_t {
  kUniform = 0,  // every bin as probable as any other
  kEqual = 1,    // one value only: all threads want the same counter
  kSorted = 2,   // long runs of equal neighbours, in ascending order
  kTwo = 3,      // one of two values, at random
  kSkewed = 4,   // one value for half of the elements, another one for a quarter, and so on
  kOutside =
      5,  // many elements that belong to no bin: below 0 and from `bins` on. (Of bytes: any, whatever `bins` is.)
};
inline constexpr int kPatternCount = 6;

const char* Name(Pattern pattern);  // "uniform", as in cases.yaml

struct Problem {
  size_t n = 0;
  int bins = 256;
  int32_t variant = kByte;  // the type of the elements (lab7.h)
  Pattern pattern = kUniform;

  size_t BytesOfInput() const { return n * ElementBytes(variant); }
  size_t BytesOfBins() const { return static_cast<size_t>(bins) * sizeof(unsigned); }
};

// "1000 bytes, 256 bins", "1 int, 1 bin".
std::string Size(const Problem& p);

// Fills `to` with n elements. The content depends on `seed` alone, not on the number of threads, and cannot be
// continued from a few elements without knowing the seed.
void Draw(const Problem& p, uint64_t seed, void* to);

}  // namespace lab7
