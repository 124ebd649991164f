// The last warp works alone, with __syncwarp().
#include "labs/lab1/lab1.h"

inline constexpr unsigned kThreads = 256;  // at least 64: the last warp starts by reading partial[32 .. 63]

// One step of the last warp. All 32 lanes take part, although nobody uses the results of lanes `step` and up. The first
// __syncwarp keeps a lane from overwriting an element that its neighbour has not read yet. The second one keeps a lane
// from reading an element before its neighbour has written it.
template <typename T, typename Op>
__device__ T last_warp_step(T* partial, T mine, unsigned step) {
  const unsigned tid = threadIdx.x;
  mine = Op()(mine, partial[tid + step]);
  __syncwarp();
  partial[tid] = mine;
  __syncwarp();
  return mine;
}

// Block b writes Op over its 2 * kThreads elements of d_in to d_out[b].
template <typename T, typename Op>
__global__ void reduce_v5(const T* d_in, size_t n, T* d_out) {
  __shared__ T partial[kThreads];
  const unsigned tid = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * (2 * blockDim.x) + tid;
  const T first = i < n ? d_in[i] : Op::neutral();
  const T second = i + blockDim.x < n ? d_in[i + blockDim.x] : Op::neutral();
  partial[tid] = Op()(first, second);
  __syncthreads();

  for (unsigned step = blockDim.x / 2; step > 32; step /= 2) {
    if (tid < step) partial[tid] = Op()(partial[tid], partial[tid + step]);
    __syncthreads();
  }
  if (tid < 32) {  // a whole warp: no divergence, and __syncwarp finds all lanes
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
    reduce_v5<T, Op><<<blocks, kThreads, 0, stream>>>(in, count, out);
  });
}

LAB1_INSTANTIATE();
