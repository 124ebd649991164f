// A float4 load from an address that is only a float's.
// expect: misaligned at FAULT
#include "program.h"

__global__ void Load(const float* in, float* out) {
  const float4 v = *reinterpret_cast<const float4*>(in + 1 + 4 * threadIdx.x);  // FAULT
  out[threadIdx.x] = v.x + v.w;
}

int main() {
  DeviceArray<float> in(256), out(32);
  in.Fill(0);
  Load<<<1, 32>>>(in, out);
  return cudaDeviceSynchronize() == cudaErrorMisalignedAddress ? 0 : 1;
}
