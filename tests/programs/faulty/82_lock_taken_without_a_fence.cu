// A lock is given back after a fence, but nothing keeps the sum's read behind the taking of the lock.
// expect: global-race at FAULT with FAULT
#include "program.h"

__global__ void Add(int* sum, int* lock) {
  if (threadIdx.x > 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
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
