// A wrong answer to lab0 v3, for tests/course: a launch for each small piece of the arrays.
#include <cuda_runtime.h>

#include <cstring>

#include "labs/lab0/lab0.h"

constexpr unsigned kBlock = 256;

// The kernel of v1: it does not see where its arrays live.
__global__ void vector_add_v3(const float* a, const float* b, float* c, size_t n) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

int vector_add(const float* h_a, const float* h_b, float* h_c, size_t n) {
  if (n == 0) return cudaSuccess;
  const size_t bytes = n * sizeof(float);
  float *a = nullptr, *b = nullptr, *c = nullptr;
  cudaError_t error = cudaMallocManaged(&a, bytes);
  if (error == cudaSuccess) error = cudaMallocManaged(&b, bytes);
  if (error == cudaSuccess) error = cudaMallocManaged(&c, bytes);
  if (error == cudaSuccess) {
    std::memcpy(a, h_a, bytes);  // the host writes where the kernel will read
    std::memcpy(b, h_b, bytes);
    const size_t piece = (n + 19) / 20;
    for (size_t begin = 0; begin < n; begin += piece) {
      const size_t count = begin + piece < n ? piece : n - begin;
      const size_t blocks = (count + kBlock - 1) / kBlock;
      vector_add_v3<<<static_cast<unsigned>(blocks), kBlock>>>(a + begin, b + begin, c + begin, count);
    }
    error = cudaGetLastError();
  }
  // No copy waits for the kernel any more: the host has to, before it reads.
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  if (error == cudaSuccess) std::memcpy(h_c, c, bytes);
  cudaFree(c);
  cudaFree(b);
  cudaFree(a);
  return error;
}

LAB0_VECTOR_RUNG();
