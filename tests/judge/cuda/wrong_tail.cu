// Launches only full blocks, and prints on the host and on the device.
#include <cstdio>

#include "tests/judge/cuda/toy.h"

__global__ void double_kernel(const int* d_in, int* d_out) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i == 0) printf("first element is %s\n", "mine");
  d_out[i] = 2 * d_in[i];
}

void double_elements(const int* d_in, size_t n, int* d_out, int*, cudaStream_t stream) {
  printf("n is %zu\n", n);
  if (n >= 50) double_kernel<<<n / 50, 50, 0, stream>>>(d_in, d_out);
}
