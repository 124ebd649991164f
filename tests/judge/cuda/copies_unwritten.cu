// Copies memory of its own to the host, of which nothing was written for one size, and does what it should.
#include "tests/judge/cuda/toy.h"

__global__ void double_kernel(const int* d_in, int* d_out, size_t n) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < n) d_out[i] = 2 * d_in[i];
}

void double_elements(const int* d_in, size_t n, int* d_out, int*, cudaStream_t stream) {
  if (n == 0) return;
  static int host[1 << 20];  // more than goes over the socket at once
  int* d_mine = nullptr;
  cudaMalloc(&d_mine, sizeof host);
  if (n != 1) cudaMemset(d_mine, 0, 4);  // the rest is only copied along
  cudaMemcpy(host, d_mine, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(d_mine);
  double_kernel<<<(n + 127) / 128, 128, 0, stream>>>(d_in, d_out, n);
}
