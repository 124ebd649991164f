// Each thread moves its right neighbour's element to its own place, while that neighbour does the same.
// expect: shared-race at FAULT with FAULT
#include "program.h"

__global__ void DropFirst(const int* in, int* out) {
  __shared__ int tile[257];
  const int t = threadIdx.x;
  tile[t] = in[t];
  if (t == 0) tile[256] = 0;
  __syncthreads();
  tile[t] = tile[t + 1];  // FAULT
  __syncthreads();
  out[t] = tile[t];
}

int main() {
  DeviceArray<int> in(256), out(256);
  in.Fill(0);
  DropFirst<<<1, 256>>>(in, out);
  FINISH();
  return 0;
}
