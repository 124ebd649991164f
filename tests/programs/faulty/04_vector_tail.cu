// Four floats at a time over a length that is no multiple of four: the last load begins inside and ends outside.
// expect: out-of-bounds at FAULT
#include "program.h"

__global__ void Sum4(const float4* in, float* out, int quads) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= quads) return;
  const float4 v = in[i];  // FAULT
  out[i] = v.x + v.y + v.z + v.w;
}

int main() {
  constexpr int kCount = 1002, kQuads = (kCount + 3) / 4;
  DeviceArray<float> in(kCount), out(kQuads);
  in.Fill(0);
  Sum4<<<1, 256>>>(reinterpret_cast<const float4*>(static_cast<float*>(in)), out, kQuads);
  return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
}
