#include <vector>

#include "expect.h"

__global__ void reverse_static(int* data) {
  __shared__ int tile[256];
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = tile[255 - threadIdx.x];
}

__global__ void last_of_dynamic(int* data, int words) {
  extern __shared__ int words_of_block[];
  for (int i = threadIdx.x; i < words; i += blockDim.x) words_of_block[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) data[0] = words_of_block[words - 1];
}

int main() {
  std::vector<int> host(256);
  for (int i = 0; i < 256; ++i) host[i] = i;
  int* d_data;
  EXPECT_OK(cudaMalloc(&d_data, 1024));
  EXPECT_OK(cudaMemcpy(d_data, host.data(), 1024, cudaMemcpyHostToDevice));
  reverse_static<<<1, 256>>>(d_data);
  EXPECT_OK(cudaMemcpy(host.data(), d_data, 1024, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 256; ++i) EXPECT(host[i] == 255 - i);

  // More than 48 KB must be asked for.
  const int bytes = 100 * 1024;
  last_of_dynamic<<<1, 128, bytes>>>(d_data, bytes / 4);
  EXPECT_CODE(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_OK(cudaFuncSetAttribute(last_of_dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  last_of_dynamic<<<1, 128, bytes>>>(d_data, bytes / 4);
  EXPECT_OK(cudaGetLastError());
  EXPECT_OK(cudaMemcpy(host.data(), d_data, 4, cudaMemcpyDeviceToHost));
  EXPECT(host[0] == bytes / 4 - 1);
  EXPECT_CODE(cudaFuncSetAttribute(last_of_dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 228 * 1024),
              cudaErrorInvalidValue);

  cudaFuncAttributes attributes;
  EXPECT_OK(cudaFuncGetAttributes(&attributes, reverse_static));
  EXPECT(attributes.sharedSizeBytes == 1024);
  EXPECT(attributes.maxDynamicSharedSizeBytes == 47 * 1024);
  EXPECT_OK(cudaFuncGetAttributes(&attributes, last_of_dynamic));
  EXPECT(attributes.maxDynamicSharedSizeBytes == bytes);
  return Failures();
}
