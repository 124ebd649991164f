// Lengths of zero: no memory is asked for or copied, no kernel launched, and what was not allocated may be freed.
#include "program.h"

__global__ void Double(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= 2;
}

int Run(int n) {
  int* values = nullptr;
  int host[8] = {1, 1, 1, 1, 1, 1, 1, 1}, sum = 0;
  CHECK(cudaMalloc(&values, n * sizeof(int)));
  CHECK(cudaMemcpy(values, host, n * sizeof(int), cudaMemcpyHostToDevice));
  if (n > 0) Double<<<(n + 31) / 32, 32>>>(values, n);
  FINISH();
  CHECK(cudaMemcpy(host, values, n * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(values));
  for (int i = 0; i < n; ++i) sum += host[i];
  return sum;
}

int main() {
  const int got[3] = {Run(0), Run(1), Run(8)};
  EXPECT(got[0] == 0 && got[1] == 2 && got[2] == 16);
  CHECK(cudaFree(nullptr));
  PrintOut(got, sizeof got);
  return 0;
}
