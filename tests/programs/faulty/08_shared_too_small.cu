// The tile has room for 64 threads, and the block has 128.
// expect: out-of-bounds at FAULT
#include "program.h"

__global__ void Reverse(int* values) {
  __shared__ int tile[64];
  tile[threadIdx.x] = values[threadIdx.x];  // FAULT
  __syncthreads();
  values[threadIdx.x] = tile[(blockDim.x - 1 - threadIdx.x) % 64];
}

int main() {
  DeviceArray<int> values(128);
  values.Fill(0);
  Reverse<<<1, 128>>>(values);
  return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
}
