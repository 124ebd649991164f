// More dynamic shared memory than a kernel may have without asking first.
// expect: unchecked-error at FAULT
#include "program.h"

__global__ void Fill(int* out) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = 1;
  out[threadIdx.x] = tile[threadIdx.x];
}

int main() {
  DeviceArray<int> out(32);
  Fill<<<1, 32, 100 * 1024>>>(out);  // FAULT
  cudaDeviceSynchronize();           // succeeds: nothing runs
  return 0;
}
