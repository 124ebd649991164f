// cudaMalloc of 0 bytes succeeds and gives a null pointer; the kernel does not ask whether there is anything to do.
// expect: out-of-bounds at FAULT
#include "program.h"

__global__ void Set(int* values) { values[threadIdx.x + 256] = 1; }  // FAULT

int main() {
  int* values = nullptr;
  CHECK(cudaMalloc(&values, 0));
  Set<<<1, 256>>>(values);
  return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
}
