// A named barrier that waits for 96 threads in a block of 64.
// expect: barrier-divergence at FAULT
#include "program.h"

__global__ void Wait(int* values) {
  values[threadIdx.x] = 1;
  asm volatile("bar.sync 1, 96;" ::: "memory");  // FAULT
  values[threadIdx.x] = 2;
}

int main() {
  DeviceArray<int> values(64);
  Wait<<<1, 64>>>(values);
  return cudaDeviceSynchronize() != cudaSuccess ? 0 : 1;
}
