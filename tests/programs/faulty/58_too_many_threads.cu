// A block of 2048 threads: the launch fails, the result is never computed, and nobody asks.
// expect: unchecked-error at FAULT
#include "program.h"

__global__ void Set(int* values) { values[threadIdx.x] = 1; }

int main() {
  DeviceArray<int> values(2048);
  Set<<<1, 2048>>>(values);  // FAULT
  return 0;
}
