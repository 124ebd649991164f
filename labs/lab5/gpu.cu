// The judge's kernels for scans of small integers in float: all timed cases of lab5. All sums are exact in double, in
// any order. How: the sum of each chunk; what comes before each chunk; then each chunk on its own. Tested by
// tests/course/gpu_work_test.cc.
#include "labs/lab5/elements.h"
#include "labs/lab5/gpu.h"
#include "labs/lab5/lab5.h"
#include "labs/support/gpu_kernels.h"

using warpgrade::GpuArguments;

namespace {

constexpr uint64_t kThreads = warpgrade::kGpuWorkThreads, kPerThread = lab5::kGpuChunk / kThreads;

__device__ uint64_t Chunks(const GpuArguments& a) { return (a.sizes[0] + lab5::kGpuChunk - 1) / lab5::kGpuChunk; }
__device__ double* Sums(const GpuArguments& a) { return reinterpret_cast<double*>(a.scratch); }
__device__ double In(const GpuArguments& a, uint64_t i) {
  return i < a.sizes[0] ? static_cast<double>(lab::Array<const float>(a, 0)[i]) : 0;
}

// The sum of the values of all threads before this one. *all: of all threads. REQUIRES: all threads of the block call
// it.
__device__ double SumBefore(double value, double* all) {
  __shared__ double sums[kThreads];
  __syncthreads();  // an earlier scan has been read
  sums[threadIdx.x] = value;
  __syncthreads();
  for (unsigned distance = 1; distance < kThreads; distance *= 2) {
    const double more = threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0;
    __syncthreads();
    sums[threadIdx.x] += more;
    __syncthreads();
  }
  *all = sums[kThreads - 1];
  return sums[threadIdx.x] - value;
}

}  // namespace

extern "C" __global__ void draw(GpuArguments a) {
  auto* const in = lab::Array<float>(a, 0);
  lab::ForEach(a.sizes[0], [&](uint64_t i) { in[i] = lab5::SmallInteger(lab::Noise(a.seed, i)); });
}

extern "C" __global__ void sum_chunks(GpuArguments a) {
  for (uint64_t chunk = blockIdx.x; chunk < Chunks(a); chunk += gridDim.x) {
    double sum = 0;
    for (uint64_t i = threadIdx.x; i < lab5::kGpuChunk; i += kThreads) sum += In(a, chunk * lab5::kGpuChunk + i);
    sum = lab::BlockSum(sum);
    if (threadIdx.x == 0) Sums(a)[chunk] = sum;
  }
}

// One block.
extern "C" __global__ void scan_chunks(GpuArguments a) {
  double before = 0;
  for (uint64_t first = 0; first < Chunks(a); first += kThreads) {
    const uint64_t chunk = first + threadIdx.x;
    double all = 0;
    const double here = SumBefore(chunk < Chunks(a) ? Sums(a)[chunk] : 0, &all);
    if (chunk < Chunks(a)) Sums(a)[chunk] = before + here;
    before += all;
  }
}

extern "C" __global__ void check(GpuArguments a) {
  const bool inclusive = lab5::KindOf(a.variant) == ScanKind::kInclusive;
  uint64_t checked = 0, wrong = 0;
  for (uint64_t chunk = blockIdx.x; chunk < Chunks(a); chunk += gridDim.x) {
    const uint64_t first = chunk * lab5::kGpuChunk + threadIdx.x * kPerThread;
    double sum = 0, all = 0;
    for (uint64_t k = 0; k < kPerThread; ++k) sum += In(a, first + k);
    double running = Sums(a)[chunk] + SumBefore(sum, &all);
    for (uint64_t i = first; i < first + kPerThread && i < a.sizes[0]; ++i) {
      const double before = running;
      running += In(a, i);
      ++checked;
      wrong += static_cast<double>(lab::Array<const float>(a, 1)[i]) == (inclusive ? running : before) ? 0 : 1;
    }
  }
  lab::Report(a, checked, wrong);
}
