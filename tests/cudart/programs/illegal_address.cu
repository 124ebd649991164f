#include <cstring>

#include "expect.h"

// The store below must stay on line 8: the test looks for it.

__global__ void store(int* out, int i) {
  if (threadIdx.x == 5) out[i] = 1;
}

int main() {
  int* d_out;
  EXPECT_OK(cudaMalloc(&d_out, 4));
  store<<<1, 32>>>(d_out, 0);
  EXPECT_OK(cudaDeviceSynchronize());
  store<<<1, 32>>>(d_out, 1);
  EXPECT_CODE(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  // Sticky: taking the error does not clear it, and nothing works any more.
  EXPECT_CODE(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_CODE(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_CODE(cudaFree(d_out), cudaErrorIllegalAddress);
  int* d_more;
  EXPECT_CODE(cudaMalloc(&d_more, 4), cudaErrorIllegalAddress);
  store<<<1, 32>>>(d_out, 0);
  EXPECT_CODE(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT(std::strcmp(cudaGetErrorString(cudaGetLastError()), "an illegal memory access was encountered") == 0);
  return Failures();
}
