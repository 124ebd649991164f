// __syncwarp() where a neighbour may be in another warp.
// expect: shared-race at FAULT with OTHER
// alone: tests/cli/run_command_test.cc runs it by itself
#include "program.h"

__global__ void Shift(const int* in, int* out) {
  __shared__ int tile[256];
  const int t = threadIdx.x;
  tile[t] = in[t];  // OTHER
  __syncwarp();
  out[t] = t > 0 ? tile[t - 1] : 0;  // FAULT
}

int main() {
  DeviceArray<int> in(256), out(256);
  in.Fill(0);
  Shift<<<1, 256>>>(in, out);
  FINISH();
  return 0;
}
