// The judge's kernels for matrices of floats with different elements: all timed cases of lab2. Tested by
// tests/course/gpu_work_test.cc.
#include "labs/lab2/elements.h"
#include "labs/support/gpu_kernels.h"

using warpgrade::GpuArguments;

extern "C" __global__ void draw(GpuArguments a) {
  const uint64_t elements = a.sizes[0] * a.sizes[1];
  const lab2::Permutation permutation(a.seed, lab2::BitsFor(elements));
  auto* const in = lab::Array<uint32_t>(a, 0);
  lab::ForEach(elements, [&](uint64_t i) { in[i] = lab2::OrdinaryFloat(permutation(i)); });
}

// Compares bits. Consecutive threads read consecutive elements of the output.
extern "C" __global__ void check(GpuArguments a) {
  const uint64_t rows = a.sizes[0], columns = a.sizes[1];
  const auto* const in = lab::Array<const uint32_t>(a, 0);
  const auto* const out = lab::Array<const uint32_t>(a, 1);
  lab::CheckEach(a, rows * columns, [&](uint64_t i) { return out[i] == in[i % rows * columns + i / rows]; });
}
