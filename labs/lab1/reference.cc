// How: chunks of 2^16 elements on all cores; within a chunk eight interleaved double-double sums (the compiler makes
// vectors of them); chunk results are then combined in order. Tested by tests/course/lab1/reference_test.cc.
#include "labs/lab1/reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "grader/lab/parallel.h"

namespace lab1 {
namespace {

constexpr size_t kLanes = 8;

// s + e becomes s + e + x without rounding error in s: Knuth's TwoSum, which needs no |s| >= |x|.
inline void AddExactly(double& s, double& e, double x) {
  const double t = s + x;
  const double x_part = t - s;
  e += (s - (t - x_part)) + (x - x_part);
  s = t;
}

struct CompensatedSum {
  double sum = 0, error = 0, magnitude = 0;
  void Add(double x) { AddExactly(sum, error, x); }
};

template <typename T>
CompensatedSum SumOfChunk(const T* begin, const T* end) {
  std::array<double, kLanes> s{}, e{}, magnitude{};
  for (; end - begin >= static_cast<ptrdiff_t>(kLanes); begin += kLanes) {
    for (size_t k = 0; k < kLanes; ++k) {
      const double x = static_cast<double>(begin[k]);
      AddExactly(s[k], e[k], x);
      magnitude[k] += std::fabs(x);
    }
  }
  CompensatedSum total;
  for (size_t k = 0; k < kLanes; ++k) {
    total.Add(s[k]);
    total.error += e[k];
    total.magnitude += magnitude[k];
  }
  for (; begin < end; ++begin) {
    total.Add(static_cast<double>(*begin));
    total.magnitude += std::fabs(static_cast<double>(*begin));
  }
  return total;
}

template <typename T>
Expected SumOf(std::span<const T> input) {
  std::vector<CompensatedSum> chunks(warpgrade::Chunks(input.size()));
  warpgrade::ForEachChunk(input.size(), [&](size_t c, size_t begin, size_t end) {
    chunks[c] = SumOfChunk(input.data() + begin, input.data() + end);
  });
  CompensatedSum total;
  for (const CompensatedSum& c : chunks) {
    total.Add(c.sum);
    total.error += c.error;
    total.magnitude += c.magnitude;
  }
  return {total.sum + total.error, total.magnitude};
}

template <typename T>
Expected MaxOf(std::span<const T> input) {
  constexpr T kLowest =
      std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
  std::vector<T> chunks(warpgrade::Chunks(input.size()), kLowest);
  warpgrade::ForEachChunk(input.size(), [&](size_t c, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) chunks[c] = std::max(chunks[c], input[i]);
  });
  T most = kLowest;
  for (const T chunk : chunks) most = std::max(most, chunk);
  return {static_cast<double>(most), 0};
}

}  // namespace

template <typename T>
Expected Reduce(Operation operation, std::span<const T> input) {
  return operation == Operation::kSum ? SumOf(input) : MaxOf(input);
}

template Expected Reduce(Operation, std::span<const int32_t>);
template Expected Reduce(Operation, std::span<const float>);
template Expected Reduce(Operation, std::span<const double>);

}  // namespace lab1
