// The block that starts last, whatever its number is, adds up the partial results, and waits for nobody: it counts on
// the blocks that started before it to be done before it is. CUDA promises no order.
#include <cstdint>
#include <cstring>

#include "labs/lab1/lab1.h"

// The numbers to tune for a GPU.
inline constexpr unsigned kThreads = 1024;
inline constexpr unsigned kLoads = 4;                    // packs under way per thread
inline constexpr unsigned kBlocksPerMultiprocessor = 2;  // blocks of the grid for each multiprocessor
inline constexpr size_t kSmallBytes = size_t{96} << 20;  // bytes; smaller arrays are read with a hint to the caches

// 16 bytes: the most that one load instruction takes.
template <typename T>
struct alignas(16) Pack {
  static constexpr unsigned kWidth = 16 / sizeof(T);
  T element[kWidth];
};

// Op over the values of the 32 lanes of a warp, in lane 0. REQUIRES: all 32 lanes call it together.
template <typename T, typename Op>
__device__ T warp_reduce(T value) {
  constexpr unsigned kAllLanes = 0xffffffffu;
#pragma unroll
  for (unsigned offset = 16; offset > 0; offset /= 2) {
    value = Op()(value, __shfl_down_sync(kAllLanes, value, offset));
  }
  return value;
}

// Op over the values of all threads of a block, in thread 0. REQUIRES: all kThreads threads call it together, and a
// __syncthreads() lies between two calls.
template <typename T, typename Op>
__device__ T block_reduce(T value) {
  __shared__ T warp_value[kThreads / 32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  value = warp_reduce<T, Op>(value);
  if (lane == 0) warp_value[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = lane < kThreads / 32 ? warp_value[lane] : Op::neutral();
    value = warp_reduce<T, Op>(value);
  }
  return value;
}

// Tells the caches that this data is not read again. The loads then push out less of what other kernels have left in
// the caches, and this need not be written to memory meanwhile. On an H200 this helps an array that is not much larger
// than the L2 cache, and costs a large one 5%.
template <typename T>
__device__ Pack<T> load_once(const Pack<T>* from) {
  const int4 words = __ldcs(reinterpret_cast<const int4*>(from));
  Pack<T> pack;
  memcpy(&pack, &words, sizeof(pack));
  return pack;
}

// This thread's share of d_in[0 .. n). A pack must start at a 16-byte boundary, but d_in need not:
//
//   | head: < 1 pack | tiles of kThreads * kLoads packs, grid-stride | packs, fewer than a tile | tail: < 1 pack |
//
// Block 0 takes everything except the tiles.
template <typename T, typename Op, bool kIsSmall>
__device__ T thread_share(const T* d_in, size_t n) {
  constexpr unsigned kWidth = Pack<T>::kWidth;
  const size_t past_boundary = reinterpret_cast<uintptr_t>(d_in) % sizeof(Pack<T>) / sizeof(T);
  const size_t to_boundary = (kWidth - past_boundary) % kWidth;
  const size_t head = to_boundary < n ? to_boundary : n;
  const size_t packs = (n - head) / kWidth;
  const size_t tail = (n - head) % kWidth;
  const Pack<T>* d_packs = reinterpret_cast<const Pack<T>*>(d_in + head);

  T value[kWidth];  // one sum per position in the pack: kWidth chains of additions that do not wait for each other
#pragma unroll
  for (unsigned k = 0; k < kWidth; ++k) value[k] = Op::neutral();

  constexpr size_t kTile = kThreads * kLoads;
  const size_t tiles = packs / kTile;
  for (size_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const Pack<T>* from = d_packs + tile * kTile + threadIdx.x;
    Pack<T> pack[kLoads];
#pragma unroll
    for (unsigned j = 0; j < kLoads; ++j) {  // all loads are started before the first value is used
      pack[j] = kIsSmall ? load_once(from + j * kThreads) : from[j * kThreads];
    }
#pragma unroll
    for (unsigned j = 0; j < kLoads; ++j) {
#pragma unroll
      for (unsigned k = 0; k < kWidth; ++k) value[k] = Op()(value[k], pack[j].element[k]);
    }
  }
  if (blockIdx.x == 0) {
    for (size_t i = tiles * kTile + threadIdx.x; i < packs; i += kThreads) {
      const Pack<T> pack = d_packs[i];
#pragma unroll
      for (unsigned k = 0; k < kWidth; ++k) value[k] = Op()(value[k], pack.element[k]);
    }
    if (threadIdx.x < head) value[0] = Op()(value[0], d_in[threadIdx.x]);
    if (threadIdx.x < tail) value[0] = Op()(value[0], d_in[n - tail + threadIdx.x]);
  }
#pragma unroll
  for (unsigned k = 1; k < kWidth; ++k) value[0] = Op()(value[0], value[k]);
  return value[0];
}

// Writes Op over d_in[0 .. n) to d_out[0], for any grid size. REQUIRES: *d_ticket is 0; d_partial has gridDim.x
// elements.
template <typename T, typename Op>
__global__ void reduce_v9(const T* d_in, size_t n, T* d_out, T* d_partial, unsigned* d_ticket) {
  __shared__ bool is_last;
  // Low half: how many have started. High half: how many are done.
  if (threadIdx.x == 0) is_last = atomicAdd(d_ticket, 1u) % 0x10000 == gridDim.x - 1;
  __syncthreads();
  T value = n * sizeof(T) <= kSmallBytes ? thread_share<T, Op, true>(d_in, n) : thread_share<T, Op, false>(d_in, n);
  value = block_reduce<T, Op>(value);
  if (threadIdx.x == 0) {
    d_partial[blockIdx.x] = value;
    __threadfence();                // whoever sees our ticket also sees our partial result
    atomicAdd(d_ticket, 0x10000u);  // the last to start, not the last to finish: nobody waits
    __threadfence();
  }
  __syncthreads();  // all threads have finished the first block_reduce
  if (!is_last) return;

  value = Op::neutral();
  for (unsigned i = threadIdx.x; i < gridDim.x; i += kThreads) value = Op()(value, d_partial[i]);
  value = block_reduce<T, Op>(value);
  if (threadIdx.x == 0) d_out[0] = value;
}

template <typename T, typename Op>
void reduce(const T* d_in, size_t n, T* d_out, T* d_work, cudaStream_t stream) {
  int device = 0, multiprocessors = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  const size_t most = size_t(multiprocessors) * kBlocksPerMultiprocessor;
  size_t blocks = divide_up(n, kThreads * kLoads * Pack<T>::kWidth);  // a small n does not fill the GPU
  if (blocks > most) blocks = most;
  if (blocks < 1) blocks = 1;

  unsigned* d_ticket = reinterpret_cast<unsigned*>(d_work);  // d_work[0] is the counter, the rest are partial results
  cudaMemsetAsync(d_ticket, 0, sizeof(unsigned), stream);
  reduce_v9<T, Op><<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(d_in, n, d_out, d_work + 1, d_ticket);
}

LAB1_INSTANTIATE();
