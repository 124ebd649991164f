// Lab 1, v9 another way: one launch with cooperative groups.
//
// In v9 no block waits: the one that draws the last ticket does the rest. Here all blocks wait for each other at
// grid.sync(), and then the first one does the rest:
//
//     block 0  ---- partial[0] ----|         |-- combines partial[0 .. 2]
//     block 1  --------- partial[1] |  sync  |
//     block 2  -- partial[2] ------|         |
//
// Simpler to read, since there is no counter to reset and no fence to forget. It costs what the name says: the launch
// is refused unless all blocks fit on the GPU at the same time, because a block that is not there yet cannot arrive.
// And this file leaves out what makes v9 fast, its 16-byte loads.
#include <cooperative_groups.h>

#include "labs/lab1/lab1.h"

namespace cg = cooperative_groups;

inline constexpr unsigned kThreads = 256;
inline constexpr unsigned kPerThread = 16;  // elements per thread before another block is worth its cost

using Warp = cg::thread_block_tile<32>;

// Op over the values of a warp's lanes, in lane 0. REQUIRES: all of them call it together.
template <typename T, typename Op>
__device__ T warp_reduce(const Warp& warp, T value) {
  for (unsigned distance = 16; distance > 0; distance /= 2) value = Op()(value, warp.shfl_down(value, distance));
  return value;
}

// Op over the values of all threads of a block, in thread 0. REQUIRES: all threads call it together, and the block
// meets between two calls.
template <typename T, typename Op>
__device__ T block_reduce(const cg::thread_block& block, T value) {
  __shared__ T warp_value[kThreads / 32];
  const Warp warp = cg::tiled_partition<32>(block);
  value = warp_reduce<T, Op>(warp, value);
  if (warp.thread_rank() == 0) warp_value[warp.meta_group_rank()] = value;
  block.sync();
  if (warp.meta_group_rank() == 0) {
    value = warp.thread_rank() < kThreads / 32 ? warp_value[warp.thread_rank()] : Op::neutral();
    value = warp_reduce<T, Op>(warp, value);
  }
  return value;
}

// Writes Op over d_in[0 .. n) to d_out[0]. REQUIRES: a cooperative launch; d_partial has gridDim.x elements.
template <typename T, typename Op>
__global__ void reduce_cooperatively(const T* d_in, size_t n, T* d_out, T* d_partial) {
  const cg::grid_group grid = cg::this_grid();
  const cg::thread_block block = cg::this_thread_block();

  T value = Op::neutral();
  for (size_t i = grid.thread_rank(); i < n; i += grid.num_threads()) value = Op()(value, d_in[i]);
  value = block_reduce<T, Op>(block, value);
  if (block.thread_rank() == 0) d_partial[blockIdx.x] = value;

  grid.sync();  // also a fence: what any block wrote before, every block sees after
  if (blockIdx.x != 0) return;
  value = Op::neutral();
  for (unsigned i = block.thread_rank(); i < gridDim.x; i += kThreads) value = Op()(value, d_partial[i]);
  value = block_reduce<T, Op>(block, value);
  if (block.thread_rank() == 0) d_out[0] = value;
}

template <typename T, typename Op>
void reduce(const T* d_in, size_t n, T* d_out, T* d_work, cudaStream_t stream) {
  void (*const kernel)(const T*, size_t, T*, T*) = reduce_cooperatively<T, Op>;
  int device = 0, multiprocessors = 0, blocks_of_each = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_of_each, kernel, int(kThreads), 0);
  const size_t most = size_t(multiprocessors) * size_t(blocks_of_each);
  size_t blocks = divide_up(n, kThreads * kPerThread);
  if (blocks > most) blocks = most;
  if (blocks > WorkElements(n)) blocks = WorkElements(n);  // one partial result for each
  if (blocks < 1) blocks = 1;

  void* arguments[] = {&d_in, &n, &d_out, &d_work};
  cudaLaunchCooperativeKernel(kernel, dim3(unsigned(blocks)), dim3(kThreads), arguments, 0, stream);
}

LAB1_INSTANTIATE();
