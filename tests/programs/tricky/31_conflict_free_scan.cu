// Blelloch's scan with an index that skips one place in 32, so that no two lanes meet in a bank. The skipped places
// are never written.
#include "program.h"

__device__ int Skip(int i) { return i + i / 32; }

__global__ void ExclusiveScan(const int* in, int* out) {
  __shared__ int tile[256 + 8];
  const int t = threadIdx.x;
  tile[Skip(t)] = in[t];
  tile[Skip(t + 128)] = in[t + 128];
  int offset = 1;
  for (int d = 128; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) tile[Skip(offset * (2 * t + 2) - 1)] += tile[Skip(offset * (2 * t + 1) - 1)];
    offset *= 2;
  }
  if (t == 0) tile[Skip(255)] = 0;
  for (int d = 1; d < 256; d *= 2) {
    offset /= 2;
    __syncthreads();
    if (t < d) {
      const int a = Skip(offset * (2 * t + 1) - 1), b = Skip(offset * (2 * t + 2) - 1), left = tile[a];
      tile[a] = tile[b];
      tile[b] += left;
    }
  }
  __syncthreads();
  out[t] = tile[Skip(t)];
  out[t + 128] = tile[Skip(t + 128)];
}

int main() {
  int host[256], got[256];
  for (int i = 0; i < 256; ++i) host[i] = i % 9 - 2;
  DeviceArray<int> in(256), out(256);
  in.CopyFrom(host);
  ExclusiveScan<<<1, 128>>>(in, out);
  FINISH();
  out.CopyTo(got);
  for (int i = 0, sum = 0; i < 256; sum += host[i++]) EXPECT(got[i] == sum);
  PrintOut(got, sizeof got);
  return 0;
}
