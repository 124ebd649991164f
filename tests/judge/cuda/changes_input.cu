// Doubles in place, then copies.
#include "tests/judge/cuda/toy.h"

__global__ void double_kernel(int* d_in, size_t n, int* d_out) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < n) d_out[i] = d_in[i] *= 2;
}

void double_elements(const int* d_in, size_t n, int* d_out, int*, cudaStream_t stream) {
  if (n > 0) double_kernel<<<(n + 127) / 128, 128, 0, stream>>>(const_cast<int*>(d_in), n, d_out);
}
