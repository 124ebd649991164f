// A stencil that writes where other blocks still read.
// expect: global-race at FAULT with OTHER
#include "program.h"

__global__ void Smooth(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  if (i > 0 && i + 1 < n) sum = values[i - 1] + values[i + 1];  // OTHER
  __syncthreads();
  if (i > 0 && i + 1 < n) values[i] = sum / 2;  // FAULT
}

int main() {
  constexpr int kCount = 1024;
  DeviceArray<int> values(kCount);
  values.Fill(0);
  Smooth<<<kCount / 128, 128>>>(values, kCount);
  FINISH();
  return 0;
}
