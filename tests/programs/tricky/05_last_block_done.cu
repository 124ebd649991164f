// One pass over an array: the block that finishes last adds up the sums of all. The fence before the count releases a
// block's sum, the one after it acquires the others'.
#include "program.h"

__device__ unsigned finished = 0;

__global__ void Sum(const int* in, int* sums, int* total) {
  __shared__ int tile[128];
  __shared__ bool last;
  const int t = threadIdx.x;
  tile[t] = in[blockIdx.x * 128 + t];
  for (int s = 64; s > 0; s /= 2) {
    __syncthreads();
    if (t < s) tile[t] += tile[t + s];
  }
  if (t == 0) {
    sums[blockIdx.x] = tile[0];
    __threadfence();
    last = atomicAdd(&finished, 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!last || t > 0) return;
  int sum = 0;
  for (int b = 0; b < gridDim.x; ++b) sum += sums[b];
  *total = sum;
}

int main() {
  constexpr int kBlocks = 20, kCount = kBlocks * 128;
  static int host[kCount];
  int want = 0, got = 0;
  for (int i = 0; i < kCount; ++i) want += host[i] = i % 17;
  DeviceArray<int> in(kCount), sums(kBlocks), total(1);
  in.CopyFrom(host);
  Sum<<<kBlocks, 128>>>(in, sums, total);
  FINISH();
  total.CopyTo(&got);
  EXPECT(got == want);
  PrintOut(&got, sizeof got);
  return 0;
}
