// cudaMemset counts bytes; only the first quarter of the ints is cleared.
// expect: uninitialised-read at FAULT
#include "program.h"

__global__ void Increment(int* values, int n) {
  const int i = threadIdx.x;
  if (i < n) values[i] += 1;  // FAULT
}

int main() {
  constexpr int kCount = 256;
  DeviceArray<int> values(kCount);
  CHECK(cudaMemset(values, 0, kCount));
  Increment<<<1, kCount>>>(values, kCount);
  FINISH();
  return 0;
}
