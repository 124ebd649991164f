// A grid that walks over the input, and loads two elements at a time. Only the first of them has a bound.
// expect: out-of-bounds at FAULT
#include <hip/hip_runtime.h>

#include "program.h"

__global__ void Sum(const int* in, int* sum, unsigned n) {
  int mine = 0;
  for (unsigned i = blockIdx.x * blockDim.x * 2 + threadIdx.x; i < n; i += gridDim.x * blockDim.x * 2) {
    mine += in[i] + in[i + blockDim.x];  // FAULT
  }
  for (int distance = warpSize / 2; distance > 0; distance /= 2) mine += __shfl_down(mine, distance);
  if (threadIdx.x % warpSize == 0) atomicAdd(sum, mine);
}

int main() {
  DeviceArray<int> in(1000), sum(1);
  in.Fill(0);
  sum.Fill(0);
  Sum<<<2, 128>>>(in, sum, 1000);
  EXPECT(hipDeviceSynchronize() != hipSuccess);
  return 0;
}
