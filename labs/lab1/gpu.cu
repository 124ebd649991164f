// The judge's kernels for float sums of small integers: all timed cases of lab1. Such sums are exact in double, in any
// order. Tested by tests/course/gpu_work_test.cc.
#include "labs/lab1/elements.h"
#include "labs/lab1/layout.h"
#include "labs/support/gpu_kernels.h"

using warpgrade::GpuArguments;

extern "C" __global__ void draw(GpuArguments a) {
  auto* const in = lab::Array<float>(a, lab1::kInBuffer);
  lab::ForEach(a.sizes[lab1::kCount],
               [&](uint64_t i) { in[i] = static_cast<float>(lab1::SmallInteger(lab::Noise(a.seed, i))); });
}

extern "C" __global__ void start_sum(GpuArguments a) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *reinterpret_cast<double*>(a.scratch) = 0;
}

extern "C" __global__ void sum_elements(GpuArguments a) {
  const auto* const in = lab::Array<const float>(a, lab1::kInBuffer);
  double sum = 0;
  lab::ForEach(a.sizes[lab1::kCount], [&](uint64_t i) { sum += static_cast<double>(in[i]); });
  sum = lab::BlockSum(sum);
  if (threadIdx.x == 0) atomicAdd(reinterpret_cast<double*>(a.scratch), sum);
}

extern "C" __global__ void check(GpuArguments a) {
  const double want = *reinterpret_cast<const double*>(a.scratch);
  lab::CheckEach(a, 1,
                 [&](uint64_t) { return static_cast<double>(*lab::Array<const float>(a, lab1::kOutBuffer)) == want; });
}
