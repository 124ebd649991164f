#include "expect.h"

// There is no barrier between the write and the neighbour's read, which is in another warp for thread 31.
__global__ void shift(int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = tile[(threadIdx.x + 1) % 64];
}

int main() {
  int* d_out;
  EXPECT_OK(cudaMalloc(&d_out, 64 * sizeof(int)));
  shift<<<1, 64>>>(d_out);
  EXPECT_OK(cudaDeviceSynchronize());  // a race is reported; it does not stop the kernel
  return Failures();
}
