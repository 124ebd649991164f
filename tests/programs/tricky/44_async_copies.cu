// arch: 80
// Asynchronous copies into two buffers: each is waited for, and then passed by a barrier, before others read it.
#include <cuda_pipeline_primitives.h>

#include "program.h"

__global__ void Reverse(const int* in, int* out, int tiles) {
  __shared__ int buffer[2][64];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&buffer[0][t], &in[t], sizeof(int));
  __pipeline_commit();
  for (int k = 0; k < tiles; ++k) {
    if (k + 1 < tiles) __pipeline_memcpy_async(&buffer[(k + 1) % 2][t], &in[(k + 1) * 64 + t], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    out[k * 64 + t] = buffer[k % 2][63 - t];
    __syncthreads();
  }
}

int main() {
  constexpr int kTiles = 5, kCount = kTiles * 64;
  int host[kCount], got[kCount];
  for (int i = 0; i < kCount; ++i) host[i] = i;
  DeviceArray<int> in(kCount), out(kCount);
  in.CopyFrom(host);
  Reverse<<<1, 64>>>(in, out, kTiles);
  FINISH();
  out.CopyTo(got);
  for (int i = 0; i < kCount; ++i) EXPECT(got[i] == i / 64 * 64 + 63 - i % 64);
  PrintOut(got, sizeof got);
  return 0;
}
