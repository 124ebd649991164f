// Lock step orders what the wavefront does, but the compiler may keep s[t] in a register: the words need `volatile`, or
// a fence after each addition.
// expect: shared-race at FAULT with FAULT
#include <hip/hip_runtime.h>

#include "program.h"

__global__ void Sum(const int* in, int* sum) {
  __shared__ int s[128];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 64) {
    for (unsigned distance = 64; distance > 0; distance /= 2) {
      if (t < distance) s[t] += s[t + distance];  // FAULT
    }
  }
  if (t == 0) *sum = s[0];
}

__global__ void SumWithFences(const int* in, int* sum) {
  __shared__ int s[128];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 64) {
    for (unsigned distance = 64; distance > 0; distance /= 2) {
      if (t < distance) s[t] += s[t + distance];
      __threadfence_block();
    }
  }
  if (t == 0) *sum = s[0];
}

int main() {
  DeviceArray<int> in(128), sum(1);
  in.Fill(0);
  Sum<<<1, 128>>>(in, sum);
  FINISH();
  SumWithFences<<<1, 128>>>(in, sum);
  FINISH();
  return 0;
}
