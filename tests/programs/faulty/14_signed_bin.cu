// A histogram whose bin is a signed remainder: negative for negative numbers.
// expect: out-of-bounds at FAULT
#include "program.h"

__global__ void Histogram(const int* values, int n, int* bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[values[i] % 16], 1);  // FAULT
}

int main() {
  static int host[100];
  for (int i = 0; i < 100; ++i) host[i] = i - 3;
  DeviceArray<int> values(100), bins(16);
  values.CopyFrom(host);
  bins.Fill(0);
  Histogram<<<1, 128>>>(values, 100, bins);
  return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
}
