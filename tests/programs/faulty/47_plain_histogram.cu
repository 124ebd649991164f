// A histogram in global memory whose bins are incremented without atomics; each block has its own value, and two share.
// expect: global-race at FAULT with FAULT
#include "program.h"

__global__ void Histogram(const int* values, int* bins) {
  if (threadIdx.x == 0) ++bins[values[blockIdx.x]];  // FAULT
}

int main() {
  const int host[4] = {3, 1, 3, 2};
  DeviceArray<int> values(4), bins(4);
  values.CopyFrom(host);
  bins.Fill(0);
  Histogram<<<4, 32>>>(values, bins);
  FINISH();
  return 0;
}
