// Rows are spread over threads. Tested by tests/course/lab6/lab6_judge_test.cc, which holds it against a recursion.
#include "labs/lab6/reference.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "labs/lab6/tolerance.h"
#include "labs/support/parallel.h"

namespace lab6 {
namespace {

// One row inside the ring. Corners of 5 points are left out, not multiplied by 0: that would make a NaN of a NaN.
void ComputeRow(const Problem& p, const double (&w)[3][3], const double* row, double* to) {
  const double *above = row - p.columns, *below = row + p.columns;
  to[0] = row[0];
  to[p.columns - 1] = row[p.columns - 1];
  if (p.points == kFive) {
    for (size_t c = 1; c + 1 < p.columns; ++c) {
      to[c] = w[0][1] * above[c] + w[1][0] * row[c - 1] + w[1][1] * row[c] + w[1][2] * row[c + 1] + w[2][1] * below[c];
    }
    return;
  }
  for (size_t c = 1; c + 1 < p.columns; ++c) {
    to[c] = w[0][0] * above[c - 1] + w[0][1] * above[c] + w[0][2] * above[c + 1] +  //
            w[1][0] * row[c - 1] + w[1][1] * row[c] + w[1][2] * row[c + 1] +        //
            w[2][0] * below[c - 1] + w[2][1] * below[c] + w[2][2] * below[c + 1];
  }
}

void Add(const Problem& p, size_t index, Difference& d) {
  const size_t row = index / p.columns, column = index % p.columns;
  const bool in_ring = row == 0 || row + 1 == p.rows || column == 0 || column + 1 == p.columns;
  if (d.count == 0) d = {.first = index, .min_row = row, .max_row = row, .min_column = column, .max_column = column};
  ++d.count;
  d.in_ring += in_ring ? 1 : 0;
  d.first = std::min(d.first, index);
  d.min_row = std::min(d.min_row, row);
  d.max_row = std::max(d.max_row, row);
  d.min_column = std::min(d.min_column, column);
  d.max_column = std::max(d.max_column, column);
}

void Merge(const Difference& other, Difference& d) {
  if (other.count == 0) return;
  if (d.count == 0) {
    d = other;
    return;
  }
  d.count += other.count;
  d.in_ring += other.in_ring;
  d.first = std::min(d.first, other.first);
  d.min_row = std::min(d.min_row, other.min_row);
  d.max_row = std::max(d.max_row, other.max_row);
  d.min_column = std::min(d.min_column, other.min_column);
  d.max_column = std::max(d.max_column, other.max_column);
}

}  // namespace

std::vector<double> Compute(const Problem& p, const float* in, int steps) {
  const Weights weights = p.MakeWeights();
  double w[3][3];
  for (int i = 0; i < 3; ++i) std::copy(weights.at[i], weights.at[i] + 3, w[i]);
  std::vector<double> field(in, in + p.Elements());
  if (p.rows < 3 || p.columns < 3) return field;
  std::vector<double> next = field;  // the ring stays
  for (int step = 0; step < steps; ++step) {
    lab::ParallelFor(p.rows - 2, p.Elements(), [&](size_t begin, size_t end) {
      for (size_t row = begin + 1; row < end + 1; ++row) {
        ComputeRow(p, w, &field[row * p.columns], &next[row * p.columns]);
      }
    });
    field.swap(next);
  }
  return field;
}

bool IsRight(const Problem& p, float got, double want) {
  if (std::isnan(want)) return std::isnan(got);
  const auto value = static_cast<double>(got);
  // Equal first: the difference of two infinities is NaN. A NaN fails both.
  return value == want || std::fabs(value - want) <= AllowedError(p);
}

Difference Compare(const Problem& p, const std::vector<double>& want, const float* got) {
  Difference all;
  std::mutex mutex;
  lab::ParallelFor(p.Elements(), p.Elements(), [&](size_t begin, size_t end) {
    Difference part;
    for (size_t i = begin; i < end; ++i) {
      if (!IsRight(p, got[i], want[i])) Add(p, i, part);
    }
    const std::lock_guard lock(mutex);
    Merge(part, all);
  });
  return all;
}

}  // namespace lab6
