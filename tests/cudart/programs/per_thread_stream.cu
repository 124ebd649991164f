// Compiled with --default-stream per-thread: the API's names get suffixes.
#include "expect.h"

__global__ void twice(int* data) { data[threadIdx.x] *= 2; }

int main() {
  int host[32], *d_data;
  for (int i = 0; i < 32; ++i) host[i] = i;
  EXPECT_OK(cudaMalloc(&d_data, sizeof host));
  EXPECT_OK(cudaMemcpy(d_data, host, sizeof host, cudaMemcpyHostToDevice));
  twice<<<1, 32>>>(d_data);
  EXPECT_OK(cudaStreamSynchronize(nullptr));
  EXPECT_OK(cudaMemcpyAsync(host, d_data, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) EXPECT(host[i] == 2 * i);
  return Failures();
}
