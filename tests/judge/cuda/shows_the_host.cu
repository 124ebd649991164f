// Right, and brings its input to where the host can read it: the first half by a copy, the rest by a kernel's stores
// to managed memory, and how many those were by an atomic operation.
#include <vector>

#include "tests/judge/cuda/toy.h"

__global__ void double_kernel(const int* d_in, size_t n, int* d_out, int* shown, unsigned* count) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i >= n) return;
  d_out[i] = 2 * d_in[i];
  if (i < n / 2) return;
  shown[i] = d_in[i];
  if (i == n - 1) atomicAdd(count, 1u);
}

void double_elements(const int* d_in, size_t n, int* d_out, int*, cudaStream_t stream) {
  if (n == 0) return;
  std::vector<int> copied(n / 2);
  if (n > 1) cudaMemcpyAsync(copied.data(), d_in, n / 2 * sizeof(int), cudaMemcpyDeviceToHost, stream);
  int* shown = nullptr;
  cudaMallocManaged(&shown, (n + 1) * sizeof(int));
  double_kernel<<<(n + 127) / 128, 128, 0, stream>>>(d_in, n, d_out, shown, reinterpret_cast<unsigned*>(shown + n));
  cudaStreamSynchronize(stream);
  cudaFree(shown);
}
