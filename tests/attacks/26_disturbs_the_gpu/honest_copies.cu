// Copies, adds and copies back, and is quiet between the calls.
#include <cuda_runtime.h>

#include "labs/lab0/lab0.h"

__global__ void vector_add_v1(const float* d_a, const float* d_b, float* d_c, size_t n) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < n) d_c[i] = d_a[i] + d_b[i];
}

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
    vector_add_v1<<<static_cast<unsigned>((n + 255) / 256), 256>>>(d_a, d_b, d_c, n);
    error = cudaGetLastError();
  }
  if (error == cudaSuccess) error = cudaMemcpy(h_c, d_c, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_c);
  cudaFree(d_b);
  cudaFree(d_a);
  return error;
}

LAB0_VECTOR_RUNG();
