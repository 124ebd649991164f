// The last wavefront of a reduction: 64 lanes add at distance 64, 32, ... 1 without a barrier. Lock step orders them.
#include <hip/hip_runtime.h>

#include "program.h"

__global__ void Sum(const int* in, int* sum) {
  __shared__ int s[128];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 64) {
    volatile int* const v = s;
    v[t] += v[t + 64];
    if (t < 32) {
      for (int distance = 32; distance > 0; distance /= 2) v[t] += v[t + distance];
    }
  }
  if (t == 0) *sum = s[0];
}

int main() {
  int in[128], sum = 0;
  for (int k = 0; k < 128; ++k) in[k] = k;
  DeviceArray<int> d_in(in, 128), d_sum(1);
  Sum<<<1, 128>>>(d_in, d_sum);
  FINISH();
  d_sum.CopyTo(&sum);
  EXPECT(sum == 127 * 128 / 2);
  return 0;
}
