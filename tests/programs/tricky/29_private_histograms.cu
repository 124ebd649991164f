// A histogram per block in shared memory, added to the global one at the end: atomics in both places.
#include "program.h"

__global__ void Histogram(const unsigned char* in, int n, int* bins) {
  __shared__ int own[64];
  if (threadIdx.x < 64) own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[in[i] / 4], 1);
  __syncthreads();
  if (threadIdx.x < 64 && own[threadIdx.x] > 0) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

int main() {
  constexpr int kCount = 5000;
  static unsigned char host[kCount];
  int want[64] = {}, got[64];
  for (int i = 0; i < kCount; ++i) want[(host[i] = i * i) / 4] += 1;
  DeviceArray<unsigned char> in(kCount);
  DeviceArray<int> bins(64);
  in.CopyFrom(host);
  bins.Fill(0);
  Histogram<<<5, 128>>>(in, kCount, bins);
  FINISH();
  bins.CopyTo(got);
  for (int i = 0; i < 64; ++i) EXPECT(got[i] == want[i]);
  PrintOut(got, sizeof got);
  return 0;
}
