// expect: out-of-bounds at STORE
// A child writes past the end of an array. The host sees the error at the launch of the parent.
#include "program.h"

__global__ void Fill(int* values) {
  values[threadIdx.x] = 1;  // STORE
}

__global__ void Parent(int* values, int n) { Fill<<<1, n>>>(values); }

int main() {
  int* values = nullptr;
  CHECK(cudaMalloc(&values, 100 * sizeof(int)));
  Parent<<<1, 1>>>(values, 128);
  EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  return 0;
}
