// Page-locked host memory: allocated with flags, and registered after the fact.
#include "feature.h"

__global__ void AddOne(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += 1;
}

int main() {
  constexpr int kCount = 8192, kBytes = kCount * sizeof(int);
  int* pinned = nullptr;
  CHECK(cudaHostAlloc(&pinned, kBytes, cudaHostAllocPortable));
  unsigned flags = 0;
  CHECK(cudaHostGetFlags(&flags, pinned));
  Expect((flags & cudaHostAllocPortable) != 0, "the flags that were asked for");
  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, pinned));
  Expect(attributes.type == cudaMemoryTypeHost, "pinned memory is host memory");

  int* registered = static_cast<int*>(std::aligned_alloc(4096, kBytes));
  CHECK(cudaHostRegister(registered, kBytes, cudaHostRegisterDefault));
  static int want[kCount];
  for (int i = 0; i < kCount; ++i) {
    pinned[i] = 3 * i;
    want[i] = 3 * i + 1;
  }
  DeviceArray<int> values(kCount);
  CHECK(cudaPointerGetAttributes(&attributes, values.get()));
  Expect(attributes.type == cudaMemoryTypeDevice, "cudaMalloc gives device memory");
  CHECK(cudaMemcpyAsync(values, pinned, kBytes, cudaMemcpyHostToDevice));
  AddOne<<<kCount / 256, 256>>>(values, kCount);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpyAsync(registered, values, kBytes, cudaMemcpyDeviceToHost));
  CHECK(cudaDeviceSynchronize());
  ExpectSame("registered", registered, want, kCount);
  Out(registered, kBytes);
  CHECK(cudaHostUnregister(registered));
  std::free(registered);
  CHECK(cudaFreeHost(pinned));
  return Verdict();
}
