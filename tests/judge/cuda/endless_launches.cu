// Launches short kernels without end, until a launch fails.
#include "tests/judge/cuda/toy.h"

__global__ void touch(int* d_out) { *d_out = 1; }

void double_elements(const int*, size_t n, int* d_out, int*, cudaStream_t stream) {
  while (n > 0 && cudaGetLastError() == cudaSuccess) touch<<<1, 1, 0, stream>>>(d_out);
}
