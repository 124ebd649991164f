// Right, and its kernel prints more lines than a report shows, with a byte that a terminal would obey.
#include <cstdio>

#include "tests/judge/cuda/toy.h"

__global__ void double_kernel(const int* d_in, size_t n, int* d_out) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < n && i < 50) printf("element %d\x1b[2J\n", static_cast<int>(i));
  if (i < n) d_out[i] = 2 * d_in[i];
}

void double_elements(const int* d_in, size_t n, int* d_out, int*, cudaStream_t stream) {
  if (n > 0) double_kernel<<<(n + 127) / 128, 128, 0, stream>>>(d_in, n, d_out);
}
