// Writes what n = 0 comes to from the host, lets kernels do the rest, and looks at a few bytes on the way.
#include "labs/lab1/lab1.h"

inline constexpr unsigned kThreads = 256;

template <typename T, typename Op>
__global__ void reduce_v3(const T* d_in, size_t n, T* d_out) {
  __shared__ T partial[kThreads];
  const unsigned tid = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + tid;
  partial[tid] = i < n ? d_in[i] : Op::neutral();
  __syncthreads();
  for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {
    if (tid < step) partial[tid] = Op()(partial[tid], partial[tid + step]);
    __syncthreads();
  }
  if (tid == 0) d_out[blockIdx.x] = partial[0];
}

template <typename T, typename Op>
void Work(const T* d_in, size_t n, T* d_out, T* d_work, cudaStream_t stream) {
  reduce_in_passes(d_in, n, d_out, d_work, kThreads, [stream](const T* in, size_t count, T* out, unsigned blocks) {
    reduce_v3<T, Op><<<blocks, kThreads, 0, stream>>>(in, count, out);
  });
}

template <typename T, typename Op>
void reduce(const T* d_in, size_t n, T* d_out, T* d_work, cudaStream_t stream) {
  const T neutral = Op::neutral();
  if (n == 0) {
    cudaMemcpyAsync(d_out, &neutral, sizeof(T), cudaMemcpyHostToDevice, stream);
    cudaStreamSynchronize(stream);
    return;
  }
  Work<T, Op>(d_in, n, d_out, d_work, stream);
  T look[16];
  const size_t count = n < 16 ? n : 16;
  cudaMemcpyAsync(look, d_in, count * sizeof(T), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
}

LAB1_INSTANTIATE();
