// Rows are spread over threads. Tested by tests/course/lab9/lab9_judge_test.cc, which holds it against a dense matrix.
#include "labs/lab9/reference.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "grader/lab/parallel.h"
#include "labs/lab9/tolerance.h"

namespace lab9 {

RowSum SumOf(const Inputs& inputs, size_t row) {
  RowSum result;
  for (int k = inputs.offsets[row]; k < inputs.offsets[row + 1]; ++k) {
    const double product = static_cast<double>(inputs.values[k]) * static_cast<double>(inputs.x[inputs.columns[k]]);
    result.sum += product;
    result.magnitude += std::fabs(product);
  }
  return result;
}

bool IsRight(const Problem& p, float got, const RowSum& want, size_t length) {
  if (std::isnan(want.sum)) return std::isnan(got);
  const auto value = static_cast<double>(got);
  // Equal first: the difference of two infinities is NaN. A NaN fails both.
  return value == want.sum || std::fabs(value - want.sum) <= AllowedError(p, length, want.magnitude);
}

Difference Compare(const Problem& p, const Inputs& inputs, const float* y, size_t most) {
  Difference all;
  std::mutex mutex;
  warpgrade::ParallelFor(p.rows, p.rows + p.nonzeros, [&](size_t first, size_t last) {
    Difference part;
    for (size_t row = first; row < last; ++row) {
      const auto length = static_cast<size_t>(inputs.offsets[row + 1] - inputs.offsets[row]);
      if (IsRight(p, y[row], SumOf(inputs, row), length)) continue;
      ++part.count;
      if (part.wrong.size() < most) part.wrong.push_back(row);
    }
    const std::lock_guard lock(mutex);
    all.count += part.count;
    all.wrong.insert(all.wrong.end(), part.wrong.begin(), part.wrong.end());
  });
  std::sort(all.wrong.begin(), all.wrong.end());  // each part's first ones, so that these are the first of all
  if (all.wrong.size() > most) all.wrong.resize(most);
  return all;
}

}  // namespace lab9
