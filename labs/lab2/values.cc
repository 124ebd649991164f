// Ordinary values are numbers from a keyed one-to-one mixing of the element's index, written into the mantissa of a
// float or double: unique, evenly spread, readable, and unpredictable without the key. Tested by
// tests/course/lab2/lab2_judge_test.cc.
#include "labs/lab2/values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "grader/lab/parallel.h"
#include "labs/lab2/elements.h"
#include "labs/lab2/lab2.h"
#include "labs/support/noise.h"

namespace lab2 {
namespace {

using lab::Mix;

uint64_t OrdinaryDouble(uint64_t unique, int bits, uint64_t seed) {
  const int below = 52 - bits;  // the low mantissa bits are noise, so that the low word matters too
  return 0x3ff0000000000000u | (unique << below) | (Mix(unique ^ seed) >> (64 - below));
}

// Exponent and mantissa widths of a binary floating-point format.
struct Format {
  int exponent, mantissa;
};

// A value that an addition, a comparison or a conversion would change.
uint64_t AwkwardFloating(uint64_t noise, Format format) {
  const uint64_t sign = (noise >> 63) << (format.exponent + format.mantissa);
  const uint64_t quiet = uint64_t{1} << (format.mantissa - 1);
  const uint64_t payload = (noise & (quiet - 1)) | 1;
  const uint64_t infinity = ((uint64_t{1} << format.exponent) - 1) << format.mantissa;
  switch ((noise >> 60) % 8) {
    case 0:
      return sign;  // zero
    case 1:
      return sign | infinity;
    case 2:
    case 3:
      return sign | infinity | quiet | payload;  // a quiet NaN
    case 4:
    case 5:
      return sign | infinity | payload;  // a signalling NaN
    default:
      return sign | payload;  // a denormal
  }
}

uint64_t AwkwardBits(int32_t variant, uint64_t noise) {
  switch (variant) {
    case kFloat:
      return AwkwardFloating(noise, {.exponent = 8, .mantissa = 23});
    case kDouble:
      return AwkwardFloating(noise, {.exponent = 11, .mantissa = 52});
    default:
      return noise & 0xffffffffu;
  }
}

template <typename Word>
void DrawWords(const Shape& shape, int32_t variant, Pattern pattern, uint64_t seed, Word* to) {
  const int bits = BitsFor(shape.Elements());
  const Permutation permutation(seed, bits);
  const auto word = [&](size_t index) -> Word {
    if (pattern == kAwkward) return static_cast<Word>(AwkwardBits(variant, Mix(Mix(index + seed) ^ seed)));
    const uint64_t unique = permutation(index);
    if (variant == kFloat) return static_cast<Word>(OrdinaryFloat(unique));
    if (variant == kDouble) return static_cast<Word>(OrdinaryDouble(unique, bits, seed));
    return static_cast<Word>(unique);
  };
  warpgrade::ParallelFor(shape.rows, shape.Elements(), [&](size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row) {
      const size_t first = pattern == kEqualRows ? 0 : row * shape.columns;
      for (size_t column = 0; column < shape.columns; ++column) to[row * shape.columns + column] = word(first + column);
    }
  });
}

template <typename Number, typename Word>
std::string PrintFloating(const void* element, int digits) {
  Number number;
  Word bits;
  std::memcpy(&number, element, sizeof(number));
  std::memcpy(&bits, element, sizeof(bits));
  char text[64];
  if (std::isnan(number)) {
    std::snprintf(text, sizeof(text), "nan (0x%0*llx)", static_cast<int>(2 * sizeof(bits)),
                  static_cast<unsigned long long>(bits));
  } else {
    std::snprintf(text, sizeof(text), "%.*g", digits, static_cast<double>(number));
  }
  return text;
}

}  // namespace

const char* Name(Pattern pattern) {
  switch (pattern) {
    case kAwkward:
      return "awkward";
    case kEqualRows:
      return "equal_rows";
    default:
      return "ordinary";
  }
}

void DrawMatrix(const Shape& shape, int32_t variant, Pattern pattern, uint64_t seed, void* to) {
  if (shape.element_bytes == 8) {
    DrawWords(shape, variant, pattern, seed, static_cast<uint64_t*>(to));
  } else {
    DrawWords(shape, variant, pattern, seed, static_cast<uint32_t*>(to));
  }
}

std::string Print(int32_t variant, const void* element) {
  if (variant == kFloat) return PrintFloating<float, uint32_t>(element, 9);
  if (variant == kDouble) return PrintFloating<double, uint64_t>(element, 17);
  int number;
  std::memcpy(&number, element, sizeof(number));
  return std::to_string(number);
}

}  // namespace lab2
