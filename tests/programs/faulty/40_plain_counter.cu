// One counter for all blocks, incremented without an atomic.
// expect: global-race at FAULT with FAULT
#include "program.h"

__global__ void CountBlocks(int* count) {
  if (threadIdx.x == 0) *count += 1;  // FAULT
}

int main() {
  DeviceArray<int> count(1);
  count.Fill(0);
  CountBlocks<<<16, 32>>>(count);
  FINISH();
  return 0;
}
