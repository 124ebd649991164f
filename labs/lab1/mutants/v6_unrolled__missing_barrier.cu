// Wrong on purpose. There is no barrier after the step of 128.
#include "labs/lab1/lab1.h"

inline constexpr unsigned kThreads = 256;

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

// Block b writes Op over its 2 * kBlockThreads elements of d_in to d_out[b].
// REQUIRES: kBlockThreads is blockDim.x: 64, 128, 256, 512 or 1024.
template <typename T, typename Op, unsigned kBlockThreads>
__global__ void reduce_v6(const T* d_in, size_t n, T* d_out) {
  __shared__ T partial[kBlockThreads];
  const unsigned tid = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * (2 * kBlockThreads) + tid;
  const T first = i < n ? d_in[i] : Op::neutral();
  const T second = i + kBlockThreads < n ? d_in[i + kBlockThreads] : Op::neutral();
  partial[tid] = Op()(first, second);
  __syncthreads();

  if constexpr (kBlockThreads >= 1024) {
    if (tid < 512) partial[tid] = Op()(partial[tid], partial[tid + 512]);
    __syncthreads();
  }
  if constexpr (kBlockThreads >= 512) {
    if (tid < 256) partial[tid] = Op()(partial[tid], partial[tid + 256]);
    __syncthreads();
  }
  if constexpr (kBlockThreads >= 256) {
    if (tid < 128) partial[tid] = Op()(partial[tid], partial[tid + 128]);
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
  reduce_in_passes(d_in, n, d_out, d_work, 2 * kThreads, [stream](const T* in, size_t count, T* out, unsigned blocks) {
    reduce_v6<T, Op, kThreads><<<blocks, kThreads, 0, stream>>>(in, count, out);
  });
}

LAB1_INSTANTIATE();
