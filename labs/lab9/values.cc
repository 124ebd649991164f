// Elements are made from a keyed mixing of their index (elements.h). Tested by tests/course/lab9/lab9_judge_test.cc.
//
// Exact products are at most 4 in magnitude, so rows of up to 2^22 nonzeros have sums below 2^24, which float holds.
#include "labs/lab9/values.h"

#include <limits>

#include "labs/lab9/elements.h"
#include "labs/support/noise.h"

namespace lab9 {
namespace {

float Fraction(uint64_t noise) { return lab::Signed(static_cast<float>(lab::Low<24>(noise >> 1)) / (1 << 24), noise); }

void DrawNumbers(size_t n, Values values, uint64_t seed, float* to) {
  if (values == kFractions) {
    lab::FillFromNoise(n, seed, to, [](size_t, uint64_t noise) { return Fraction(noise); });
  } else {
    lab::FillFromNoise(n, seed, to, [](size_t, uint64_t noise) { return OneOrTwo(noise); });
  }
}

}  // namespace

const char* Name(Lengths lengths) {
  switch (lengths) {
    case kUneven:
      return "uneven";
    case kEven:
      return "even";
    case kSkewed:
      return "skewed";
    case kOneRow:
      return "one row";
  }
  return "unknown";
}

const char* Name(Values values) {
  switch (values) {
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
  return std::to_string(p.rows) + " x " + std::to_string(p.columns) + ", " + std::to_string(p.nonzeros) +
         (p.nonzeros == 1 ? " nonzero" : " nonzeros");
}

void DrawOffsets(const Problem& p, uint64_t seed, int* to) {
  warpgrade::ParallelFor(p.rows + 1, p.rows + 1, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) to[i] = Offset(p.lengths, p.rows, p.nonzeros, seed, i);
  });
}

void DrawColumns(const Problem& p, uint64_t seed, int* to) {
  warpgrade::ParallelFor(p.nonzeros, p.nonzeros, [&](size_t begin, size_t end) {
    for (size_t k = begin; k < end; ++k) to[k] = Column(p.columns, p.nonzeros, seed, k);
  });
}

void DrawValues(const Problem& p, uint64_t seed, float* to) { DrawNumbers(p.nonzeros, p.values, seed, to); }

void DrawX(const Problem& p, uint64_t seed, float* to) {
  DrawNumbers(p.columns, p.values, seed, to);
  if (p.values != kSpoiled || p.columns == 0) return;
  const uint64_t noise = lab::Noise(seed, ~uint64_t{0});
  // Lanes that have nothing to do may read the first element, so it is spoiled where rows have about the same length.
  to[p.lengths == kUneven ? 0 : noise % p.columns] = std::numeric_limits<float>::quiet_NaN();
  to[(noise >> 20) % p.columns] = std::numeric_limits<float>::infinity();
}

}  // namespace lab9
