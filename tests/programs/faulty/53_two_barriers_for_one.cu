// Both ways of a branch have a barrier of their own; a block needs one that all its threads reach.
// expect: barrier-divergence at FAULT
#include "program.h"

__global__ void EvenOdd(int* values) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = values[t];
  if (t % 2 == 0) {
    __syncthreads();  // FAULT
    values[t] = tile[t + 1];
  } else {
    __syncthreads();  // FAULT
    values[t] = 2 * tile[t - 1];
  }
}

int main() {
  DeviceArray<int> values(64);
  values.Fill(0);
  EvenOdd<<<1, 64>>>(values);
  const cudaError_t end = cudaDeviceSynchronize();
  return end == cudaSuccess || end == cudaErrorLaunchFailure || end == cudaErrorLaunchTimeout ? 0 : 1;
}
