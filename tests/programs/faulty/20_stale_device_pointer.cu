// A pointer kept in a __device__ variable outlives what it points to: the buffer was replaced by a larger one.
// expect: use-after-free at FAULT
#include "program.h"

__device__ int* buffer;

__global__ void Append(int value) { buffer[threadIdx.x] = value; }  // FAULT

int main() {
  int *small = nullptr, *large = nullptr;
  CHECK(cudaMalloc(&small, 32 * sizeof(int)));
  CHECK(cudaMemcpyToSymbol(buffer, &small, sizeof small));
  Append<<<1, 32>>>(1);
  FINISH();
  CHECK(cudaMalloc(&large, 640 * sizeof(int)));
  CHECK(cudaMemcpy(large, small, 32 * sizeof(int), cudaMemcpyDeviceToDevice));
  CHECK(cudaFree(small));
  Append<<<1, 32>>>(2);
  const bool stopped = cudaDeviceSynchronize() == cudaErrorIllegalAddress;
  cudaFree(large);
  return stopped ? 0 : 1;
}
