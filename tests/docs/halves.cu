// Fills an array by kernels that launch kernels, for docs/emulator.md.
#include <cstdio>

__global__ void Fill(int* values, int n, int value) {
  if (n == 1) {
    values[0] = value;
    return;
  }
  Fill<<<1, 1>>>(values, n / 2, value);
  Fill<<<1, 1>>>(values + n / 2, n - n / 2, value + 1);
  if (cudaGetLastError() != cudaSuccess) printf("a launch failed\n");
}

int main() {
  int* values;
  cudaMallocManaged(&values, 8 * sizeof(int));
  Fill<<<1, 1>>>(values, 8, 0);
  cudaDeviceSynchronize();
  for (int i = 0; i < 8; ++i) std::printf("%d%c", values[i], i < 7 ? ' ' : '\n');
  cudaFree(values);
}
