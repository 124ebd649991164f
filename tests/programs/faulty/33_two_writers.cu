// Every warp writes its own answer to the one word that the block shares.
// expect: shared-race at FAULT with FAULT
#include "program.h"

__global__ void FindAny(const int* values, int wanted, int* where) {
  __shared__ int found;
  if (threadIdx.x == 0) found = -1;
  __syncthreads();
  if (values[threadIdx.x] == wanted) found = threadIdx.x;  // FAULT
  __syncthreads();
  if (threadIdx.x == 0) *where = found;
}

int main() {
  static int host[128];
  host[5] = host[70] = 9;
  DeviceArray<int> values(128), where(1);
  values.CopyFrom(host);
  FindAny<<<1, 128>>>(values, 9, where);
  FINISH();
  return 0;
}
