// A tile with a halo of one element at each side, which no thread loads.
// expect: uninitialised-read at FAULT
#include "program.h"

__global__ void Blur(const float* in, float* out) {
  __shared__ float tile[128 + 2];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  tile[t + 1] = in[i];
  __syncthreads();
  float sum = 0;
  for (int d = 0; d < 3; ++d) sum += tile[t + d];  // FAULT
  out[i] = sum / 3;
}

int main() {
  DeviceArray<float> in(512), out(512);
  in.Fill(0);
  Blur<<<4, 128>>>(in, out);
  FINISH();
  return 0;
}
