// The product on the CPU, in double, and the comparison with it.
#pragma once

#include <cstddef>
#include <vector>

#include "labs/lab9/values.h"

namespace lab9 {

// What row `row` has.
struct RowSum {
  double sum = 0, magnitude = 0;  // of the products, and of their magnitudes
};
RowSum SumOf(const Inputs& inputs, size_t row);

// Whether `got` is a right sum for a row of `length` nonzeros.
bool IsRight(const Problem& p, float got, const RowSum& want, size_t length);

// What is wrong with a result.
struct Difference {
  size_t count = 0;           // elements
  std::vector<size_t> wrong;  // the first of them, in ascending order: at most `most` of Compare
};
Difference Compare(const Problem& p, const Inputs& inputs, const float* y, size_t most = size_t{1} << 20);

}  // namespace lab9
