// One warp hands data to another through shared memory: a fence of the block, and a volatile flag.
#include "program.h"

__global__ void Relay(int* out) {
  __shared__ int data[32];
  __shared__ volatile int full;
  const int lane = threadIdx.x % 32;
  if (threadIdx.x == 0) full = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    data[lane] = lane * 11;
    __syncwarp();
    if (lane == 0) {
      __threadfence_block();
      full = 1;
    }
  } else {
    while (full == 0) {
    }
    __threadfence_block();
    out[lane] = data[31 - lane];
  }
}

int main() {
  int got[32];
  DeviceArray<int> out(32);
  Relay<<<1, 64>>>(out);
  FINISH();
  out.CopyTo(got);
  for (int i = 0; i < 32; ++i) EXPECT(got[i] == (31 - i) * 11);
  PrintOut(got, sizeof got);
  return 0;
}
