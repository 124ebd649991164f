// The addition at distance 64 without a barrier before it: lock step does not order two wavefronts.
// expect: shared-race at FAULT with OTHER
#include <hip/hip_runtime.h>

#include "program.h"

__global__ void Sum(const int* in, int* sum) {
  __shared__ int s[128];
  const unsigned t = threadIdx.x;
  volatile int* const v = s;
  v[t] = in[t];                   // OTHER
  if (t < 64) v[t] += v[t + 64];  // FAULT
  if (t == 0) *sum = v[0];
}

int main() {
  DeviceArray<int> in(128), sum(1);
  in.Fill(0);
  Sum<<<1, 128>>>(in, sum);
  FINISH();
  return 0;
}
