// Blocks share a lock, but the fence after it was taken reaches the own block only.
// expect: global-race at FAULT with FAULT
#include "program.h"

__global__ void Add(int* sum, int* lock) {
  if (threadIdx.x > 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence_block();
  *sum += blockIdx.x;  // FAULT
  __threadfence();
  atomicExch(lock, 0);
}

int main() {
  DeviceArray<int> sum(1), lock(1);
  sum.Fill(0);
  lock.Fill(0);
  Add<<<8, 32>>>(sum, lock);
  FINISH();
  return 0;
}
