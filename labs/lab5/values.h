// One scan to do, what stands in its input, and how to print an element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "labs/lab5/lab5.h"

namespace lab5 {

// Case::pattern. All but kFractions have sums that are exact in float, whatever the order of additions.
enum Pattern : uint32_t {
  kRandom = 0,     // whole numbers from -64 to 64 without 0: a sum that is shifted by one place shows everywhere
  kOnes = 1,       // all 1: a sum counts its elements
  kFractions = 2,  // float only: in (0, 1], with all the bits that there are: sums are rounded
  kInfinity = 3,   // float only: kRandom with one infinity, which no sum before it may see
};
inline constexpr int kPatternCount = 4;

const char* Name(Pattern pattern);  // "random", as in cases.yaml

// The most elements whose sums are exact in float: kOnes reaches 2^24, the random walk of kRandom far more.
inline constexpr size_t kMostOnes = size_t{1} << 24;

struct Problem {
  size_t n = 0;
  int32_t variant = kFloatInclusive;  // type and kind (lab5.h)
  Pattern pattern = kRandom;

  size_t Bytes() const { return n * kElementBytes; }  // of the input, and of the output
  bool is_inclusive() const { return KindOf(variant) == ScanKind::kInclusive; }
};

// "n = 1000, float, exclusive".
std::string Size(const Problem& p);

// Fills `to` with the input. The content depends on `seed` alone, not on the number of threads, and cannot be continued
// from a few elements without knowing the seed. REQUIRES: p.variant is float for kFractions and kInfinity.
void DrawInput(const Problem& p, uint64_t seed, void* to);

// Element i of an array of the variant's type.
double ElementOf(const Problem& p, const void* array, size_t i);

}  // namespace lab5
