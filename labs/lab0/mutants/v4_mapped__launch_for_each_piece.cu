// A wrong answer to lab0 v4, for tests/course: a launch for each small piece of the arrays.
#include <cuda_runtime.h>

#include <cstring>

#include "labs/lab0/lab0.h"

constexpr unsigned kBlock = 256;

// The kernel of v1, with pointers to host memory as the device sees it.
__global__ void vector_add_v4(const float* d_a, const float* d_b, float* d_c, size_t n) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < n) d_c[i] = d_a[i] + d_b[i];
}

static cudaError_t AllocateMapped(float** host, float** device, size_t n) {
  cudaError_t error = cudaHostAlloc(host, n * sizeof(float), cudaHostAllocMapped);
  if (error == cudaSuccess) error = cudaHostGetDevicePointer(device, *host, 0);
  return error;
}

int vector_add(const float* h_a, const float* h_b, float* h_c, size_t n) {
  if (n == 0) return cudaSuccess;
  float *a = nullptr, *b = nullptr, *c = nullptr;        // for the host
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;  // the same memory, for the device
  cudaError_t error = AllocateMapped(&a, &d_a, n);
  if (error == cudaSuccess) error = AllocateMapped(&b, &d_b, n);
  if (error == cudaSuccess) error = AllocateMapped(&c, &d_c, n);
  if (error == cudaSuccess) {
    std::memcpy(a, h_a, n * sizeof(float));
    std::memcpy(b, h_b, n * sizeof(float));
    const size_t piece = (n + 19) / 20;
    for (size_t begin = 0; begin < n; begin += piece) {
      const size_t count = begin + piece < n ? piece : n - begin;
      const size_t blocks = (count + kBlock - 1) / kBlock;
      vector_add_v4<<<static_cast<unsigned>(blocks), kBlock>>>(d_a + begin, d_b + begin, d_c + begin, count);
    }
    error = cudaGetLastError();
  }
  // What the kernel stores is sure to be in host memory when the device is idle, not before.
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  if (error == cudaSuccess) std::memcpy(h_c, c, n * sizeof(float));
  cudaFreeHost(c);
  cudaFreeHost(b);
  cudaFreeHost(a);
  return error;
}

LAB0_VECTOR_RUNG();
