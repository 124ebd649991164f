#include <cstdint>

#include "expect.h"

__global__ void Fill(int *values, int n) {
  if (threadIdx.x < n) values[threadIdx.x] = threadIdx.x;
}

void AllocatesInStreamOrder() {
  cudaStream_t stream;
  EXPECT_OK(cudaStreamCreate(&stream));
  int *d_values, host[100];
  EXPECT_OK(cudaMallocAsync(&d_values, sizeof host, stream));
  Fill<<<1, 128, 0, stream>>>(d_values, 100);
  EXPECT_OK(cudaMemcpyAsync(host, d_values, sizeof host, cudaMemcpyDeviceToHost, stream));
  EXPECT_OK(cudaFreeAsync(d_values, stream));
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT(host[99] == 99);
  EXPECT_CODE(cudaFreeAsync(d_values, stream), cudaErrorInvalidValue);
  EXPECT_OK(cudaStreamDestroy(stream));
  EXPECT_CODE(cudaMallocAsync(&d_values, 4, stream), cudaErrorInvalidResourceHandle);
}

uint64_t Used(cudaMemPool_t pool, cudaMemPoolAttr attribute = cudaMemPoolAttrUsedMemCurrent) {
  uint64_t bytes = 0;
  EXPECT_OK(cudaMemPoolGetAttribute(pool, attribute, &bytes));
  return bytes;
}

void CountsWhatAPoolGave() {
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t pool, standard, current;
  EXPECT_OK(cudaMemPoolCreate(&pool, &properties));
  EXPECT_OK(cudaDeviceGetDefaultMemPool(&standard, 0));
  EXPECT_OK(cudaDeviceGetMemPool(&current, 0));
  EXPECT(current == standard && pool != standard);
  void *a, *b;
  EXPECT_OK(cudaMallocFromPoolAsync(&a, 1000, pool, nullptr));
  EXPECT_OK(cudaDeviceSetMemPool(0, pool));
  EXPECT_OK(cudaMallocAsync(&b, 500, nullptr));
  EXPECT(Used(pool) == 1500 && Used(standard) == 0);
  EXPECT_OK(cudaFreeAsync(a, nullptr));
  EXPECT_OK(cudaFree(b));
  EXPECT(Used(pool) == 0 && Used(pool, cudaMemPoolAttrUsedMemHigh) == 1500);
  uint64_t threshold = UINT64_MAX;
  EXPECT_OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  EXPECT(Used(pool, cudaMemPoolAttrReleaseThreshold) == UINT64_MAX);
  EXPECT_OK(cudaMemPoolTrimTo(pool, 0));
  EXPECT_OK(cudaMemPoolDestroy(pool));
  EXPECT_CODE(cudaMemPoolDestroy(pool), cudaErrorInvalidValue);
  EXPECT_OK(cudaDeviceGetMemPool(&current, 0));
  EXPECT(current == standard);
}

int main() {
  AllocatesInStreamOrder();
  CountsWhatAPoolGave();
  return Failures();
}
