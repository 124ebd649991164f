#include "expect.h"

__global__ void nothing() {}
__global__ void __launch_bounds__(64) bounded() {}

void LaunchGives(dim3 grid, dim3 block, size_t shared_bytes, cudaError_t wanted) {
  nothing<<<grid, block, shared_bytes>>>();
  EXPECT_CODE(cudaPeekAtLastError(), wanted);
  EXPECT_CODE(cudaGetLastError(), wanted);
  EXPECT_OK(cudaGetLastError());  // taken; and a refused launch is not sticky
  EXPECT_OK(cudaDeviceSynchronize());
}

int NotAKernel() { return 0; }

int main() {
  LaunchGives(1, 1, 0, cudaSuccess);
  LaunchGives(0, 1, 0, cudaErrorInvalidConfiguration);
  LaunchGives(1, 0, 0, cudaErrorInvalidConfiguration);
  LaunchGives(1, 1025, 0, cudaErrorInvalidConfiguration);
  LaunchGives(1, dim3(32, 33), 0, cudaErrorInvalidConfiguration);
  LaunchGives(1, dim3(1, 1, 65), 0, cudaErrorInvalidConfiguration);
  LaunchGives(dim3(1, 65536), 1, 0, cudaErrorInvalidConfiguration);
  LaunchGives(1, 1, 48 * 1024 + 1, cudaErrorInvalidValue);

  bounded<<<1, 64>>>();
  EXPECT_OK(cudaGetLastError());
  bounded<<<1, 65>>>();
  EXPECT_CODE(cudaGetLastError(), cudaErrorLaunchOutOfResources);

  EXPECT_CODE(cudaLaunchKernel(reinterpret_cast<const void*>(&NotAKernel), 1, 1, nullptr, 0, nullptr),
              cudaErrorInvalidDeviceFunction);
  nothing<<<1, 1, 0, reinterpret_cast<cudaStream_t>(0x1234)>>>();
  EXPECT_CODE(cudaGetLastError(), cudaErrorInvalidResourceHandle);

  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = 32;
  EXPECT_OK(cudaLaunchKernelEx(&config, nothing));
  cudaLaunchAttribute cluster = {};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = 2;
  cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
  config.attrs = &cluster;
  config.numAttrs = 1;
  EXPECT_CODE(cudaLaunchKernelEx(&config, nothing), cudaErrorNotSupported);
  return Failures();
}
