// Flags of one byte, set by the thread on the left of the one that reads them.
// expect: shared-race at FAULT with OTHER
#include "program.h"

__global__ void MarkStarts(const int* keys, unsigned char* starts, int n) {
  __shared__ unsigned char differs[256 + 1];
  const int t = threadIdx.x;
  if (t == 0) differs[0] = 1;
  differs[t + 1] = t + 1 < n && keys[t] != keys[t + 1];  // OTHER
  if (t > 0) starts[t] = differs[t];                     // FAULT
}

int main() {
  DeviceArray<int> keys(256);
  DeviceArray<unsigned char> starts(256);
  keys.Fill(0);
  MarkStarts<<<1, 256>>>(keys, starts, 256);
  FINISH();
  return 0;
}
