// Wrong: all its work is in the default stream, not in the stream that it is given. The values come out right.
#include "tests/judge/cuda/toy.h"

__global__ void double_kernel(const int* d_in, size_t n, int* d_out) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < n) d_out[i] = 2 * d_in[i];
}

void double_elements(const int* d_in, size_t n, int* d_out, int*, cudaStream_t) {
  if (n > 0) double_kernel<<<(n + 127) / 128, 128>>>(d_in, n, d_out);
}
