// What the labs' kernels for the judge have in common (grader/lab/gpu_work.h says what they do). For nvcc only. Each
// labs/labN/gpu.cu includes this once.
#pragma once

#include "grader/lab/gpu_work.h"
#include "labs/support/mix.h"

namespace lab {

template <typename T>
__device__ T* Array(const warpgrade::GpuArguments& a, int array) {
  return reinterpret_cast<T*>(a.arrays[array]);
}

// Calls body(i) for each i below n, spread over all threads of the grid.
template <typename Body>
__device__ void ForEach(uint64_t n, const Body& body) {
  const uint64_t threads = uint64_t{gridDim.x} * blockDim.x;
  for (uint64_t i = uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += threads) body(i);
}

// The sum over the lanes of a warp, in lane 0. REQUIRES: all lanes call it.
template <typename T>
__device__ T WarpSum(T value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffff, value, offset);
  return value;
}

// The sum over all threads of the block, in thread 0. REQUIRES: all threads call it, and the block has kGpuWorkThreads.
template <typename T>
__device__ T BlockSum(T value) {
  __shared__ T of_warps[warpgrade::kGpuWorkThreads / 32];
  value = WarpSum(value);
  __syncthreads();  // an earlier sum has been read
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x >= 32) return value;
  return WarpSum(threadIdx.x < warpgrade::kGpuWorkThreads / 32 ? of_warps[threadIdx.x] : T{});
}

__device__ inline void Add(uint64_t* to, uint64_t value) {
  atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(value));
}

// Adds what each thread found to the counts. REQUIRES: all threads of the block call it, at the end of the kernel.
__device__ inline void Report(const warpgrade::GpuArguments& a, uint64_t checked, uint64_t wrong) {
  auto* const counts = reinterpret_cast<warpgrade::GpuCounts*>(a.counts);
  checked = BlockSum(checked);
  wrong = BlockSum(wrong);
  if (threadIdx.x != 0) return;
  if (checked > 0) Add(&counts->checked, checked);
  if (wrong > 0) Add(&counts->wrong, wrong);
}

// Checks the n elements for which is_right(i) says whether they are right.
template <typename IsRight>
__device__ void CheckEach(const warpgrade::GpuArguments& a, uint64_t n, const IsRight& is_right) {
  uint64_t checked = 0, wrong = 0;
  ForEach(n, [&](uint64_t i) {
    ++checked;
    wrong += is_right(i) ? 0 : 1;
  });
  Report(a, checked, wrong);
}

// Counts of the 256 values of a byte, in scratch memory.
inline constexpr unsigned kByteValues = 256;
__device__ inline uint64_t* ByteCounts(const warpgrade::GpuArguments& a) {
  return reinterpret_cast<uint64_t*>(a.scratch);
}

__device__ inline void StartByteCounts(const warpgrade::GpuArguments& a) {
  ForEach(kByteValues, [&](uint64_t value) { ByteCounts(a)[value] = 0; });
}

// Adds the n bytes of array 0. REQUIRES: the array starts at a multiple of 16 bytes, and the block has as many threads
// as a byte has values.
__device__ inline void CountBytes(const warpgrade::GpuArguments& a, uint64_t n) {
  static_assert(warpgrade::kGpuWorkThreads == kByteValues);
  __shared__ unsigned counts[kByteValues];
  counts[threadIdx.x] = 0;
  __syncthreads();
  const auto* const in = Array<const uint8_t>(a, 0);
  ForEach(n / 16, [&](uint64_t i) {
    const uint4 bytes = reinterpret_cast<const uint4*>(in)[i];
    for (const unsigned word : {bytes.x, bytes.y, bytes.z, bytes.w}) {
      for (int k = 0; k < 4; ++k) atomicAdd(&counts[word >> (8 * k) & 255], 1);
    }
  });
  ForEach(n % 16, [&](uint64_t i) { atomicAdd(&counts[in[n / 16 * 16 + i]], 1); });
  __syncthreads();
  if (counts[threadIdx.x] > 0) Add(&ByteCounts(a)[threadIdx.x], counts[threadIdx.x]);
}

}  // namespace lab

// Compares a.bytes bytes of an array with those at a.other. Both addresses are multiples of 256.
extern "C" __global__ void same(warpgrade::GpuArguments a) {
  const auto* const one = reinterpret_cast<const uint4*>(a.arrays[a.array]);
  const auto* const other = reinterpret_cast<const uint4*>(a.other);
  uint64_t checked = 0, wrong = 0;
  lab::ForEach(a.bytes / sizeof(uint4), [&](uint64_t i) {
    const uint4 x = one[i], y = other[i];
    checked += sizeof(uint4);
    wrong += x.x == y.x && x.y == y.y && x.z == y.z && x.w == y.w ? 0 : 1;
  });
  const uint64_t rest = a.bytes % sizeof(uint4), begin = a.bytes - rest;
  lab::ForEach(rest, [&](uint64_t i) {
    ++checked;
    wrong +=
        reinterpret_cast<const uint8_t*>(one)[begin + i] == reinterpret_cast<const uint8_t*>(other)[begin + i] ? 0 : 1;
  });
  lab::Report(a, checked, wrong);
}
