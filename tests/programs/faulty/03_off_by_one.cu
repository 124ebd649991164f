// A grid-stride loop that runs to n inclusive.
// expect: out-of-bounds at FAULT
#include "program.h"

__global__ void Set(float* values, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i <= n; i += gridDim.x * blockDim.x) {
    values[i] = 1.0f;  // FAULT
  }
}

int main() {
  constexpr int kCount = 3000;
  DeviceArray<float> values(kCount);
  Set<<<4, 128>>>(values, kCount);
  return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
}
