// The stencil on the CPU in double precision, and the comparison with it that both the tests and the judge use.
#pragma once

#include <cstddef>
#include <vector>

#include "labs/lab6/values.h"

namespace lab6 {

// The field after `steps` steps (which may differ from p.steps).
std::vector<double> Compute(const Problem& p, const float* in, int steps);

// Whether `got` is right for an element whose exact value is `want`: within the tolerance (tolerance.h), NaN where NaN
// belongs, the same infinity where that belongs. A NaN is wrong everywhere else.
bool IsRight(const Problem& p, float got, double want);

// Where a field differs from another. Indices count elements.
struct Difference {
  size_t count = 0;  // wrong elements; 0: all others are meaningless
  size_t first = 0;  // index of the first
  // The smallest rectangle that holds all of them, bounds inclusive.
  size_t min_row = 0, max_row = 0, min_column = 0, max_column = 0;
  size_t in_ring = 0;  // how many of them are in the outermost ring
};
Difference Compare(const Problem& p, const std::vector<double>& want, const float* got);

// Whether `got` is the field after p.steps steps, from `in`. Does not need the memory of whole fields of doubles, and
// is several times faster.
bool IsRight(const Problem& p, const float* in, const float* got);

}  // namespace lab6
