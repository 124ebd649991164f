// Right, but waits for its own work before it returns.
#include "tests/judge/cuda/toy.h"

__global__ void double_kernel(const int* d_in, size_t n, int* d_out) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < n) d_out[i] = 2 * d_in[i];
}

void double_elements(const int* d_in, size_t n, int* d_out, int*, cudaStream_t stream) {
  if (n == 0) return;
  double_kernel<<<(n + 127) / 128, 128, 0, stream>>>(d_in, n, d_out);
  cudaStreamSynchronize(stream);
}
