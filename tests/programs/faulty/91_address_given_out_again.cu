// A kernel works on an array that was freed, after another one of the same size was allocated: on a GPU the new one has
// the old one's address, and is overwritten.
// expect: use-after-free at FAULT
#include "program.h"

__global__ void Clear(int* values) { values[threadIdx.x] = 0; }  // FAULT

int main() {
  int *before = nullptr, *now = nullptr;
  CHECK(cudaMalloc(&before, 256 * sizeof(int)));
  CHECK(cudaMemset(before, 0, 256 * sizeof(int)));
  CHECK(cudaFree(before));
  CHECK(cudaMalloc(&now, 256 * sizeof(int)));
  CHECK(cudaMemset(now, 0, 256 * sizeof(int)));
  Clear<<<1, 256>>>(before);
  const bool stopped = cudaDeviceSynchronize() == cudaErrorIllegalAddress;
  cudaFree(now);
  return stopped ? 0 : 1;
}
