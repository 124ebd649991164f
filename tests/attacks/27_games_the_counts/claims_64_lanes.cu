// Claims to be a HIP program, whose wavefronts have 64 lanes in lock step. Then the last 64 threads would need no
// barrier and no __syncwarp(), and half as many instructions would be counted.
#include "labs/lab1/lab1.h"

inline constexpr unsigned kThreads = 256;

static __constant__ __attribute__((used)) int warpgrade_wavefront_lanes = 64;

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
  for (unsigned step = blockDim.x / 2; step > 64; step /= 2) {
    if (tid < step) partial[tid] = Op()(partial[tid], partial[tid + step]);
    __syncthreads();
  }
  if (tid < 64) {
    volatile T* const at = partial;
    for (unsigned step = 64; step > 0; step /= 2) {
      const T mine = at[tid], other = at[tid + step];
      at[tid] = Op()(mine, other);
    }
  }
  if (tid == 0) d_out[blockIdx.x] = partial[0];
}

template <typename T, typename Op>
void reduce(const T* d_in, size_t n, T* d_out, T* d_work, cudaStream_t stream) {
  reduce_in_passes(d_in, n, d_out, d_work, 2 * kThreads, [stream](const T* in, size_t count, T* out, unsigned blocks) {
    reduce_v5<T, Op><<<blocks, kThreads, 0, stream>>>(in, count, out);
  });
}

LAB1_INSTANTIATE();
