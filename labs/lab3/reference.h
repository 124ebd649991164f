// The matrix product on the CPU in double precision, and the comparison with it that both the tests and the judge use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "labs/lab3/values.h"

namespace lab3 {

// Products beyond this many are compared by way of random vectors (see Compare).
inline constexpr double kMostProducts = 1 << 28;

// Where an output differs from the product of its inputs. Indices count elements of C.
struct Difference {
  size_t count = 0;  // wrong elements; 0: all others are meaningless
  size_t first = 0;  // index of the first
  // The smallest rectangle of C that holds all of them, bounds inclusive.
  size_t min_row = 0, max_row = 0, min_column = 0, max_column = 0;
  bool there_are_more = false;  // only the first few wrong rows of a large C were looked at
};

// One row of A * B: the sums, and the sums of |a| * |b| that their tolerance is a multiple of.
struct ReferenceRow {
  std::vector<double> sum, magnitude;
};
ReferenceRow ComputeRow(const Problem& p, const void* a, const void* b, size_t row);

// Whether `got` is right for an element whose exact value and magnitude are these: within the tolerance (tolerance.h),
// NaN where NaN belongs, the same infinity where that belongs. A NaN is wrong everywhere else.
bool IsRight(const Problem& p, float got, double want, double magnitude);

// Compares c with the product of a and b, element by element, on all cores.
//
// Above kMostProducts that would take too long (minutes for 8192 x 8192), so each row r is compared by c[r] * x = a[r]
// * (b * x) instead, with a random vector x of integers from the system's entropy: a wrong row stays unseen once in
// thousands of calls, a single wrong element never. (Freivalds 1977. Drawn only now, since one who knows x can make up
// a row that passes.) REQUIRES: then p.pattern is kExact, for which every sum in that equation is exact in double
// precision.
Difference Compare(const Problem& p, const void* a, const void* b, const float* c);

}  // namespace lab3
