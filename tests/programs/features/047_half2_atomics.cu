// Atomic addition of halves and of pairs of them: multiples of 1/4 below 512, so that no order rounds.
#include <cuda_fp16.h>

#include "feature.h"

__global__ void Accumulate(half* bins, half2* pair_bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAdd(&bins[i % 7], __float2half(0.25f * (i % 5)));
  atomicAdd(&pair_bins[i % 3], __floats2half2_rn(0.5f, -0.25f * (i % 2)));
}

int main() {
  constexpr int kCount = 700;
  half got[8], pairs[6];
  float sums[8] = {}, pair_sums[6] = {};
  for (int i = 0; i < kCount; ++i) {
    sums[i % 7] += 0.25f * (i % 5);
    pair_sums[2 * (i % 3)] += 0.5f;
    pair_sums[2 * (i % 3) + 1] -= 0.25f * (i % 2);
  }
  DeviceArray<half> bins(8), pair_bins(6);
  bins.Fill(0);
  pair_bins.Fill(0);
  Accumulate<<<6, 128>>>(bins, reinterpret_cast<half2*>(pair_bins.get()), kCount);
  FINISH();
  bins.CopyTo(got);
  pair_bins.CopyTo(pairs);
  for (int i = 0; i < 7; ++i) Expect(__half2float(got[i]) == sums[i], "the sum of a bin");
  for (int i = 0; i < 6; ++i) Expect(__half2float(pairs[i]) == pair_sums[i], "the sum of half a pair");
  Out(got, 7 * sizeof(half));
  Out(pairs, sizeof pairs);
  return Verdict();
}
