// Sums blocks of 256 numbers. With two faults, for docs/emulator.md.
#include <cstdio>

__global__ void Sums(const float* in, int n, float* sums) {
  __shared__ float values[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  values[threadIdx.x] = in[i];
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (threadIdx.x < step) values[threadIdx.x] += values[threadIdx.x + step];
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = values[0];
}

int main() {
  const int n = 1000;
  float *in, *sums;
  cudaMallocManaged(&in, n * sizeof(float));
  cudaMallocManaged(&sums, 4 * sizeof(float));
  for (int i = 0; i < n; ++i) in[i] = 1;
  Sums<<<4, 256>>>(in, n, sums);
  cudaDeviceSynchronize();
  for (int b = 0; b < 4; ++b) std::printf("sum of block %d: %g\n", b, sums[b]);
  cudaFree(in);
  cudaFree(sums);
}
