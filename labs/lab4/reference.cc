// Spans of rows are spread over threads. A span is computed mask element by mask element, so that the compiler uses
// vector instructions, and ghosts are never touched: each mask element adds to those columns that it finds something
// for. Tested by tests/course/lab4/lab4_judge_test.cc, which holds it against loops over single elements.
#include "labs/lab4/reference.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "grader/lab/parallel.h"
#include "labs/lab4/tolerance.h"

namespace lab4 {
namespace {

constexpr size_t kSpan = 2048;  // elements of a row in one piece of work: their sums stay in the L1 cache

}  // namespace

std::vector<double> WholeMask(const Problem& p, const Inputs& inputs) {
  if (p.variant != kSeparable) return {inputs.mask, inputs.mask + p.Products()};
  std::vector<double> mask;
  for (int i = 0; i < p.mask_rows; ++i) {
    for (int j = 0; j < p.mask_columns; ++j) {
      mask.push_back(static_cast<double>(inputs.mask[i]) * static_cast<double>(inputs.row_mask[j]));
    }
  }
  return mask;
}

ReferenceSpan ComputeSpan(const Problem& p, const float* in, const std::vector<double>& mask, size_t row, size_t begin,
                          size_t end) {
  ReferenceSpan span;
  span.sum.resize(end - begin);
  const bool has_tolerance = p.pattern == kFractions;
  if (has_tolerance) span.magnitude.resize(end - begin);
  const auto columns = static_cast<ptrdiff_t>(p.columns);
  const auto first_row = static_cast<ptrdiff_t>(row / p.rows * p.rows);  // of the plane
  const auto end_row = first_row + static_cast<ptrdiff_t>(p.rows);
  for (int i = 0; i < p.mask_rows; ++i) {
    const ptrdiff_t y = static_cast<ptrdiff_t>(row) - p.mask_rows / 2 + i;
    if (y < first_row || y >= end_row) continue;
    for (int j = 0; j < p.mask_columns; ++j) {
      const ptrdiff_t shift = j - p.mask_columns / 2;
      const double factor = mask[static_cast<size_t>(i) * static_cast<size_t>(p.mask_columns) + static_cast<size_t>(j)];
      const ptrdiff_t first = std::max(static_cast<ptrdiff_t>(begin), -shift);
      const ptrdiff_t last = std::min(static_cast<ptrdiff_t>(end), columns - shift);
      const float* const from = in + y * columns + shift;
      double* const to = span.sum.data() - begin;
      for (ptrdiff_t x = first; x < last; ++x) to[x] += factor * static_cast<double>(from[x]);
      if (!has_tolerance) continue;
      double* const magnitude = span.magnitude.data() - begin;
      for (ptrdiff_t x = first; x < last; ++x) magnitude[x] += std::fabs(factor * static_cast<double>(from[x]));
    }
  }
  return span;
}

bool IsRight(const Problem& p, float got, double want, double magnitude) {
  if (std::isnan(want)) return std::isnan(got);
  const auto value = static_cast<double>(got);
  // Equal first: the difference of two infinities is NaN. A NaN fails both.
  return value == want || std::fabs(value - want) <= AllowedError(p, magnitude);
}

Difference Compare(const Problem& p, const Inputs& inputs, const float* out, size_t most) {
  const std::vector<double> mask = WholeMask(p, inputs);
  const size_t spans_per_row = (p.columns + kSpan - 1) / kSpan, spans = p.planes * p.rows * spans_per_row;
  Difference all;
  std::mutex mutex;
  warpgrade::ParallelFor(spans, p.Elements() * p.Products(), [&](size_t first, size_t last) {
    Difference part;
    for (size_t i = first; i < last; ++i) {
      const size_t row = i / spans_per_row, begin = i % spans_per_row * kSpan;
      const size_t end = std::min(begin + kSpan, p.columns);
      const ReferenceSpan want = ComputeSpan(p, inputs.in, mask, row, begin, end);
      for (size_t x = begin; x < end; ++x) {
        const double magnitude = want.magnitude.empty() ? 0 : want.magnitude[x - begin];
        if (IsRight(p, out[row * p.columns + x], want.sum[x - begin], magnitude)) continue;
        ++part.count;
        if (part.wrong.size() < most) part.wrong.push_back(row * p.columns + x);
      }
    }
    const std::lock_guard lock(mutex);
    all.count += part.count;
    all.wrong.insert(all.wrong.end(), part.wrong.begin(), part.wrong.end());
  });
  std::sort(all.wrong.begin(), all.wrong.end());  // each part's first ones, so that these are the first of all
  if (all.wrong.size() > most) all.wrong.resize(most);
  return all;
}

}  // namespace lab4
