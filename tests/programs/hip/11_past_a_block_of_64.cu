// A block of one wavefront needs no addition at distance 64. But here all its 64 lanes add at distance 32, and the
// upper half reads past the end of the array.
// expect: out-of-bounds at FAULT
#include <hip/hip_runtime.h>

#include "program.h"

__global__ void Sum(const int* in, int* sum) {
  extern __shared__ int s[];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  volatile int* const v = s;
  v[t] += v[t + 32];  // FAULT
  if (t < 16) {
    for (int distance = 16; distance > 0; distance /= 2) v[t] += v[t + distance];
  }
  if (t == 0) *sum = s[0];
}

int main() {
  DeviceArray<int> in(64), sum(1);
  in.Fill(0);
  Sum<<<1, 64, 64 * sizeof(int)>>>(in, sum);
  EXPECT(hipDeviceSynchronize() != hipSuccess);
  return 0;
}
