// The tail of the tile is never written, and the tree asks how much there is before it reads.
#include "program.h"

__global__ void Max(const int* in, int n, int* most) {
  __shared__ int tile[128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  const int here = min(128, n - static_cast<int>(blockIdx.x) * 128);
  if (i < n) tile[t] = in[i];
  for (int s = 64; s > 0; s /= 2) {
    __syncthreads();
    if (t < s && t + s < here) tile[t] = max(tile[t], tile[t + s]);
  }
  if (t == 0) atomicMax(most, tile[0]);
}

int main() {
  constexpr int kCount = 128 * 3 + 5;
  int host[kCount], got = 0;
  for (int i = 0; i < kCount; ++i) host[i] = (i * 37) % 1009;
  host[kCount - 2] = 5000;
  DeviceArray<int> in(kCount), most(1);
  in.CopyFrom(host);
  most.Fill(0);
  Max<<<4, 128>>>(in, kCount, most);
  FINISH();
  most.CopyTo(&got);
  EXPECT(got == 5000);
  PrintOut(&got, sizeof got);
  return 0;
}
