// One sort to do, and what stands in its input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "labs/lab10/lab10.h"

namespace lab10 {

// Case::pattern: the keys. The bits above the key are random, so that elements with the same key can be told apart.
enum Pattern : uint32_t {
  kRandom = 0,    // each key as probable as any other
  kEqual = 1,     // one key only
  kSorted = 2,    // in ascending order already
  kReversed = 3,  // in descending order
  kFew = 4,       // one of five keys, at random
  kExtremes = 5,  // 0, the largest key, and their neighbours; and those on both sides of the sign bit
};
inline constexpr int kPatternCount = 6;

const char* Name(Pattern pattern);  // "random", as in cases.yaml

struct Problem {
  size_t n = 0;
  int bits = kKeyBits;
  Pattern pattern = kRandom;

  size_t Bytes() const { return n * sizeof(uint32_t); }  // of the input, and of the output
  size_t WorkBytes() const { return WorkElements(n) * sizeof(uint32_t); }
  uint32_t KeyMask() const { return bits == kKeyBits ? ~uint32_t{0} : (uint32_t{1} << bits) - 1; }
};

// "n = 1000", "n = 1000, 13 bits".
std::string Size(const Problem& p);

// Fills `to` with n elements. The content depends on `seed` alone, not on the number of threads, and cannot be
// continued from a few elements without knowing the seed.
void Draw(const Problem& p, uint64_t seed, uint32_t* to);

}  // namespace lab10
