// The last warp of a reduction relies on its lanes running in lockstep, as lectures older than Volta teach.
// expect: shared-race at FAULT with OTHER
#include "program.h"

__global__ void Sum(const int* in, int* sum) {
  __shared__ volatile int tile[64];
  const int t = threadIdx.x;
  tile[t] = in[t];
  tile[t + 32] = in[t + 32];
  __syncwarp();
  tile[t] = tile[t] + tile[t + 32];
  __syncwarp();
  if (t < 16) {
    tile[t] = tile[t] + tile[t + 16];     // OTHER
    *sum = tile[t] + tile[(t + 8) & 15];  // FAULT
  }
}

int main() {
  DeviceArray<int> in(64), sum(1);
  in.Fill(0);
  Sum<<<1, 32>>>(in, sum);
  FINISH();
  return 0;
}
