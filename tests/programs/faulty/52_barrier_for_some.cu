// A barrier in a branch that only half of each warp takes.
// expect: barrier-divergence at FAULT
#include "program.h"

__global__ void Halves(int* values) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = values[t];
  if (t % 32 < 16) {
    tile[t] += 1;
    __syncthreads();  // FAULT
  }
  values[t] = tile[t];
}

int main() {
  DeviceArray<int> values(64);
  values.Fill(0);
  Halves<<<1, 64>>>(values);
  const cudaError_t end = cudaDeviceSynchronize();  // some GPUs go on, others hang
  return end == cudaSuccess || end == cudaErrorLaunchFailure || end == cudaErrorLaunchTimeout ? 0 : 1;
}
