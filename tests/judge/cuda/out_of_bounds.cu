// Forgets `if (i < n)`.
#include "tests/judge/cuda/toy.h"

__global__ void double_kernel(const int* d_in, int* d_out) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  d_out[i] = 2 * d_in[i];  // line 6
}

void double_elements(const int* d_in, size_t n, int* d_out, int*, cudaStream_t stream) {
  if (n > 0) double_kernel<<<(n + 127) / 128, 128, 0, stream>>>(d_in, d_out);
}
