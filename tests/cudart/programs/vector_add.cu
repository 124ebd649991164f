#include <vector>

#include "expect.h"

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

int main() {
  const int n = 1000;
  std::vector<float> a(n), b(n), c(n);
  for (int i = 0; i < n; ++i) {
    a[i] = 0.5f * i;
    b[i] = 1000.0f - i;
  }
  float *d_a, *d_b, *d_c;
  const size_t bytes = n * sizeof(float);
  EXPECT_OK(cudaMalloc(&d_a, bytes));
  EXPECT_OK(cudaMalloc(&d_b, bytes));
  EXPECT_OK(cudaMalloc(&d_c, bytes));
  EXPECT_OK(cudaMemcpy(d_a, a.data(), bytes, cudaMemcpyHostToDevice));
  EXPECT_OK(cudaMemcpy(d_b, b.data(), bytes, cudaMemcpyHostToDevice));
  add<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n);
  EXPECT_OK(cudaGetLastError());
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_OK(cudaMemcpy(c.data(), d_c, bytes, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) EXPECT(c[i] == a[i] + b[i]);
  EXPECT_OK(cudaFree(d_a));
  EXPECT_OK(cudaFree(d_b));
  EXPECT_OK(cudaFree(d_c));
  return Failures();
}
