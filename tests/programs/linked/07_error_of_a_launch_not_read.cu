// expect: unchecked-error at LAUNCH
// A kernel launches a kernel with too many threads, and nobody in the kernel asks whether it started.
#include "program.h"

__global__ void Fill(int* values) { values[threadIdx.x] = 1; }

__global__ void Parent(int* values, int n) {
  Fill<<<1, n>>>(values);  // LAUNCH
}

int main() {
  DeviceArray<int> values(2048);
  values.Fill(0);
  Parent<<<1, 1>>>(values, 2048);
  FINISH();
  int first = 0;
  CHECK(cudaMemcpy(&first, values, sizeof first, cudaMemcpyDeviceToHost));
  EXPECT(first == 0);
  return 0;
}
