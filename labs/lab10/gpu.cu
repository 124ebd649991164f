// The judge's kernels for sorts of random elements whose 32 bits are all key: all timed cases of lab10. The output is
// right if it is in order and holds the elements of the input. The second is checked by sums: each element counts with
// a number that depends on it and on 64 random bits, which no program knows. Tested by tests/course/gpu_work_test.cc.
#include "labs/lab10/elements.h"
#include "labs/support/gpu_kernels.h"

using warpgrade::GpuArguments;

namespace {

// Sum over the input minus sum over the output: 0 if both hold the same elements.
__device__ uint64_t* Difference(const GpuArguments& a) { return reinterpret_cast<uint64_t*>(a.scratch); }

}  // namespace

extern "C" __global__ void draw(GpuArguments a) {
  auto* const in = lab::Array<uint32_t>(a, 0);
  lab::ForEach(a.sizes[0], [&](uint64_t i) { in[i] = lab10::RandomElement(lab::Noise(a.seed, i)); });
}

extern "C" __global__ void start_sums(GpuArguments a) {
  lab::ForEach(1, [&](uint64_t) { *Difference(a) = 0; });
}

extern "C" __global__ void add_up(GpuArguments a) {
  uint64_t difference = 0;
  lab::ForEach(a.sizes[0], [&](uint64_t i) {
    difference += lab::Noise(a.seed, lab::Array<const uint32_t>(a, 0)[i]);
    difference -= lab::Noise(a.seed, lab::Array<const uint32_t>(a, 1)[i]);
  });
  difference = lab::BlockSum(difference);
  if (threadIdx.x == 0) lab::Add(Difference(a), difference);
}

// The first element stands for the sums, each other one for its order.
extern "C" __global__ void check(GpuArguments a) {
  const auto* const out = lab::Array<const uint32_t>(a, 1);
  lab::CheckEach(a, a.sizes[0], [&](uint64_t i) { return i == 0 ? *Difference(a) == 0 : out[i - 1] <= out[i]; });
}
