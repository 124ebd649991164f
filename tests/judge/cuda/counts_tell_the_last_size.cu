// Right, and hostile: it launches a kernel for each element of the call before, so that its counts tell how many these
// were.
#include "tests/judge/cuda/toy.h"

__global__ void double_kernel(const int* d_in, size_t n, int* d_out) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < n) d_out[i] = 2 * d_in[i];
}

void double_elements(const int* d_in, size_t n, int* d_out, int*, cudaStream_t stream) {
  static size_t last = 0;
  if (n == 0) return;
  const size_t launches = 1 + last;
  last = n;
  for (size_t k = 0; k < launches; ++k) double_kernel<<<(n + 127) / 128, 128, 0, stream>>>(d_in, n, d_out);
}
