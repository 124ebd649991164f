// How: the array is cut into chunks; a first pass sums each, then it is known what comes before each, and a second pass
// compares the chunks one by one. Both passes use all cores. Tested by tests/course/lab5/lab5_judge_test.cc against a
// plain loop over whole numbers.
#include "labs/lab5/reference.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "grader/lab/parallel.h"
#include "labs/lab5/tolerance.h"

namespace lab5 {
namespace {

constexpr size_t kChunk = size_t{1} << 16;

template <typename T>
double SumOf(const T* in, size_t begin, size_t end) {
  double sum = 0;
  for (size_t i = begin; i < end; ++i) sum += static_cast<double>(in[i]);
  return sum;
}

// `running` is the sum of in[0] .. in[begin - 1].
template <typename T>
Difference CompareChunk(const Problem& p, const T* in, const T* out, size_t begin, size_t end, double running) {
  const bool inclusive = p.is_inclusive();
  Difference d;
  for (size_t i = begin; i < end; ++i) {
    const double before = running;
    running += static_cast<double>(in[i]);
    const double want = inclusive ? running : before;
    const auto got = static_cast<double>(out[i]);
    // Equal first: the difference of two infinities is NaN. A NaN fails both. The elements of kFractions are positive,
    // so that a sum is its own magnitude.
    if (got == want || std::fabs(got - want) <= AllowedError(p, inclusive ? i + 1 : i, want)) continue;
    if (d.count == 0) d.first = i;
    d.last = i;
    ++d.count;
  }
  return d;
}

template <typename T>
Difference CompareAs(const Problem& p, const T* in, const T* out) {
  const size_t chunks = p.n / kChunk + (p.n % kChunk != 0 ? 1 : 0);
  std::vector<double> before(chunks);
  warpgrade::ParallelFor(chunks, p.n, [&](size_t begin, size_t end) {
    for (size_t c = begin; c < end; ++c) before[c] = SumOf(in, c * kChunk, std::min(p.n, (c + 1) * kChunk));
  });
  double running = 0;
  for (double& b : before) {
    const double sum = b;
    b = running;
    running += sum;
  }
  std::vector<Difference> of_chunk(chunks);
  warpgrade::ParallelFor(chunks, p.n, [&](size_t begin, size_t end) {
    for (size_t c = begin; c < end; ++c) {
      of_chunk[c] = CompareChunk(p, in, out, c * kChunk, std::min(p.n, (c + 1) * kChunk), before[c]);
    }
  });
  Difference all;
  for (const Difference& d : of_chunk) {
    if (d.count == 0) continue;
    if (all.count == 0) all.first = d.first;
    all.last = d.last;
    all.count += d.count;
  }
  return all;
}

}  // namespace

Difference Compare(const Problem& p, const void* in, const void* out) {
  if (IsFloat(p.variant)) return CompareAs(p, static_cast<const float*>(in), static_cast<const float*>(out));
  return CompareAs(p, static_cast<const int32_t*>(in), static_cast<const int32_t*>(out));
}

double ScanAt(const Problem& p, const void* in, size_t i) {
  const size_t end = p.is_inclusive() ? i + 1 : i;
  if (IsFloat(p.variant)) return SumOf(static_cast<const float*>(in), 0, end);
  return SumOf(static_cast<const int32_t*>(in), 0, end);
}

}  // namespace lab5
