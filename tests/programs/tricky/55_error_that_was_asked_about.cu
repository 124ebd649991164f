// A launch that fails on purpose: the program asks, sees the error, and takes a smaller block.
#include "program.h"

__global__ void Square(int* values, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) values[i] = i * i;
}

int main() {
  constexpr int kCount = 3000;
  static int got[kCount];
  DeviceArray<int> values(kCount);
  int threads = 4096;
  while (true) {
    Square<<<1, threads>>>(values, kCount);
    if (cudaGetLastError() == cudaSuccess) break;
    threads /= 2;
  }
  FINISH();
  EXPECT(threads == 1024);
  values.CopyTo(got);
  for (int i = 0; i < kCount; ++i) EXPECT(got[i] == i * i);
  PrintOut(got, sizeof got);
  return 0;
}
