// The last warp of a reduction, and a shift in place: each lane reads into a register, then all meet, then all write.
#include "program.h"

__global__ void SumAndShift(const int* in, int* sum, int* shifted) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  if (t < 32) {
    for (int step = 32; step > 0; step /= 2) {
      const int other = tile[t] + tile[t + step];
      __syncwarp();
      tile[t] = other;
      __syncwarp();
    }
    if (t == 0) *sum = tile[0];
    const int next = shifted[(t + 1) % 32], own = shifted[t];
    __syncwarp();
    shifted[t] = next + own;
  }
}

int main() {
  int host[64], got = 0, shifted[32];
  for (int i = 0; i < 64; ++i) host[i] = i * 3;
  DeviceArray<int> in(host, 64), sum(1), data(host, 32);
  SumAndShift<<<1, 64>>>(in, sum, data);
  FINISH();
  sum.CopyTo(&got);
  data.CopyTo(shifted);
  EXPECT(got == 3 * 63 * 32);
  for (int i = 0; i < 32; ++i) EXPECT(shifted[i] == host[i] + host[(i + 1) % 32]);
  PrintOut(shifted, sizeof shifted);
  return 0;
}
