// The sum of n floats or doubles with threads that meet in different ways: the kernels that the studies time. They
// leave out what v9 does for speed, so that only the meeting differs.
#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <algorithm>
#include <cstddef>

#include "labs/support/device_array.h"

namespace study {

namespace cg = cooperative_groups;

inline constexpr unsigned kThreads = 256;
inline constexpr unsigned kPerThread = 16;  // elements per thread before another block is worth its cost

// Element i of what is added: integers from -64 to 64, so small that every order of additions gives the same sum.
__host__ __device__ inline int small_integer(size_t i) {
  const int v = int((unsigned(i) * 2654435761u) >> 25) - 64;
  return v >= 0 ? v + 1 : v;
}

// Element i when the order of additions is to show in the last bits.
__host__ __device__ inline float fraction(size_t i) { return 1.0f / float(1 + i % 1000); }

// How the threads of a block combine what they have.
enum class InBlock { kBarriers, kShuffles };

// The sum of the values of all threads of a block, in thread 0. REQUIRES: all threads call it together, and the block
// meets between two calls.
template <InBlock how, typename T>
__device__ T block_sum(T mine) {
  const cg::thread_block block = cg::this_thread_block();
  __shared__ T partial[kThreads];
  const unsigned tid = threadIdx.x;
  if constexpr (how == InBlock::kBarriers) {  // a tree in shared memory; all meet after each step
    partial[tid] = mine;
    for (unsigned step = kThreads / 2; step > 0; step /= 2) {
      block.sync();
      if (tid < step) partial[tid] = mine = mine + partial[tid + step];
    }
    return mine;
  }
  const auto warp = cg::tiled_partition<32>(block);  // registers within a warp; all meet once
  mine = cg::reduce(warp, mine, cg::plus<T>());
  if (warp.thread_rank() == 0) partial[warp.meta_group_rank()] = mine;
  block.sync();
  if (warp.meta_group_rank() != 0) return 0;
  return cg::reduce(warp, tid < kThreads / 32 ? partial[tid] : T(0), cg::plus<T>());
}

template <typename T>
__device__ T thread_sum(const T* d_in, size_t n) {
  T mine = 0;
  const size_t stride = size_t(gridDim.x) * kThreads;
  for (size_t i = size_t(blockIdx.x) * kThreads + threadIdx.x; i < n; i += stride) mine += d_in[i];
  return mine;
}

// One partial sum for each block: somebody else has to add those.
template <typename T>
__global__ void sum_with_barriers(const T* d_in, size_t n, T* d_partial) {
  const T sum = block_sum<InBlock::kBarriers>(thread_sum(d_in, n));
  if (threadIdx.x == 0) d_partial[blockIdx.x] = sum;
}
template <typename T>
__global__ void sum_with_shuffles(const T* d_in, size_t n, T* d_partial) {
  const T sum = block_sum<InBlock::kShuffles>(thread_sum(d_in, n));
  if (threadIdx.x == 0) d_partial[blockIdx.x] = sum;
}

// One pass in place. The n numbers to add stand at d_u[0], d_u[stride], d_u[2 * stride] and so on. Each block adds
// kOfAPass of them. It puts their sum where the first of them stood, because no other block reads or writes there. A
// sum at d_u[blockIdx.x] would be a race: block 0 may not have read this number yet.
inline constexpr unsigned kOfAPass = 2 * kThreads;
template <typename T>
__global__ void add_in_place(const T* d_u, size_t n, size_t stride, T* d_sums) {
  const size_t first = size_t(blockIdx.x) * kOfAPass, left = first + threadIdx.x, right = left + kThreads;
  T mine = left < n ? d_u[left * stride] : T(0);
  if (right < n) mine += d_u[right * stride];
  mine = block_sum<InBlock::kBarriers>(mine);
  if (threadIdx.x == 0) d_sums[first * stride] = mine;
}

// Each block adds its own to the result, in the order in which they happen to finish. REQUIRES: *d_out is 0.
template <typename T>
__global__ void sum_with_atomics(const T* d_in, size_t n, T* d_out) {
  const T sum = block_sum<InBlock::kShuffles>(thread_sum(d_in, n));
  if (threadIdx.x == 0) atomicAdd(d_out, sum);
}

// All blocks meet; then the first one adds what all have left. REQUIRES: a cooperative launch.
template <typename T>
__global__ void sum_with_grid_sync(const T* d_in, size_t n, T* d_partial, T* d_out) {
  T sum = block_sum<InBlock::kShuffles>(thread_sum(d_in, n));
  if (threadIdx.x == 0) d_partial[blockIdx.x] = sum;
  cg::this_grid().sync();
  if (blockIdx.x != 0) return;
  sum = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += kThreads) sum += d_partial[i];
  sum = block_sum<InBlock::kShuffles>(sum);
  if (threadIdx.x == 0) *d_out = sum;
}

// How many blocks of sum_with_grid_sync fit on the device at a time.
template <typename T>
size_t MostBlocks() {
  int multiprocessors = 0, of_each = 0;
  lab::Require(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0), "cudaDeviceGetAttribute");
  lab::Require(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_each, sum_with_grid_sync<T>, int(kThreads), 0),
               "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  return size_t(multiprocessors) * size_t(of_each);
}

// Blocks for n elements: the same for every kernel, so no more than grid sync can have.
template <typename T>
unsigned Blocks(size_t n) {
  static const size_t kMost = MostBlocks<T>();  // asked once: the question takes as long as a small kernel
  const size_t wanted = (n + kThreads * kPerThread - 1) / (kThreads * kPerThread);
  return unsigned(std::clamp<size_t>(wanted, 1, kMost));
}

template <typename T>
void LaunchGridSync(const T* d_in, size_t n, T* d_partial, T* d_out, cudaStream_t stream) {
  void* arguments[] = {&d_in, &n, &d_partial, &d_out};
  lab::Require(
      cudaLaunchCooperativeKernel(sum_with_grid_sync<T>, dim3(Blocks<T>(n)), dim3(kThreads), arguments, 0, stream),
      "cudaLaunchCooperativeKernel");
}

// Two launches: the blocks' sums, and their sum.
template <typename T, void (*kernel)(const T*, size_t, T*)>
void LaunchTwice(const T* d_in, size_t n, T* d_partial, T* d_out, cudaStream_t stream) {
  const unsigned blocks = Blocks<T>(n);
  kernel<<<blocks, kThreads, 0, stream>>>(d_in, n, d_partial);
  kernel<<<1, kThreads, 0, stream>>>(d_partial, blocks, d_out);
  lab::Require(cudaGetLastError(), "launch");
}

// Passes over d_u, until one sum is left. REQUIRES: n > 0. Afterwards d_u has other numbers.
template <typename T>
void LaunchPassesInPlace(T* d_u, size_t n, T* d_out, cudaStream_t stream) {
  for (size_t stride = 1, blocks = 0; blocks != 1; n = blocks, stride *= kOfAPass) {
    blocks = (n + kOfAPass - 1) / kOfAPass;
    add_in_place<<<unsigned(blocks), kThreads, 0, stream>>>(d_u, n, stride, blocks == 1 ? d_out : d_u);
    lab::Require(cudaGetLastError(), "launch");
  }
}

}  // namespace study
