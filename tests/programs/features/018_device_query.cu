// Device properties and attributes: relations that hold on every device, not one device's values.
#include "feature.h"

__global__ void WhatItSees(int* seen) {
  int warp_size;
  asm("mov.u32 %0, WARP_SZ;" : "=r"(warp_size));
  seen[0] = warp_size;
  unsigned sms;
  asm("mov.u32 %0, %%nsmid;" : "=r"(sms));
  unsigned sm;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  seen[1] = sm < sms;
}

int Attribute(cudaDeviceAttr attribute) {
  int value = -1;
  CHECK(cudaDeviceGetAttribute(&value, attribute, 0));
  return value;
}

int main() {
  int count = 0, current = -1, runtime = 0, driver = 0;
  CHECK(cudaGetDeviceCount(&count));
  CHECK(cudaGetDevice(&current));
  CHECK(cudaRuntimeGetVersion(&runtime));
  CHECK(cudaDriverGetVersion(&driver));
  Expect(count >= 1 && current == 0, "there is a device 0");
  Expect(runtime / 1000 == 13 && driver > 0, "the versions");
  Expect(cudaSetDevice(count) == cudaErrorInvalidDevice, "there is no device after the last");
  Expect(cudaGetLastError() == cudaErrorInvalidDevice, "and that is the last error");
  CHECK(cudaSetDevice(0));

  cudaDeviceProp p;
  CHECK(cudaGetDeviceProperties(&p, 0));
  Expect(std::strlen(p.name) > 0, "it has a name");
  Expect(p.warpSize == 32 && p.maxThreadsPerBlock == 1024, "warps and blocks");
  Expect(p.maxThreadsDim[0] == 1024 && p.maxThreadsDim[1] == 1024 && p.maxThreadsDim[2] == 64, "a block's sides");
  Expect(p.maxGridSize[0] == 2147483647 && p.maxGridSize[1] == 65535 && p.maxGridSize[2] == 65535, "a grid's sides");
  Expect(p.maxThreadsPerMultiProcessor % p.warpSize == 0, "whole warps fill a multiprocessor");
  Expect(p.sharedMemPerBlock == 49152 && p.sharedMemPerBlockOptin >= p.sharedMemPerBlock, "a block's shared memory");
  Expect(p.sharedMemPerMultiprocessor >= p.sharedMemPerBlockOptin, "a multiprocessor's shared memory");
  Expect(p.regsPerBlock == 65536 && p.regsPerMultiprocessor == 65536, "registers");
  Expect(p.major > 7 || (p.major == 7 && p.minor >= 5), "a device that this PTX runs on");
  Expect(p.totalGlobalMem > (size_t{1} << 30) && p.totalConstMem == 65536 && p.multiProcessorCount > 0, "memory");
  size_t free_bytes = 0, total_bytes = 0;
  CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  Expect(free_bytes <= total_bytes && total_bytes <= p.totalGlobalMem + (size_t{1} << 32), "free memory");

  Expect(Attribute(cudaDevAttrComputeCapabilityMajor) == p.major, "major");
  Expect(Attribute(cudaDevAttrMultiProcessorCount) == p.multiProcessorCount, "multiprocessors");
  Expect(Attribute(cudaDevAttrMaxThreadsPerMultiProcessor) == p.maxThreadsPerMultiProcessor, "threads");
  Expect(Attribute(cudaDevAttrWarpSize) == 32 && Attribute(cudaDevAttrClockRate) > 0, "warp size and clock");

  DeviceArray<int> seen(2);
  WhatItSees<<<1, 1>>>(seen);
  FINISH();
  int got[2];
  seen.CopyTo(got);
  Expect(got[0] == 32 && got[1] == 1, "the kernel sees the same");
  Out(got, sizeof got);
  return Verdict();
}
