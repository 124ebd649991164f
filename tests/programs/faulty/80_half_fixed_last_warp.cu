// The last warp of a reduction with one __syncwarp() for each step: lane 16 writes what lane 0 reads in the same step.
// expect: shared-race at FAULT with FAULT
#include "program.h"

__global__ void Sum(const int* in, int* sum) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  if (t < 32) {
    for (int step = 32; step > 0; step /= 2) {
      tile[t] += tile[(t + step) % 64];  // FAULT
      __syncwarp();
    }
    if (t == 0) *sum = tile[0];
  }
}

int main() {
  DeviceArray<int> in(64), sum(1);
  in.Fill(0);
  Sum<<<1, 64>>>(in, sum);
  FINISH();
  return 0;
}
