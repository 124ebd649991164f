// atomicExch whose old value nobody uses, into memory that holds nothing yet.
#include "program.h"

__global__ void Clear(int* counts, float* limits) {
  __shared__ int own[32];
  atomicExch(&own[threadIdx.x], 5);
  atomicExch(&counts[threadIdx.x], 0);
  atomicExch(&limits[threadIdx.x], 1.5f);
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], own[31 - threadIdx.x]);
}

int main() {
  int got[32];
  DeviceArray<int> counts(32);
  DeviceArray<float> limits(32);
  Clear<<<1, 32>>>(counts, limits);
  FINISH();
  counts.CopyTo(got);
  for (int i = 0; i < 32; ++i) EXPECT(got[i] == 5);
  PrintOut(got, sizeof got);
  return 0;
}
