// An assert() that does not hold for one thread.
// expect: assert at FAULT
#include <cassert>

#include "program.h"

__global__ void Invert(const int* values, float* out) {
  assert(values[threadIdx.x] != 0);  // FAULT
  out[threadIdx.x] = 1.0f / values[threadIdx.x];
}

int main() {
  static int host[64];
  for (int i = 0; i < 64; ++i) host[i] = i - 20;
  DeviceArray<int> values(64);
  DeviceArray<float> out(64);
  values.CopyFrom(host);
  Invert<<<1, 64>>>(values, out);
  return cudaDeviceSynchronize() == cudaErrorAssert ? 0 : 1;
}
