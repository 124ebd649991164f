// A buffer of the largest size there may be is copied back whole, though the kernel wrote only its first part; and a
// buffer with rows of which some were never written.
#include "program.h"

__global__ void Fill(int* values, int n) {
  if (threadIdx.x < n) values[threadIdx.x] = 7;
}

int main() {
  constexpr int kMost = 1 << 20, kWritten = 100;
  static int host[kMost];
  DeviceArray<int> values(kMost);
  Fill<<<1, 256>>>(values, kWritten);
  CHECK(cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < kWritten; ++i) {
    if (host[i] != 7) return 1;
  }
  int* rows = nullptr;
  size_t pitch = 0;
  CHECK(cudaMallocPitch(&rows, &pitch, 100 * sizeof(int), 50));
  Fill<<<1, 128>>>(rows, 100);
  CHECK(cudaMemcpy2D(host, 100 * sizeof(int), rows, pitch, 100 * sizeof(int), 50, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(rows));
  return host[99] == 7 ? 0 : 1;
}
