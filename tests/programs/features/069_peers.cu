// Peers: which devices can reach each other's memory, and a copy between devices, which may be one and the same.
#include "feature.h"

__global__ void Fill(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = Mix(i);
}

int main() {
  constexpr int kCount = 1000, kBytes = kCount * sizeof(int);
  int devices = 0, access = -1;
  CHECK(cudaGetDeviceCount(&devices));
  for (int other = 0; other < devices; ++other) {
    CHECK(cudaDeviceCanAccessPeer(&access, 0, other));
    Expect(other == 0 ? access == 0 : access == 0 || access == 1, "a device is no peer of its own");
  }
  Expect(cudaDeviceCanAccessPeer(&access, 0, devices) == cudaErrorInvalidDevice, "a peer that is not there");
  Expect(cudaDeviceEnablePeerAccess(0, 0) != cudaSuccess, "no device is enabled as its own peer");
  (void)cudaGetLastError();

  const int last = devices - 1;
  static int got[kCount], want[kCount];
  for (int i = 0; i < kCount; ++i) want[i] = static_cast<int>(Mix(i));
  DeviceArray<int> here(kCount);
  Fill<<<8, 128>>>(here, kCount);
  FINISH();
  CHECK(cudaSetDevice(last));
  int* there = nullptr;
  CHECK(cudaMalloc(&there, kBytes));
  CHECK(cudaMemcpyPeer(there, last, here, 0, kBytes));
  CHECK(cudaMemcpy(got, there, kBytes, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(there));
  CHECK(cudaSetDevice(0));
  ExpectSame("got", got, want, kCount);
  Out(got, sizeof got);
  return Verdict();
}
