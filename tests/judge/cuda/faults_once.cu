// Goes wrong for one size, and notices it.
#include <stdexcept>

#include "tests/judge/cuda/toy.h"

__global__ void double_kernel(const int* d_in, int* d_out, size_t n, size_t shift) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < n) d_out[i] = 2 * d_in[i + shift];  // line 8
}

void double_elements(const int* d_in, size_t n, int* d_out, int*, cudaStream_t stream) {
  if (n == 0) return;
  double_kernel<<<(n + 127) / 128, 128, 0, stream>>>(d_in, d_out, n, n == 100 ? 7 : 0);
  if (cudaDeviceSynchronize() != cudaSuccess) throw std::runtime_error(cudaGetErrorString(cudaGetLastError()));
}
