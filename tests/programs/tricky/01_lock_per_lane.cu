// All lanes of a warp want one lock. The winner leaves the loop after it has given the lock back, so that the others
// are never waited for inside.
#include "program.h"

__global__ void Add(int* sum, int* lock) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      *sum += threadIdx.x;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

int main() {
  DeviceArray<int> sum(1), lock(1);
  sum.Fill(0);
  lock.Fill(0);
  Add<<<3, 64>>>(sum, lock);
  FINISH();
  int got = 0;
  sum.CopyTo(&got);
  EXPECT(got == 3 * 64 * 63 / 2);
  PrintOut(&got, sizeof got);
  return 0;
}
