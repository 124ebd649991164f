// What the program sees of the GPU that WARPGRADE_DEVICE_AS names, in one line for the test to compare.
#include <cstdio>

#include "expect.h"

__global__ void Kernel() {}

int main() {
  cudaDeviceProp p;
  EXPECT_OK(cudaGetDeviceProperties(&p, 0));
  int blocks = 0, ecc = -1, clock = 0;
  EXPECT_OK(cudaDeviceGetAttribute(&ecc, cudaDevAttrEccEnabled, 0));
  EXPECT_OK(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, 0));
  EXPECT_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, Kernel, 32, 0));
  std::printf("%s; %d.%d; %d SMs; %d kHz; %zu bytes by opt-in; %d blocks of a warp; ECC %d\n", p.name, p.major, p.minor,
              p.multiProcessorCount, clock, p.sharedMemPerBlockOptin, blocks, ecc);
  // 64 KB of shared memory is all that a T4 has, and little for an H200.
  EXPECT_OK(cudaFuncSetAttribute(Kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024));
  const bool large = p.sharedMemPerBlockOptin > 64 * 1024;
  EXPECT_CODE(cudaFuncSetAttribute(Kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024 + 1),
              large ? cudaSuccess : cudaErrorInvalidValue);
  return Failures();
}
