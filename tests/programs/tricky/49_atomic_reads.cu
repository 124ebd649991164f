// A flag that is raised by atomicExch and watched by atomicAdd(flag, 0), with fences around the data.
#include "program.h"

__global__ void HandOver(float* data, int* flag, float* out) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = 0.5f * threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicExch(flag, 1);
    }
  } else {
    if (threadIdx.x == 0) {
      while (atomicAdd(flag, 0) == 0) {
      }
      __threadfence();
    }
    __syncthreads();
    out[threadIdx.x] = data[threadIdx.x ^ 3];
  }
}

int main() {
  float got[96];
  DeviceArray<float> data(96), out(96);
  DeviceArray<int> flag(1);
  flag.Fill(0);
  HandOver<<<2, 96>>>(data, flag, out);
  FINISH();
  out.CopyTo(got);
  for (int i = 0; i < 96; ++i) EXPECT(got[i] == 0.5f * (i ^ 3));
  PrintOut(got, sizeof got);
  return 0;
}
