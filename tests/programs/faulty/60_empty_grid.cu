// The grid of an empty input has no blocks, which is no legal launch.
// expect: unchecked-error at FAULT
#include "program.h"

__global__ void Double(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= 2;
}

int main(int argc, char**) {
  const int n = argc - 1;                        // no arguments: nothing to do
  Double<<<(n + 127) / 128, 128>>>(nullptr, n);  // FAULT
  return 0;
}
