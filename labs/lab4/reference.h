// The convolution on the CPU in double precision, and the comparison with it that both the tests and the judge use.
#pragma once

#include <cstddef>
#include <vector>

#include "labs/lab4/values.h"

namespace lab4 {

// What a call gets, pristine, on the host.
struct Inputs {
  const float* in = nullptr;
  const float* mask = nullptr;      // the column mask of kSeparable
  const float* row_mask = nullptr;  // kSeparable
};

// The mask as a rectangle of p.mask_rows x p.mask_columns, also that of kSeparable: the product of the two.
std::vector<double> WholeMask(const Problem& p, const Inputs& inputs);

// A few neighbours in one row of the output (the rows of all planes are numbered from 0): the sums, and the sums of
// |mask| * |in| that their tolerance is a multiple of (empty when there is no tolerance). `mask` is WholeMask's.
struct ReferenceSpan {
  std::vector<double> sum, magnitude;
};
ReferenceSpan ComputeSpan(const Problem& p, const float* in, const std::vector<double>& mask, size_t row, size_t begin,
                          size_t end);

// Whether `got` is right for an element whose exact value and magnitude are these: within the tolerance (tolerance.h),
// NaN where NaN belongs, the same infinity where that belongs. A NaN is wrong everywhere else.
bool IsRight(const Problem& p, float got, double want, double magnitude);

// The indices of wrong elements in ascending order, at most `most` of them; `count` is how many there are in all.
struct Difference {
  size_t count = 0;
  std::vector<size_t> wrong;
};
inline constexpr size_t kMostWrong = size_t{1} << 20;
Difference Compare(const Problem& p, const Inputs& inputs, const float* out, size_t most = kMostWrong);

}  // namespace lab4
