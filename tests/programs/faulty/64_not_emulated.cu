// A surface load, which the emulator does not have and says so.
// expect: unsupported at FAULT
#include "program.h"

__global__ void Load(unsigned long long surface, int* out) {
  asm volatile("suld.b.1d.b32.trap {%0}, [%1, {%2}];" : "=r"(*out) : "l"(surface), "r"(0));  // FAULT
}

int main() {
  DeviceArray<int> out(1);
  Load<<<1, 1>>>(0, out);
  return cudaDeviceSynchronize() != cudaSuccess ? 0 : 1;
}
