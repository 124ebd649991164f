// A histogram with a private copy for each block in shared memory, merged at the end.
#include "feature.h"

constexpr int kBins = 100;

__global__ void Histogram(const unsigned char* in, unsigned* bins, int n) {
  __shared__ unsigned own[kBins];
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) own[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&own[in[i] % kBins], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) {
    if (own[b] > 0) atomicAdd(&bins[b], own[b]);
  }
}

int main() {
  constexpr int kCount = 40000;
  static unsigned char in[kCount];
  unsigned got[kBins], want[kBins] = {};
  for (int i = 0; i < kCount; ++i) ++want[(in[i] = Mix(i) & Mix(i + kCount)) % kBins];
  DeviceArray<unsigned char> d_in(in, kCount);
  DeviceArray<unsigned> d_bins(kBins);
  d_bins.Fill(0);
  Histogram<<<7, 192>>>(d_in, d_bins, kCount);
  FINISH();
  d_bins.CopyTo(got);
  ExpectSame("bins", got, want, kBins);
  Out(got, sizeof got);
  return Verdict();
}
