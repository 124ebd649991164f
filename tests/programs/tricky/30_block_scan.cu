// A scan of a block: shuffles within the warps, shared memory between them; the first warp alone scans the sums.
#include "program.h"

__device__ int ScanWarp(int v) {
  for (int d = 1; d < 32; d *= 2) {
    const int below = __shfl_up_sync(0xffffffff, v, d);
    if (threadIdx.x % 32 >= d) v += below;
  }
  return v;
}

__global__ void Scan(int* values) {
  __shared__ int sums[32];
  const int t = threadIdx.x, warp = t / 32;
  int v = ScanWarp(values[t]);
  if (t % 32 == 31) sums[warp] = v;
  __syncthreads();
  if (warp == 0) {
    const int sum = ScanWarp(t < blockDim.x / 32 ? sums[t] : 0);
    sums[t] = sum;
  }
  __syncthreads();
  if (warp > 0) v += sums[warp - 1];
  values[t] = v;
}

int main() {
  constexpr int kCount = 512;
  int host[kCount], got[kCount];
  for (int i = 0; i < kCount; ++i) host[i] = i % 13 - 4;
  DeviceArray<int> values(kCount);
  values.CopyFrom(host);
  Scan<<<1, kCount>>>(values);
  FINISH();
  values.CopyTo(got);
  for (int i = 0, sum = 0; i < kCount; ++i) EXPECT(got[i] == (sum += host[i]));
  PrintOut(got, sizeof got);
  return 0;
}
