// The last block adds up the sums of all, as CUDA's sample threadFenceReduction does: volatile sums, one fence before
// the counter, and a barrier after it.
#include "program.h"

__device__ unsigned finished = 0;

__global__ void Sum(const int* in, volatile int* sums, int* total) {
  __shared__ bool last;
  const int t = threadIdx.x;
  if (t == 0) {
    int sum = 0;
    for (int i = 0; i < 64; ++i) sum += in[blockIdx.x * 64 + i];
    sums[blockIdx.x] = sum;
    __threadfence();
    last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  int sum = 0;
  for (int b = t; b < gridDim.x; b += 32) sum += sums[b];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (t == 0) {
    *total = sum;
    finished = 0;
  }
}

int main() {
  constexpr int kBlocks = 40, kCount = kBlocks * 64;
  static int host[kCount];
  int want = 0, got = 0;
  for (int i = 0; i < kCount; ++i) want += host[i] = i % 13;
  DeviceArray<int> in(host, kCount), sums(kBlocks), total(1);
  for (int launch = 0; launch < 2; ++launch) {
    Sum<<<kBlocks, 32>>>(in, sums, total);
    FINISH();
    total.CopyTo(&got);
    EXPECT(got == want);
  }
  PrintOut(&got, sizeof got);
  return 0;
}
