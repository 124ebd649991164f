// The kernel is given the host's array in place of the device's copy.
// expect: out-of-bounds at FAULT
#include "program.h"

__global__ void Sum(const int* values, int n, int* sum) {
  int own = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) own += values[i];  // FAULT
  atomicAdd(sum, own);
}

int main() {
  constexpr int kCount = 64;
  static int host[kCount];
  DeviceArray<int> values(kCount), sum(1);
  values.CopyFrom(host);
  sum.Fill(0);
  Sum<<<1, 32>>>(host, kCount, sum);
  return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
}
