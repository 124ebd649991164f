// A spin lock whose owner returns without giving it back; there are two such, so that one waits whatever the order.
// expect: deadlock at FAULT
#include "program.h"

__global__ void AddPositive(const int* values, int* sum, int* lock) {
  if (threadIdx.x > 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {  // FAULT
  }
  __threadfence();
  if (values[blockIdx.x] <= 0) return;  // the lock stays taken
  *sum += values[blockIdx.x];
  __threadfence();
  atomicExch(lock, 0);
}

int main() {
  const int host[4] = {1, 0, 0, 3};
  DeviceArray<int> values(4), sum(1), lock(1);
  values.CopyFrom(host);
  sum.Fill(0);
  lock.Fill(0);
  AddPositive<<<4, 32>>>(values, sum, lock);
  return cudaDeviceSynchronize() == cudaErrorLaunchTimeout ? 0 : 1;
}
