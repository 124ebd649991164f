// The judge's kernels for fields of small integers and weights of few bits: all timed cases of lab6. Each step is exact
// in double, in any order. Two fields of doubles are written in turn. Tested by tests/course/gpu_work_test.cc.
#include "labs/lab6/elements.h"
#include "labs/lab6/gpu.h"
#include "labs/lab6/lab6.h"
#include "labs/support/gpu_kernels.h"

using warpgrade::GpuArguments;

namespace {

__device__ double* Field(const GpuArguments& a, int number) {
  return reinterpret_cast<double*>(a.scratch) + static_cast<uint64_t>(number) * a.sizes[0] * a.sizes[1];
}

// numbers[3 * i + j] is the weight of the neighbour i - 1 rows down and j - 1 columns to the right. The corners of 5
// points are left out.
template <typename Read>
__device__ double NewValue(const GpuArguments& a, uint64_t index, const Read& read) {
  const uint64_t rows = a.sizes[0], columns = a.sizes[1], row = index / columns, column = index % columns;
  if (row == 0 || row + 1 == rows || column == 0 || column + 1 == columns) return read(index);
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (a.variant == lab6::kFive && i != 1 && j != 1) continue;
      sum += a.numbers[3 * i + j] * read((row + i - 1) * columns + column + j - 1);
    }
  }
  return sum;
}

__device__ void Step(const GpuArguments& a, const double* from, double* to) {
  lab::ForEach(a.sizes[0] * a.sizes[1],
               [&](uint64_t i) { to[i] = NewValue(a, i, [&](uint64_t j) { return from[j]; }); });
}

}  // namespace

extern "C" __global__ void draw(GpuArguments a) {
  auto* const in = lab::Array<float>(a, 0);
  lab::ForEach(a.sizes[0] * a.sizes[1], [&](uint64_t i) { in[i] = lab6::SmallInteger(lab::Noise(a.seed, i)); });
}

extern "C" __global__ void first_step(GpuArguments a) {
  const auto* const in = lab::Array<const float>(a, 0);
  lab::ForEach(a.sizes[0] * a.sizes[1], [&](uint64_t i) {
    Field(a, 0)[i] = NewValue(a, i, [&](uint64_t j) { return static_cast<double>(in[j]); });
  });
}

extern "C" __global__ void second_step(GpuArguments a) { Step(a, Field(a, 0), Field(a, 1)); }
extern "C" __global__ void third_step(GpuArguments a) { Step(a, Field(a, 1), Field(a, 0)); }

// The last step, and the comparison.
extern "C" __global__ void check(GpuArguments a) {
  static_assert(lab6::kGpuSteps == 4);
  const double* const from = Field(a, 0);
  const auto* const out = lab::Array<const float>(a, 1);
  lab::CheckEach(a, a.sizes[0] * a.sizes[1], [&](uint64_t i) {
    return static_cast<double>(out[i]) == NewValue(a, i, [&](uint64_t j) { return from[j]; });
  });
}
