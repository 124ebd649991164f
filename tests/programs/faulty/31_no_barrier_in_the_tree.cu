// A tree reduction with a barrier before the loop and none in it.
// expect: shared-race at FAULT with FAULT
#include "program.h"

__global__ void Sum(const int* in, int* sum) {
  __shared__ int tile[256];
  const int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
#pragma unroll 1
  for (int s = 128; s >= 32; s /= 2) {
    if (t < s) tile[t] += tile[t + s];  // FAULT
  }
  __syncthreads();
  if (t == 0) {
    for (int i = 1; i < 32; ++i) tile[0] += tile[i];
    *sum = tile[0];
  }
}

int main() {
  DeviceArray<int> in(256), sum(1);
  in.Fill(0);
  Sum<<<1, 256>>>(in, sum);
  FINISH();
  return 0;
}
