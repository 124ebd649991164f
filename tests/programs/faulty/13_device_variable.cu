// A __device__ array of eight counters and a ninth kind of thing to count.
// expect: out-of-bounds at FAULT
#include "program.h"

__device__ int counters[8];

__global__ void Count(const int* kinds, int n) {
  const int i = threadIdx.x;
  if (i < n) atomicAdd(&counters[kinds[i]], 1);  // FAULT
}

int main() {
  const int host[3] = {0, 8, 7};
  DeviceArray<int> kinds(3);
  kinds.CopyFrom(host);
  Count<<<1, 32>>>(kinds, 3);
  return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
}
