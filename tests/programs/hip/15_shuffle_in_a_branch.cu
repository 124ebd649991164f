// The lanes of the lower half take values from the upper half, which is not in the branch.
// expect: wrong-member-mask at FAULT
#include <hip/hip_runtime.h>

#include "program.h"

__global__ void Halves(int* out) {
  int value = threadIdx.x;
  if (threadIdx.x < 32) value += __shfl_down(value, 32);  // FAULT
  out[threadIdx.x] = value;
}

int main() {
  DeviceArray<int> out(64);
  Halves<<<1, 64>>>(out);
  FINISH();
  return 0;
}
