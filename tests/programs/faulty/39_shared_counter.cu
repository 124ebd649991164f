// A counter in shared memory that every thread increments, without an atomic.
// expect: shared-race at FAULT with FAULT
#include "program.h"

__global__ void CountPositive(const int* values, int* count) {
  __shared__ int positive;
  if (threadIdx.x == 0) positive = 0;
  __syncthreads();
  if (values[threadIdx.x] > 0) positive += 1;  // FAULT
  __syncthreads();
  if (threadIdx.x == 0) *count = positive;
}

int main() {
  DeviceArray<int> values(128), count(1);
  values.Fill(1);
  CountPositive<<<1, 128>>>(values, count);
  FINISH();
  return 0;
}
