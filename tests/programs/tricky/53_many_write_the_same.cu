// Any thread that finds something raises one flag. They all would write the same, and an atomic makes that a promise.
#include "program.h"

__global__ void AnyNegative(const int* values, int n, int* any) {
  __shared__ int here;
  if (threadIdx.x == 0) here = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && values[i] < 0) atomicOr(&here, 1);
  __syncthreads();
  if (threadIdx.x == 0 && here) atomicExch(any, 1);
}

int main() {
  static int host[600];
  for (int i = 0; i < 600; ++i) host[i] = i % 50 == 49 ? -1 : i;
  int got = 0;
  DeviceArray<int> values(600), any(1);
  values.CopyFrom(host);
  any.Fill(0);
  AnyNegative<<<5, 128>>>(values, 600, any);
  FINISH();
  any.CopyTo(&got);
  EXPECT(got == 1);
  PrintOut(&got, sizeof got);
  return 0;
}
