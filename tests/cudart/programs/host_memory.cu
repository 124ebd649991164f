#include <vector>

#include "expect.h"

__global__ void AddOne(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += 1;
}

// Pinned memory is reached by kernels at the host's own address.
void KernelsReachPinnedMemory() {
  const int n = 5000;
  int *values, *device_values;
  EXPECT_OK(cudaHostAlloc(&values, n * sizeof(int), cudaHostAllocMapped));
  for (int i = 0; i < n; ++i) values[i] = i;
  EXPECT_OK(cudaHostGetDevicePointer(&device_values, values, 0));
  EXPECT(device_values == values);
  AddOne<<<(n + 127) / 128, 128>>>(device_values, n);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(values[0] == 1 && values[n - 1] == n);
  unsigned flags = 0;
  EXPECT_OK(cudaHostGetFlags(&flags, values));
  EXPECT((flags & cudaHostAllocMapped) != 0);

  cudaPointerAttributes attributes;
  EXPECT_OK(cudaPointerGetAttributes(&attributes, values));
  EXPECT(attributes.type == cudaMemoryTypeHost && attributes.devicePointer == values);
  EXPECT_CODE(cudaFree(values), cudaErrorInvalidValue);
  EXPECT_OK(cudaFreeHost(values));
}

void CopiesBetweenPinnedAndDeviceMemory() {
  int *pinned, *other, *d_values;
  EXPECT_OK(cudaMallocHost(&pinned, 400));
  EXPECT_OK(cudaMallocHost(&other, 400));
  EXPECT_OK(cudaMalloc(&d_values, 400));
  for (int i = 0; i < 100; ++i) pinned[i] = i;
  EXPECT_OK(cudaMemcpyAsync(d_values, pinned, 400, cudaMemcpyHostToDevice, nullptr));
  EXPECT_OK(cudaMemcpyAsync(other, d_values, 400, cudaMemcpyDeviceToHost, nullptr));
  EXPECT_OK(cudaStreamSynchronize(nullptr));
  EXPECT(other[99] == 99);
  EXPECT_OK(cudaMemcpy(other, pinned, 400, cudaMemcpyHostToHost));
  EXPECT_CODE(cudaMemcpy(d_values, pinned, 404, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_OK(cudaFreeHost(pinned));
  EXPECT_OK(cudaFreeHost(other));
  EXPECT_OK(cudaFree(d_values));
}

void KernelsReachRegisteredMemory() {
  std::vector<int> values(3000, 1);
  int* device_values;
  EXPECT_CODE(cudaHostGetDevicePointer(&device_values, values.data(), 0), cudaErrorInvalidValue);
  EXPECT_OK(cudaHostRegister(values.data(), values.size() * sizeof(int), cudaHostRegisterMapped));
  EXPECT_CODE(cudaHostRegister(&values[10], 4, 0), cudaErrorHostMemoryAlreadyRegistered);
  EXPECT_OK(cudaHostGetDevicePointer(&device_values, &values[1000], 0));
  AddOne<<<16, 128>>>(device_values, 2000);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(values[999] == 1 && values[1000] == 2 && values[2999] == 2);
  values[1000] = 50;
  AddOne<<<1, 1>>>(device_values, 1);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(values[1000] == 51);
  EXPECT_OK(cudaHostUnregister(values.data()));
  EXPECT_CODE(cudaHostUnregister(values.data()), cudaErrorHostMemoryNotRegistered);
}

int main() {
  KernelsReachPinnedMemory();
  CopiesBetweenPinnedAndDeviceMemory();
  KernelsReachRegisteredMemory();
  return Failures();
}
