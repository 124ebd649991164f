// The eight warps of its block meet at a barrier in a loop that never ends: its step stays 1.
#include "tests/judge/cuda/toy.h"

__global__ void double_kernel(const int* d_in, size_t n, int* d_out) {
  __shared__ int partial[256];
  const unsigned tid = threadIdx.x;
  partial[tid] = tid < n ? d_in[tid] : 0;
  __syncthreads();
  for (unsigned step = 1; step < blockDim.x; step *= 1) {
    if (tid % (2 * step) == 0) partial[tid] += partial[tid + step];
    __syncthreads();
  }
  if (tid == 0) d_out[0] = partial[0];
}

void double_elements(const int* d_in, size_t n, int* d_out, int*, cudaStream_t stream) {
  if (n > 0) double_kernel<<<1, 256, 0, stream>>>(d_in, n, d_out);
}
