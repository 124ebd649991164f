// A tree reduction whose threads begin to add before all of them have loaded.
// expect: shared-race at FAULT with OTHER
#include "program.h"

__global__ void Sum(const int* in, int* sum) {
  __shared__ int tile[256];
  const int t = threadIdx.x;
  tile[t] = in[t];                        // OTHER
  if (t < 128) tile[t] += tile[t + 128];  // FAULT
  for (int s = 64; s > 0; s /= 2) {
    __syncthreads();
    if (t < s) tile[t] += tile[t + s];
  }
  if (t == 0) *sum = tile[0];
}

int main() {
  DeviceArray<int> in(256), sum(1);
  in.Fill(0);
  Sum<<<1, 256>>>(in, sum);
  FINISH();
  return 0;
}
