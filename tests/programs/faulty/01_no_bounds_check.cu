// The grid is larger than the array, and no thread asks whether it is one too many.
// expect: out-of-bounds at FAULT
// alone: tests/cli/run_command_test.cc runs it by itself
#include "program.h"

__global__ void Double(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[i] *= 2;  // FAULT
}

int main() {
  constexpr int kCount = 1000;
  DeviceArray<int> values(kCount);
  values.Fill(1);
  Double<<<(kCount + 255) / 256, 256>>>(values, kCount);
  return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
}
