// The same lock written as on a CPU: the lanes that wait spin in a loop of their own. Since Volta the winner makes
// progress all the same.
#include "program.h"

__global__ void Add(int* sum, int* lock) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *sum += threadIdx.x + 1;
  __threadfence();
  atomicExch(lock, 0);
}

int main() {
  DeviceArray<int> sum(1), lock(1);
  sum.Fill(0);
  lock.Fill(0);
  Add<<<2, 48>>>(sum, lock);
  FINISH();
  int got = 0;
  sum.CopyTo(&got);
  EXPECT(got == 2 * 48 * 49 / 2);
  PrintOut(&got, sizeof got);
  return 0;
}
