// The last block to finish adds up the sums of all blocks; nothing makes them visible before the count says so.
// expect: global-race at FAULT with OTHER
#include "program.h"

__device__ unsigned finished = 0;

__global__ void Sum(const int* in, int* sums, int* total) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < 64; ++i) sum += in[blockIdx.x * 64 + i];
    sums[blockIdx.x] = sum;  // OTHER
    last = atomicAdd(&finished, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last || threadIdx.x > 0) return;
  int sum = 0;
  for (int b = 0; b < gridDim.x; ++b) sum += sums[b];  // FAULT
  *total = sum;
}

int main() {
  DeviceArray<int> in(8 * 64), sums(8), total(1);
  in.Fill(0);
  Sum<<<8, 32>>>(in, sums, total);
  FINISH();
  return 0;
}
