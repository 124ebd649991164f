// A reduction by one warp in shared memory, with a __syncwarp() after the reads and one after the writes of each step.
#include "program.h"

__global__ void Sum(const int* in, int* sum) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = in[t];
  tile[t + 32] = in[t + 32];
  __syncwarp();
  int own = tile[t];
  for (int d = 32; d > 0; d /= 2) {
    own += tile[(t + d) % 64];
    __syncwarp();
    tile[t] = own;
    __syncwarp();
  }
  if (t == 0) *sum = own;
}

int main() {
  int host[64], got = 0;
  for (int i = 0; i < 64; ++i) host[i] = i;
  DeviceArray<int> in(64), sum(1);
  in.CopyFrom(host);
  Sum<<<1, 32>>>(in, sum);
  FINISH();
  sum.CopyTo(&got);
  EXPECT(got == 64 * 63 / 2);
  PrintOut(&got, sizeof got);
  return 0;
}
