// A shuffle with a member mask of 32 lanes, as in CUDA.
// expect: unsupported at FAULT
#include <hip/hip_runtime.h>

#include "program.h"

__global__ void Sum(int* out) {
  out[threadIdx.x] = __shfl_down_sync(0xffffffffu, static_cast<int>(threadIdx.x), 16, 32);  // FAULT
}

int main() {
  DeviceArray<int> out(64);
  Sum<<<1, 64>>>(out);
  EXPECT(hipDeviceSynchronize() != hipSuccess);
  return 0;
}
