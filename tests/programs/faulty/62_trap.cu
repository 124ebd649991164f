// A kernel that stops itself when its input is not what it can work on.
// expect: trap at FAULT
#include "program.h"

__global__ void SquareRoot(const float* in, float* out) {
  if (in[threadIdx.x] < 0) __trap();  // FAULT
  out[threadIdx.x] = sqrtf(in[threadIdx.x]);
}

int main() {
  static float host[32];
  host[7] = -1;
  DeviceArray<float> in(32), out(32);
  in.CopyFrom(host);
  SquareRoot<<<1, 32>>>(in, out);
  return cudaDeviceSynchronize() != cudaSuccess ? 0 : 1;
}
