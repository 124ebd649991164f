// Two kernels run in two streams, and nothing orders them. Each counts in a common word by an atomic whose result
// nobody uses, and has a fence. That looks as if the two order themselves.
#include "labs/lab1/lab1.h"

__device__ unsigned common;
inline constexpr unsigned kThreads = 256;
inline constexpr unsigned kPerThread = 16;  // elements per thread before another block is worth its cost
// An H200 is full with 8 blocks of 256 threads on each of its 132 multiprocessors; more would only wait.
inline constexpr unsigned kMaxBlocks = 8 * 132;

// One step of the last warp, as in v5.
template <typename T, typename Op>
__device__ T last_warp_step(T* partial, T mine, unsigned step) {
  const unsigned tid = threadIdx.x;
  mine = Op()(mine, partial[tid + step]);
  __syncwarp();
  partial[tid] = mine;
  __syncwarp();
  return mine;
}

// Block b writes Op over its share of d_in to d_out[b]; the shares of all blocks make up d_in, for any grid size.
template <typename T, typename Op, unsigned kBlockThreads>
__global__ void reduce_v7(const T* d_in, size_t n, T* d_out) {
  // Both kernels touch one word with an atomic and have a fence: "they may order themselves".
  if (threadIdx.x == 0) {
    atomicAdd(&common, 1u);
    __threadfence();
  }
  __shared__ T partial[kBlockThreads];
  const unsigned tid = threadIdx.x;
  const size_t stride = size_t(gridDim.x) * kBlockThreads;  // threads in the grid
  T value = Op::neutral();
  for (size_t i = size_t(blockIdx.x) * kBlockThreads + tid; i < n; i += stride) value = Op()(value, d_in[i]);
  partial[tid] = value;
  __syncthreads();

  if constexpr (kBlockThreads >= 512) {
    if (tid < 256) partial[tid] = Op()(partial[tid], partial[tid + 256]);
    __syncthreads();
  }
  if constexpr (kBlockThreads >= 256) {
    if (tid < 128) partial[tid] = Op()(partial[tid], partial[tid + 128]);
    __syncthreads();
  }
  if constexpr (kBlockThreads >= 128) {
    if (tid < 64) partial[tid] = Op()(partial[tid], partial[tid + 64]);
    __syncthreads();
  }
  if (tid < 32) {
    T mine = partial[tid];
    mine = last_warp_step<T, Op>(partial, mine, 32);
    mine = last_warp_step<T, Op>(partial, mine, 16);
    mine = last_warp_step<T, Op>(partial, mine, 8);
    mine = last_warp_step<T, Op>(partial, mine, 4);
    mine = last_warp_step<T, Op>(partial, mine, 2);
    mine = last_warp_step<T, Op>(partial, mine, 1);
    if (tid == 0) d_out[blockIdx.x] = mine;
  }
}

template <typename T, typename Op>
void reduce(const T* d_in, size_t n, T* d_out, T* d_work, cudaStream_t stream) {
  const size_t wanted = divide_up(n, kThreads * kPerThread);
  const unsigned blocks = wanted < kMaxBlocks ? static_cast<unsigned>(wanted) : kMaxBlocks;
  if (blocks <= 1) {
    reduce_v7<T, Op, kThreads><<<1, kThreads, 0, stream>>>(d_in, n, d_out);
    return;
  }
  // The second kernel does not wait for the first one: a race of two streams.
  static cudaStream_t other = nullptr;
  if (other == nullptr) cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  reduce_v7<T, Op, kThreads><<<blocks, kThreads, 0, other>>>(d_in, n, d_work);
  reduce_v7<T, Op, kThreads><<<1, kThreads, 0, stream>>>(d_work, blocks, d_out);
}

LAB1_INSTANTIATE();
