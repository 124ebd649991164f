// Wrong: the kernel does not wait for the memset in another stream. The test knows the lines of the two calls.
#include "tests/judge/cuda/toy.h"

__global__ void add_twice(const int* d_in, size_t n, int* d_sum) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < n) d_sum[i] += 2 * d_in[i];
}

void double_elements(const int* d_in, size_t n, int* d_out, int*, cudaStream_t stream) {
  if (n == 0 || cudaStreamSynchronize(stream) != cudaSuccess) return;
  cudaStream_t clears, adds;
  cudaStreamCreateWithFlags(&clears, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&adds, cudaStreamNonBlocking);
  cudaMemsetAsync(d_out, 0, n * sizeof(int), clears);
  add_twice<<<(n + 127) / 128, 128, 0, adds>>>(d_in, n, d_out);
  cudaStreamSynchronize(adds);
  cudaStreamDestroy(clears);
  cudaStreamDestroy(adds);
}
