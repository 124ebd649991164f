// The left neighbour of the tile's first element.
// expect: out-of-bounds at FAULT
#include "program.h"

__global__ void Smooth(const float* in, float* out) {
  __shared__ float tile[128];
  const int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  out[t] = 0.5f * (tile[t] + tile[t - 1]);  // FAULT
}

int main() {
  DeviceArray<float> in(128), out(128);
  in.Fill(0);
  Smooth<<<1, 128>>>(in, out);
  return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
}
