// A tree that knows the size of its block, but has no case for 1024 threads: the upper half is never added. That is no
// wrong access, so only the sum shows it.
#include <hip/hip_runtime.h>

#include "program.h"

template <unsigned kThreads>
__global__ void Sum(const int* in, int* sum) {
  __shared__ int s[kThreads];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if constexpr (kThreads >= 512) {
    if (t < 256) s[t] += s[t + 256];
    __syncthreads();
  }
  if (t < 128) s[t] += s[t + 128];
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
  static int in[1024];
  for (int& value : in) value = 1;
  DeviceArray<int> d_in(in, 1024), d_sum(1);
  int sum = 0;
  Sum<512><<<1, 512>>>(d_in, d_sum);
  FINISH();
  d_sum.CopyTo(&sum);
  EXPECT(sum == 512);
  Sum<1024><<<1, 1024>>>(d_in, d_sum);
  FINISH();
  d_sum.CopyTo(&sum);
  EXPECT(sum == 512);  // of 1024
  return 0;
}
