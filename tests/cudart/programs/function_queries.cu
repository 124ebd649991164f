// Kernels by their handles, their names and parameters, and how many blocks are resident.
#include <cstring>

#include "expect.h"

extern "C" __global__ void scale(double* values, char, double factor) { values[threadIdx.x] *= factor; }

struct NoKernel {
  char unused;
} no_kernel;

void AKernelHasOneHandleAndAName() {
  const auto* address = reinterpret_cast<const void*>(scale);
  cudaFunction_t function = nullptr;
  cudaKernel_t kernel = nullptr;
  EXPECT_OK(cudaGetFuncBySymbol(&function, address));
  EXPECT_OK(cudaGetKernel(&kernel, address));
  EXPECT(function != nullptr && static_cast<void*>(function) == static_cast<void*>(kernel));
  EXPECT_CODE(cudaGetKernel(&kernel, static_cast<const void*>(&no_kernel)), cudaErrorInvalidDeviceFunction);
  EXPECT_CODE(cudaGetFuncBySymbol(&function, static_cast<const void*>(&no_kernel)), cudaErrorInvalidDeviceFunction);
  const char* name = nullptr;
  EXPECT_OK(cudaFuncGetName(&name, address));
  EXPECT(name != nullptr && std::strcmp(name, "scale") == 0);
  EXPECT_CODE(cudaFuncGetName(nullptr, address), cudaErrorInvalidValue);
}

void ParametersHaveOffsetsAndSizes() {
  const auto* address = reinterpret_cast<const void*>(scale);
  size_t offset = 99, size = 99;
  EXPECT_OK(cudaFuncGetParamInfo(address, 0, &offset, &size));
  EXPECT(offset == 0 && size == sizeof(double*));
  EXPECT_OK(cudaFuncGetParamInfo(address, 1, &offset, &size));
  EXPECT(offset == 8 && size == 1);
  EXPECT_OK(cudaFuncGetParamInfo(address, 2, &offset, nullptr));
  EXPECT(offset == 16);
  EXPECT_CODE(cudaFuncGetParamInfo(address, 3, &offset, &size), cudaErrorInvalidValue);
}

void SharedMemoryAndBlocksTradeOff() {
  const auto* address = reinterpret_cast<const void*>(scale);
  EXPECT_OK(cudaFuncSetCacheConfig(address, cudaFuncCachePreferL1));
  EXPECT_CODE(cudaFuncSetCacheConfig(static_cast<const void*>(&no_kernel), cudaFuncCachePreferL1),
              cudaErrorInvalidDeviceFunction);
  size_t bytes = 0;
  EXPECT_OK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, address, 4, 256));
  EXPECT(bytes == 228 * 1024 / 4 - 1024);  // the system takes 1 KB from each block
  EXPECT_CODE(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, address, 100, 256), cudaErrorInvalidValue);
  EXPECT_OK(cudaFuncSetAttribute(address, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
  int blocks = 0;
  EXPECT_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, address, 256, bytes));
  EXPECT(blocks == 4);
  EXPECT_CODE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, address, 0, 0), cudaErrorInvalidValue);
}

int main() {
  AKernelHasOneHandleAndAName();
  ParametersHaveOffsetsAndSizes();
  SharedMemoryAndBlocksTradeOff();
  return Failures();
}
