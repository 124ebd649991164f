// One convolution to do, what stands in its arrays, and how to print an element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "labs/lab4/lab4.h"

namespace lab4 {

// Case::pattern.
enum Pattern : uint32_t {
  kExact = 0,      // numbers of few bits: every sum of their products is exact in float, whatever the order
  kFractions = 1,  // numbers between -1 and 1 with all the bits that there are: sums are rounded
  kSpoiled = 2,    // exact, but with a NaN and an infinity in d_in
};
inline constexpr int kPatternCount = 3;

const char* Name(Pattern pattern);  // "exact", as in cases.yaml

// A line is an image of one row, and its mask one of one row. Only kPlanes has more or less than one plane.
struct Problem {
  int32_t variant = kLine;
  size_t rows = 1, columns = 0;
  int mask_rows = 1, mask_columns = 1;
  Pattern pattern = kExact;
  size_t planes = 1;

  size_t Elements() const { return planes * rows * columns; }
  size_t Products() const { return static_cast<size_t>(mask_rows) * static_cast<size_t>(mask_columns); }
  // How many floats d_mask has; d_row_mask has mask_columns.
  size_t MaskElements() const { return variant == kSeparable ? static_cast<size_t>(mask_rows) : Products(); }
};

// "1000, mask 31"; "33 x 65, mask 3 x 5"; "33 x 65, mask 3 x 5, separable"; "3 planes of 33 x 65, mask 3 x 5".
std::string Size(const Problem& p);

// Fill `to` with d_in, d_mask or d_row_mask. The content depends on `seed` alone, not on the number of threads, and
// cannot be continued from a few elements without knowing the seed. A mask of more than one element is never symmetric.
void DrawInput(const Problem& p, uint64_t seed, float* to);
void DrawMask(const Problem& p, uint64_t seed, float* to);
void DrawRowMask(const Problem& p, uint64_t seed, float* to);

}  // namespace lab4
