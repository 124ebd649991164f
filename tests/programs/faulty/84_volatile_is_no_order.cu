// Blocks add to a volatile sum one after another, behind a lock without any fence.
// expect: unordered-volatile at FAULT with FAULT
#include "program.h"

__global__ void Add(volatile int* sum, int* lock) {
  if (threadIdx.x > 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  *sum = *sum + blockIdx.x;  // FAULT
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
