#include "expect.h"

__constant__ float weights[3];
__device__ int counter = 40;
__device__ float table[4] = {1, 2, 3};

__global__ void use(float* out) {
  out[0] = weights[0] + 10 * weights[1] + 100 * weights[2];
  out[1] = table[2];
  counter += 2;
}

int main() {
  const float host_weights[3] = {1, 2, 3};
  EXPECT_OK(cudaMemcpyToSymbol(weights, host_weights, sizeof host_weights));
  const float seven = 7;
  EXPECT_OK(cudaMemcpyToSymbol(table, &seven, sizeof seven, 2 * sizeof(float)));
  float* d_out;
  EXPECT_OK(cudaMalloc(&d_out, 2 * sizeof(float)));
  use<<<1, 1>>>(d_out);
  EXPECT_OK(cudaDeviceSynchronize());
  float out[2];
  EXPECT_OK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
  EXPECT(out[0] == 321);
  EXPECT(out[1] == 7);
  int host_counter = 0;
  EXPECT_OK(cudaMemcpyFromSymbol(&host_counter, counter, sizeof host_counter));
  EXPECT(host_counter == 42);

  void* address = nullptr;
  size_t size = 0;
  EXPECT_OK(cudaGetSymbolAddress(&address, table));
  EXPECT_OK(cudaGetSymbolSize(&size, table));
  EXPECT(size == 16);
  float third = 0;
  EXPECT_OK(cudaMemcpy(&third, static_cast<float*>(address) + 2, sizeof third, cudaMemcpyDeviceToHost));
  EXPECT(third == 7);

  int on_the_host = 0;
  EXPECT_CODE(cudaMemcpyToSymbol(&on_the_host, &on_the_host, sizeof on_the_host, 0, cudaMemcpyHostToDevice),
              cudaErrorInvalidSymbol);
  EXPECT_CODE(cudaMemcpyToSymbol(weights, host_weights, sizeof host_weights, 4), cudaErrorInvalidValue);
  EXPECT_CODE(cudaMemcpyToSymbol(weights, host_weights, 4, 0, cudaMemcpyDeviceToHost), cudaErrorInvalidMemcpyDirection);
  return Failures();
}
