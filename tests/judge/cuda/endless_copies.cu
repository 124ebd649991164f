// Copies inside the device without end, until a copy fails.
#include "tests/judge/cuda/toy.h"

constexpr size_t kBytes = size_t{16} << 20;

void double_elements(const int*, size_t n, int*, int*, cudaStream_t stream) {
  if (n == 0) return;
  char* memory = nullptr;
  cudaMalloc(&memory, 2 * kBytes);
  cudaMemsetAsync(memory, 0, 2 * kBytes, stream);
  while (cudaMemcpyAsync(memory + kBytes, memory, kBytes, cudaMemcpyDeviceToDevice, stream) == cudaSuccess) {
  }
  cudaFree(memory);
}
