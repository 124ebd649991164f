// Questions about several devices or processes, which one emulated device answers, and calls that change nothing.
#include <cuda_profiler_api.h>

#include "expect.h"

__global__ void Kernel(int* out) { *out = 1; }

void ThereAreNoPeers() {
  int answer = -1, *d_from, *d_to, host = 7, back = 0;
  EXPECT_OK(cudaDeviceCanAccessPeer(&answer, 0, 0));
  EXPECT(answer == 0);
  EXPECT_CODE(cudaDeviceCanAccessPeer(&answer, 0, 1), cudaErrorInvalidDevice);
  EXPECT_CODE(cudaDeviceGetP2PAttribute(&answer, cudaDevP2PAttrAccessSupported, 0, 0), cudaErrorInvalidDevice);

  EXPECT_OK(cudaMalloc(&d_from, sizeof(int)));
  EXPECT_OK(cudaMalloc(&d_to, sizeof(int)));
  EXPECT_OK(cudaMemcpy(d_from, &host, sizeof(int), cudaMemcpyHostToDevice));
  EXPECT_OK(cudaMemcpyPeer(d_to, 0, d_from, 0, sizeof(int)));
  EXPECT_OK(cudaMemcpy(&back, d_to, sizeof(int), cudaMemcpyDeviceToHost));
  EXPECT(back == 7);
  EXPECT_CODE(cudaMemcpyPeer(d_to, 1, d_from, 0, sizeof(int)), cudaErrorInvalidDevice);
  EXPECT_OK(cudaMemset(d_to, 0, sizeof(int)));
  EXPECT_OK(cudaMemcpyPeerAsync(d_to, 0, d_from, 0, sizeof(int)));
  EXPECT_OK(cudaMemcpy(&back, d_to, sizeof(int), cudaMemcpyDeviceToHost));
  EXPECT(back == 7);
  EXPECT_CODE(cudaMemcpyPeerAsync(d_to, 0, d_from, 2, sizeof(int)), cudaErrorInvalidDevice);
}

void TheDeviceBelongsToOneProcess() {
  void* d_data;
  cudaEvent_t event;
  cudaIpcMemHandle_t memory = {};
  cudaIpcEventHandle_t handle = {};
  EXPECT_OK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  EXPECT_CODE(cudaIpcOpenMemHandle(&d_data, memory, cudaIpcMemLazyEnablePeerAccess), cudaErrorNotSupported);
  EXPECT_CODE(cudaIpcCloseMemHandle(nullptr), cudaErrorNotSupported);
  EXPECT_CODE(cudaIpcGetEventHandle(&handle, event), cudaErrorNotSupported);
  EXPECT_CODE(cudaIpcOpenEventHandle(&event, handle), cudaErrorNotSupported);
}

void ThereAreNoClusters() {
  int answer = 0;
  cudaLaunchConfig_t launch = {};
  launch.gridDim = launch.blockDim = dim3(1);
  const auto* kernel = reinterpret_cast<const void*>(Kernel);
  EXPECT_CODE(cudaOccupancyMaxPotentialClusterSize(&answer, kernel, &launch), cudaErrorNotSupported);
  EXPECT_CODE(cudaOccupancyMaxActiveClusters(&answer, kernel, &launch), cudaErrorNotSupported);
}

// Programs that can do without a driver function ask for it, and look at the status.
void ThereIsNoDriver() {
  void* function = &function;
  cudaDriverEntryPointQueryResult status = cudaDriverEntryPointSuccess;
  EXPECT_OK(cudaGetDriverEntryPointByVersion("cuLaunchKernel", &function, 13000, cudaEnableDefault, &status));
  EXPECT(function == nullptr && status == cudaDriverEntryPointSymbolNotFound);
  EXPECT_CODE(cudaGetDriverEntryPointByVersion("cuLaunchKernel", &function, 13000, cudaEnableDefault, nullptr),
              cudaErrorSymbolNotFound);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"  // older programs import it
  EXPECT_OK(cudaGetDriverEntryPoint("cuLaunchKernel", &function, cudaEnableDefault, &status));
#pragma GCC diagnostic pop
  EXPECT(function == nullptr && status == cudaDriverEntryPointSymbolNotFound);
}

void TheDeviceHasSettings() {
  int device = -1, least = -1, greatest = 1;
  cudaDeviceProp wanted = {};
  EXPECT_OK(cudaChooseDevice(&device, &wanted));
  EXPECT(device == 0);
  EXPECT_CODE(cudaChooseDevice(&device, nullptr), cudaErrorInvalidValue);
  EXPECT_OK(cudaInitDevice(0, 0, 0));
  EXPECT_CODE(cudaInitDevice(1, 0, 0), cudaErrorInvalidDevice);

  unsigned flags = 77;
  EXPECT_OK(cudaSetDeviceFlags(cudaDeviceScheduleYield));
  EXPECT_OK(cudaGetDeviceFlags(&flags));
  EXPECT(flags == cudaDeviceScheduleYield);
  EXPECT_CODE(cudaSetDeviceFlags(0x1000000), cudaErrorInvalidValue);

  cudaFuncCache config = cudaFuncCachePreferL1;
  EXPECT_OK(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
  EXPECT_OK(cudaDeviceGetCacheConfig(&config));
  EXPECT(config == cudaFuncCachePreferNone);
  EXPECT_CODE(cudaDeviceGetCacheConfig(nullptr), cudaErrorInvalidValue);
  EXPECT_OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  EXPECT(least == 0 && greatest == -5);
  EXPECT_OK(cudaDeviceGetStreamPriorityRange(nullptr, nullptr));
  EXPECT_OK(cudaCtxResetPersistingL2Cache());
  EXPECT_OK(cudaProfilerStart());
  EXPECT_OK(cudaProfilerStop());
}

int main() {
  ThereAreNoPeers();
  TheDeviceBelongsToOneProcess();
  ThereAreNoClusters();
  ThereIsNoDriver();
  TheDeviceHasSettings();
  return Failures();
}
