// The judge's kernels for matrices whose products are exact: all timed cases of lab3. As on the host (reference.cc),
// the answer C is compared with A * B by a random vector x that is drawn after the call: C * x must equal A * (B * x).
// All of these sums are exact in double, in any order. scratch: x, B * x, each of n and k doubles. Tested by
// tests/course/gpu_work_test.cc.
#include "labs/lab3/elements.h"
#include "labs/support/gpu_kernels.h"

using warpgrade::GpuArguments;

namespace {

__device__ double* X(const GpuArguments& a) { return reinterpret_cast<double*>(a.scratch); }
__device__ double* Bx(const GpuArguments& a) { return X(a) + a.sizes[2]; }

__device__ double In(const GpuArguments& a, int array, uint64_t i) {
  return static_cast<double>(a.variant == lab3::kHalf ? lab3::HalfToFloat(lab::Array<const uint16_t>(a, array)[i])
                                                      : lab::Array<const float>(a, array)[i]);
}

// The sum of element(i) * x[i] for i below n, in thread 0. REQUIRES: all threads of the block call it.
template <typename Element>
__device__ double Dot(uint64_t n, const Element& element, const double* x) {
  double sum = 0;
  for (uint64_t i = threadIdx.x; i < n; i += blockDim.x) sum += element(i) * x[i];
  return lab::BlockSum(sum);
}

}  // namespace

extern "C" __global__ void draw(GpuArguments a) {
  const bool is_a = a.array == 0;
  const uint64_t elements = is_a ? a.sizes[0] * a.sizes[1] : a.sizes[1] * a.sizes[2];
  lab::ForEach(elements, [&](uint64_t i) {
    const float element = lab3::ExactElement(a.variant, is_a, lab::Noise(a.seed, i));
    if (a.variant == lab3::kHalf) {
      lab::Array<uint16_t>(a, static_cast<int>(a.array))[i] = lab3::ExactHalf(element);
    } else {
      lab::Array<float>(a, static_cast<int>(a.array))[i] = element;
    }
  });
}

extern "C" __global__ void draw_vector(GpuArguments a) {
  lab::ForEach(a.sizes[2], [&](uint64_t i) { X(a)[i] = lab3::VectorElement(lab::Noise(a.seed, i)); });
}

extern "C" __global__ void b_times_vector(GpuArguments a) {
  const uint64_t k = a.sizes[1], n = a.sizes[2];
  for (uint64_t row = blockIdx.x; row < k; row += gridDim.x) {
    const double sum = Dot(
        n, [&](uint64_t i) { return In(a, 1, row * n + i); }, X(a));
    if (threadIdx.x == 0) Bx(a)[row] = sum;
  }
}

// A row of C counts as n elements. A NaN in it equals nothing.
extern "C" __global__ void check(GpuArguments a) {
  const uint64_t m = a.sizes[0], k = a.sizes[1], n = a.sizes[2];
  const auto* const c = lab::Array<const float>(a, 2);
  uint64_t checked = 0, wrong = 0;
  for (uint64_t row = blockIdx.x; row < m; row += gridDim.x) {
    const double want = Dot(
        k, [&](uint64_t i) { return In(a, 0, row * k + i); }, Bx(a));
    const double got = Dot(
        n, [&](uint64_t i) { return static_cast<double>(c[row * n + i]); }, X(a));
    if (threadIdx.x != 0) continue;
    checked += n;
    wrong += got == want ? 0 : 1;
  }
  lab::Report(a, checked, wrong);
}
