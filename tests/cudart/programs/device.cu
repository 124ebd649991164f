#include <cstring>

#include "expect.h"

__global__ void kernel(float* out) { out[threadIdx.x] = 1; }

// Long because one call after the other is checked, on one state of the device.
int main() {
  int count = 0, device = -1, value = 0;
  EXPECT_OK(cudaGetDeviceCount(&count));
  EXPECT(count == 1);
  EXPECT_OK(cudaSetDevice(0));
  EXPECT_CODE(cudaSetDevice(1), cudaErrorInvalidDevice);
  EXPECT_OK(cudaGetDevice(&device));
  EXPECT(device == 0);

  cudaDeviceProp properties;
  EXPECT_OK(cudaGetDeviceProperties(&properties, 0));
  EXPECT(std::strcmp(properties.name, "warpgrade emulator (as NVIDIA H200)") == 0);
  EXPECT(properties.major == 9 && properties.minor == 0);
  EXPECT(properties.multiProcessorCount == 132);
  EXPECT(properties.sharedMemPerBlockOptin == 227 * 1024);
  EXPECT(properties.maxGridSize[0] == 2147483647 && properties.maxGridSize[1] == 65535);
  EXPECT_OK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  EXPECT(value == 232448);
  EXPECT_OK(cudaDeviceGetAttribute(&value, cudaDevAttrCooperativeLaunch, 0));
  EXPECT(value == 1);
  EXPECT_CODE(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0), cudaErrorInvalidValue);
  EXPECT_CODE(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 3), cudaErrorInvalidDevice);

  EXPECT_OK(cudaDeviceGetAttribute(&value, cudaDevAttrManagedMemory, 0));
  EXPECT(value == 1);
  EXPECT_CODE(cudaDeviceEnablePeerAccess(0, 0), cudaErrorInvalidDevice);
  EXPECT_CODE(cudaDeviceDisablePeerAccess(0), cudaErrorPeerAccessNotEnabled);
  char bus[32];
  EXPECT_OK(cudaDeviceGetPCIBusId(bus, sizeof bus, 0));
  EXPECT_OK(cudaDeviceGetByPCIBusId(&device, bus));
  EXPECT(device == 0);
  cudaIpcMemHandle_t handle;
  EXPECT_CODE(cudaIpcGetMemHandle(&handle, &value), cudaErrorNotSupported);
  cudaFuncAttributes attributes;
  EXPECT_OK(cudaFuncGetAttributes(&attributes, kernel));
  EXPECT(attributes.ptxVersion == 75 && attributes.binaryVersion == 90);

  int runtime = 0, driver = 0;
  EXPECT_OK(cudaRuntimeGetVersion(&runtime));
  EXPECT_OK(cudaDriverGetVersion(&driver));
  EXPECT(runtime == 13000 && driver == 13000);

  int blocks = 0, grid = 0, block = 0;
  EXPECT_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 1024, 0));
  EXPECT(blocks == 2);
  EXPECT_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 128, 40 * 1024));
  EXPECT(blocks == 5);
  EXPECT_OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel));
  EXPECT(block == 1024 && grid == 264);
  EXPECT_CODE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 0, 0), cudaErrorInvalidValue);

  size_t limit = 0;
  EXPECT_OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20));
  EXPECT_OK(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
  EXPECT(limit == 1 << 20);
  EXPECT_CODE(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimeSyncDepth), cudaErrorUnsupportedLimit);

  // A reset takes memory away and the program goes on.
  float* d_data;
  EXPECT_OK(cudaMalloc(&d_data, 4096));
  EXPECT_OK(cudaDeviceReset());
  EXPECT_CODE(cudaFree(d_data), cudaErrorInvalidValue);
  EXPECT_OK(cudaMalloc(&d_data, 4096));
  kernel<<<1, 32>>>(d_data);
  EXPECT_OK(cudaDeviceSynchronize());
  return Failures();
}
