// One warp adds up an array in place, in global memory, with one __syncwarp() for each step.
// expect: global-race at FAULT with FAULT
#include "program.h"

__global__ void Sum(int* data) {
  const int t = threadIdx.x;
  data[t] += data[t + 32];
  __syncwarp();
  data[t] += data[t + 16];  // FAULT
  __syncwarp();
  if (t < 8) data[t] += data[t + 8];
  __syncwarp();
  if (t == 0) {
    for (int i = 1; i < 8; ++i) data[0] += data[i];
  }
}

int main() {
  DeviceArray<int> data(64);
  data.Fill(0);
  Sum<<<1, 32>>>(data);
  FINISH();
  return 0;
}
