// Compiled to machine code only: there is nothing that the emulator could run.
#include "expect.h"

__global__ void kernel() {}
__device__ int variable;

int main() {
  int* d_data;
  EXPECT_OK(cudaMalloc(&d_data, 4));  // loading is lazy
  kernel<<<1, 1>>>();
  EXPECT_CODE(cudaGetLastError(), cudaErrorNoKernelImageForDevice);
  void* address;
  EXPECT_CODE(cudaGetSymbolAddress(&address, variable), cudaErrorNoKernelImageForDevice);
  EXPECT_OK(cudaDeviceSynchronize());
  return Failures();
}
