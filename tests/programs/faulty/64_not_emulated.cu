// A question about a surface, which the emulator does not have and says so.
// expect: unsupported at FAULT
#include "program.h"

__global__ void Width(unsigned long long surface, int* out) {
  asm volatile("suq.width.b32 %0, [%1];" : "=r"(*out) : "l"(surface));  // FAULT
}

int main() {
  DeviceArray<int> out(1);
  Width<<<1, 1>>>(0, out);
  return cudaDeviceSynchronize() != cudaSuccess ? 0 : 1;
}
