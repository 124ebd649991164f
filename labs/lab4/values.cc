// Elements are made from a keyed mixing of their index. Tested by tests/course/lab4/lab4_judge_test.cc.
//
//   exact   d_in: (4096 + r) / 4096, r odd: 13 bits, two more than TF32 and half have. Masks: 1, 2 or 3; separable ones
//           1 or 2. Random signs.
//
// Sums of k such products are multiples of 2^-12 and, like a random walk, seldom above 3.5 * sqrt(k) (for separable
// masks: 4). 24 bits hold up to 2^12, 32 times that even for the 961 products of the largest mask.
#include "labs/lab4/values.h"

#include <cmath>
#include <limits>

#include "labs/lab4/elements.h"
#include "labs/support/noise.h"

namespace lab4 {
namespace {

using lab::Noise;
using lab::Signed;

float Fraction(uint64_t noise) { return Signed(static_cast<float>(lab::Low<24>(noise >> 1)) / (1 << 24), noise); }

// The largest magnitude of an exact mask's elements.
uint64_t LargestInMask(const Problem& p) { return p.variant == kSeparable ? 2 : 3; }

void FillMask(const Problem& p, uint64_t seed, size_t count, float* to) {
  for (size_t i = 0; i < count; ++i) {
    const uint64_t noise = Noise(seed, i);
    to[i] = p.pattern == kFractions ? Fraction(noise)
                                    : Signed(static_cast<float>(1 + (noise >> 1) % LargestInMask(p)), noise);
  }
  // Forwards and backwards must differ, or a kernel that turns the mask around would be right: other signs at the
  // two ends.
  if (count > 1 && p.pattern != kFractions) to[count - 1] = -std::copysign(to[count - 1], to[0]);
}

}  // namespace

const char* Name(Pattern pattern) {
  switch (pattern) {
    case kExact:
      return "exact";
    case kFractions:
      return "fractions";
    case kSpoiled:
      return "spoiled";
  }
  return "unknown";
}

std::string Size(const Problem& p) {
  const std::string columns = std::to_string(p.columns), mask_columns = std::to_string(p.mask_columns);
  if (p.variant == kLine) return columns + ", mask " + mask_columns;
  const std::string size =
      std::to_string(p.rows) + " x " + columns + ", mask " + std::to_string(p.mask_rows) + " x " + mask_columns;
  if (p.variant == kPlanes) return std::to_string(p.planes) + (p.planes == 1 ? " plane of " : " planes of ") + size;
  return p.variant == kSeparable ? size + ", separable" : size;
}

void DrawInput(const Problem& p, uint64_t seed, float* to) {
  const size_t elements = p.Elements();
  if (p.pattern == kFractions) {
    lab::FillFromNoise(elements, seed, to, [](size_t, uint64_t noise) { return Fraction(noise); });
  } else {
    lab::FillFromNoise(elements, seed, to, [](size_t, uint64_t noise) { return ThirteenBits(noise); });
  }
  if (p.pattern != kSpoiled || elements == 0) return;
  // At the end of a row, where a kernel that goes on into the next row finds it, and in the middle of anywhere.
  const uint64_t noise = Noise(seed, ~uint64_t{0});
  to[noise % (p.planes * p.rows) * p.columns + p.columns - 1] = std::numeric_limits<float>::quiet_NaN();
  to[(noise >> 20) % elements] = std::numeric_limits<float>::infinity();
}

void DrawMask(const Problem& p, uint64_t seed, float* to) { FillMask(p, seed, p.MaskElements(), to); }

void DrawRowMask(const Problem& p, uint64_t seed, float* to) {
  FillMask(p, seed, static_cast<size_t>(p.mask_columns), to);
}

}  // namespace lab4
