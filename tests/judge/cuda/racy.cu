// Hands elements over through shared memory without a barrier. The values may come out right; the program is wrong.
#include "tests/judge/cuda/toy.h"

__global__ void double_kernel(const int* d_in, size_t n, int* d_out) {
  __shared__ int tile[128];
  const size_t first = blockIdx.x * size_t{blockDim.x};
  const size_t i = first + threadIdx.x;
  if (i < n) tile[threadIdx.x] = d_in[i];
  // Here a __syncthreads() is missing: the last thread's element was written by another warp.
  const unsigned int count = n - first < 128 ? n - first : 128;
  if (i < n) d_out[first + count - 1 - threadIdx.x] = 2 * tile[count - 1 - threadIdx.x];
}

void double_elements(const int* d_in, size_t n, int* d_out, int*, cudaStream_t stream) {
  if (n > 0) double_kernel<<<(n + 127) / 128, 128, 0, stream>>>(d_in, n, d_out);
}
