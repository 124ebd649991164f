// The third launch argument counts bytes; here it was given as a count of ints.
// expect: out-of-bounds at FAULT
#include "program.h"

__global__ void SubtractFirst(int* values) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = values[threadIdx.x];  // FAULT
  __syncthreads();
  values[threadIdx.x] -= tile[0];
}

int main() {
  constexpr int kCount = 256;
  DeviceArray<int> values(kCount);
  values.Fill(0);
  SubtractFirst<<<1, kCount, kCount>>>(values);
  return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
}
