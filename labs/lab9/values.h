// One product of a sparse matrix and a vector, and what stands in their arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace lab9 {

// How the nonzeros are spread over the rows.
enum Lengths : uint32_t {
  kUneven = 0,  // from one to almost twice the mean
  kEven = 1,    // every row has as many as any other, or one more
  kSkewed = 2,  // one row has up to half of them, a few rows have most of the others, and many rows have none
  kOneRow = 3,  // one row has all of them
};
inline constexpr uint32_t kLengthsCount = 4;

enum Values : uint32_t {
  kExact = 0,      // small whole numbers: every sum of their products is exact in float, whatever the order
  kFractions = 1,  // numbers between -1 and 1 with all the bits that there are: sums are rounded
  kSpoiled = 2,    // exact, but with a NaN and an infinity in d_x
};
inline constexpr uint32_t kValuesCount = 3;

const char* Name(Lengths lengths);  // "uneven", as in cases.yaml
const char* Name(Values values);    // "exact"

struct Problem {
  size_t rows = 0, columns = 0, nonzeros = 0;  // without rows or columns there are no nonzeros
  Lengths lengths = kUneven;
  Values values = kExact;

  // Case::pattern.
  uint32_t Pattern() const { return lengths + kLengthsCount * values; }
};

// The inputs of one product.
struct Inputs {
  const int* offsets = nullptr;
  const int* columns = nullptr;
  const float* values = nullptr;
  const float* x = nullptr;
};

// "1000 x 990, 8000 nonzeros".
std::string Size(const Problem& p);

// Fill `to` with the arrays of the same names. The content depends on `seed` alone, not on the number of threads, and
// cannot be continued from a few elements without knowing the seed.
void DrawOffsets(const Problem& p, uint64_t seed, int* to);
void DrawColumns(const Problem& p, uint64_t seed, int* to);
void DrawValues(const Problem& p, uint64_t seed, float* to);
void DrawX(const Problem& p, uint64_t seed, float* to);

}  // namespace lab9
