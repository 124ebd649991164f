// Rows of C are spread over threads. A row is computed with B's rows as vectors, so that the compiler uses vector
// instructions. Tested by tests/course/lab3/lab3_judge_test.cc, which holds it against three loops.
#include "labs/lab3/reference.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <random>

#include "grader/lab/parallel.h"
#include "labs/lab3/elements.h"
#include "labs/lab3/tolerance.h"

namespace lab3 {
namespace {

constexpr size_t kRowsToLookAt = 8;  // of a large C that is wrong

// The inputs as floats, which halves are exactly, whichever they are.
class Matrix {
 public:
  Matrix(const Problem& p, const void* data) : half_(p.variant == kHalf), data_(data) {}
  float operator[](size_t i) const {
    return half_ ? HalfToFloat(static_cast<const uint16_t*>(data_)[i]) : static_cast<const float*>(data_)[i];
  }

 private:
  bool half_;
  const void* data_;
};

void AddElement(size_t row, size_t column, size_t n, Difference& d) {
  const size_t index = row * n + column;
  if (d.count++ == 0) {
    d.first = index;
    d.min_row = d.max_row = row;
    d.min_column = d.max_column = column;
    return;
  }
  d.first = std::min(d.first, index);
  d.min_row = std::min(d.min_row, row);
  d.max_row = std::max(d.max_row, row);
  d.min_column = std::min(d.min_column, column);
  d.max_column = std::max(d.max_column, column);
}

void Merge(const Difference& other, Difference& d) {
  if (other.count == 0) return;
  const size_t count = d.count + other.count;
  if (d.count == 0) {
    d = other;
  } else {
    d.first = std::min(d.first, other.first);
    d.min_row = std::min(d.min_row, other.min_row);
    d.max_row = std::max(d.max_row, other.max_row);
    d.min_column = std::min(d.min_column, other.min_column);
    d.max_column = std::max(d.max_column, other.max_column);
  }
  d.count = count;
}

void CompareRow(const Problem& p, const void* a, const void* b, const float* c, size_t row, Difference& d) {
  const ReferenceRow want = ComputeRow(p, a, b, row);
  for (size_t j = 0; j < p.n; ++j) {
    if (!IsRight(p, c[row * p.n + j], want.sum[j], want.magnitude[j])) AddElement(row, j, p.n, d);
  }
}

// The product of `rows` rows of a matrix with x. Exact for what Compare() multiplies (values.cc): elements of A are
// multiples of 2^-12 below 2, or integers below 32; those of B are integers below 16, those of x up to kMostInVector.
// So all sums are multiples of 2^-12, and with random signs they stay below 2^34 for k and n up to 2^14: 46 of 53 bits.
template <typename Elements>
std::vector<double> Product(size_t rows, size_t columns, const Elements& elements, const std::vector<double>& x) {
  std::vector<double> y(rows);
  warpgrade::ParallelFor(rows, rows * columns, [&](size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row) {
      double sum = 0;
      for (size_t i = 0; i < columns; ++i) sum += static_cast<double>(elements[row * columns + i]) * x[i];
      y[row] = sum;
    }
  });
  return y;
}

std::vector<double> DrawVector(size_t elements) {
  std::random_device entropy;
  std::mt19937_64 random((uint64_t{entropy()} << 32) | entropy());
  std::vector<double> x(elements);
  for (double& e : x) e = VectorElement(random());
  return x;
}

Difference CompareByVectors(const Problem& p, const void* a, const void* b, const float* c) {
  const std::vector<double> x = DrawVector(p.n);
  const std::vector<double> want = Product(p.m, p.k, Matrix(p, a), Product(p.k, p.n, Matrix(p, b), x));
  const std::vector<double> got = Product(p.m, p.n, c, x);
  Difference d;
  size_t looked_at = 0;
  for (size_t row = 0; row < p.m; ++row) {
    if (got[row] == want[row]) continue;  // a NaN equals nothing
    if (looked_at++ == kRowsToLookAt) {
      d.there_are_more = true;
      break;
    }
    CompareRow(p, a, b, c, row, d);
  }
  return d;
}

}  // namespace

ReferenceRow ComputeRow(const Problem& p, const void* a, const void* b, size_t row) {
  const Matrix a_elements(p, a), b_elements(p, b);
  ReferenceRow result{std::vector<double>(p.n), std::vector<double>(p.n)};
  for (size_t l = 0; l < p.k; ++l) {
    const double factor = static_cast<double>(a_elements[row * p.k + l]);
    for (size_t j = 0; j < p.n; ++j) {
      const double product = factor * static_cast<double>(b_elements[l * p.n + j]);
      result.sum[j] += product;
      result.magnitude[j] += std::fabs(product);
    }
  }
  return result;
}

bool IsRight(const Problem& p, float got, double want, double magnitude) {
  if (std::isnan(want)) return std::isnan(got);
  const auto value = static_cast<double>(got);
  // Equal first: the difference of two infinities is NaN. A NaN fails both.
  return value == want || std::fabs(value - want) <= AllowedError(p, magnitude);
}

Difference Compare(const Problem& p, const void* a, const void* b, const float* c) {
  const double products = static_cast<double>(p.m) * static_cast<double>(p.k) * static_cast<double>(p.n);
  if (products > kMostProducts) return CompareByVectors(p, a, b, c);
  Difference all;
  std::mutex mutex;
  warpgrade::ParallelFor(p.m, p.m * p.k * p.n, [&](size_t begin, size_t end) {
    Difference part;
    for (size_t row = begin; row < end; ++row) CompareRow(p, a, b, c, row, part);
    const std::lock_guard lock(mutex);
    Merge(part, all);
  });
  return all;
}

}  // namespace lab3
