// Divides by zero on the host when there are fewer than 4 elements.
#include "tests/judge/cuda/toy.h"

__global__ void double_kernel(const int* d_in, size_t n, int* d_out) {
  for (size_t i = blockIdx.x; i < n; i += gridDim.x) d_out[i] = 2 * d_in[i];
}

void double_elements(const int* d_in, size_t n, int* d_out, int*, cudaStream_t stream) {
  const unsigned blocks = static_cast<unsigned>(n / (n / 4));
  double_kernel<<<blocks, 1, 0, stream>>>(d_in, n, d_out);
}
