// Rows are spread over threads; where nothing but right or wrong is asked, blocks that fit into a core's cache. Tested
// by tests/course/lab6/lab6_judge_test.cc, which holds it against a recursion.
#include "labs/lab6/reference.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

#include "grader/lab/parallel.h"
#include "labs/lab6/tolerance.h"

namespace lab6 {
namespace {

constexpr size_t kBlockRows = 64, kBlockColumns = 512;  // 600 KB of doubles and floats with four steps around it
constexpr int kMostStepsInBlocks = 16;                  // of more, a block would be mostly what lies around it

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

// One side of a block: what is compared, and what has to be known for that.
struct Span {
  Span(size_t number, size_t length, size_t steps, size_t all)
      : begin(number * length),
        end(std::min(all, begin + length)),
        known_begin(begin - std::min(begin, steps)),
        known_end(std::min(all, end + steps)) {}
  size_t known() const { return known_end - known_begin; }
  size_t begin, end, known_begin, known_end;
};

// The block is taken for a field of its own. Its ring is wrong after a step where it is not the field's, and the fault
// comes one element nearer with each: after as many as lie around the block, it has not come in.
bool BlockIsRight(const Problem& p, const Span& rows, const Span& columns, const float* in, const float* got) {
  Problem block = p;
  block.rows = rows.known();
  block.columns = columns.known();
  std::vector<float> known(block.Elements());
  for (size_t row = 0; row < block.rows; ++row) {
    const float* const from = in + (rows.known_begin + row) * p.columns + columns.known_begin;
    std::copy(from, from + block.columns, &known[row * block.columns]);
  }
  const std::vector<double> want = Compute(block, known.data(), p.steps);
  for (size_t row = rows.begin; row < rows.end; ++row) {
    const double* const wanted = &want[(row - rows.known_begin) * block.columns + columns.begin - columns.known_begin];
    for (size_t column = columns.begin; column < columns.end; ++column) {
      if (!IsRight(p, got[row * p.columns + column], wanted[column - columns.begin])) return false;
    }
  }
  return true;
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
    warpgrade::ParallelFor(p.rows - 2, p.Elements(), [&](size_t begin, size_t end) {
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
  warpgrade::ParallelFor(p.Elements(), p.Elements(), [&](size_t begin, size_t end) {
    Difference part;
    for (size_t i = begin; i < end; ++i) {
      if (!IsRight(p, got[i], want[i])) Add(p, i, part);
    }
    const std::lock_guard lock(mutex);
    Merge(part, all);
  });
  return all;
}

bool IsRight(const Problem& p, const float* in, const float* got) {
  if (p.steps > kMostStepsInBlocks || p.rows < 3 || p.columns < 3)
    return Compare(p, Compute(p, in, p.steps), got).count == 0;
  const size_t across = DivideUp(p.columns, kBlockColumns), blocks = DivideUp(p.rows, kBlockRows) * across;
  const auto steps = static_cast<size_t>(p.steps);
  std::atomic<bool> right{true};
  warpgrade::ParallelFor(blocks, p.Elements(), [&](size_t begin, size_t end) {
    for (size_t b = begin; b < end && right; ++b) {
      const Span rows(b / across, kBlockRows, steps, p.rows), columns(b % across, kBlockColumns, steps, p.columns);
      if (!BlockIsRight(p, rows, columns, in, got)) right = false;
    }
  });
  return right;
}

}  // namespace lab6
