// lab0 v1: vector addition with explicit copies.
//
// Why: a loop on the host uses one core, which adds one element after the other. Here every element gets a thread of
// its own. The device has its own memory. So the program copies the inputs to the device first, and copies the result
// back at the end.
#include <cuda_runtime.h>

#include "labs/lab0/lab0.h"

constexpr unsigned kBlock = 256;  // threads of a block

// d_c[i] = d_a[i] + d_b[i] for every i < n.
__global__ void vector_add_v1(const float* d_a, const float* d_b, float* d_c, size_t n) {
  // BEGIN SOLUTION
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < n) d_c[i] = d_a[i] + d_b[i];  // the last block may have more threads than elements
  // ELSE STARTER
  //| // TODO(v1) Produce: the sum of one element, by one thread.
  //| //   Constraint: exactly one thread computes each i < n. Some threads of the last block have no element.
  //| //   Hint: compute the thread's number in the grid from blockIdx.x, blockDim.x and threadIdx.x, as size_t.
  //| //   Check: ./warpgrade check lab0 v1
  // END SOLUTION
}

int vector_add(const float* h_a, const float* h_b, float* h_c, size_t n) {
  // BEGIN SOLUTION
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
    vector_add_v1<<<static_cast<unsigned>(blocks), kBlock>>>(d_a, d_b, d_c, n);
    error = cudaGetLastError();  // a launch returns nothing: ask here whether it was accepted
  }
  // This copy waits for the kernel, because both are in the same stream. It also returns an error of the kernel.
  if (error == cudaSuccess) error = cudaMemcpy(h_c, d_c, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_c);  // cudaFree does nothing for a null pointer
  cudaFree(d_b);
  cudaFree(d_a);
  return error;
  // ELSE STARTER
  //| NOT_WRITTEN_YET();
  //| // TODO(v1) Produce: h_c, with three arrays on the device. Return the first error, or cudaSuccess.
  //| //   Constraint: do not launch for n = 0. Copy each array once. Free everything, also after an error.
  //| //   Hint: continue only while error is cudaSuccess. A launch returns nothing: call cudaGetLastError() after it.
  //| //   Check: ./warpgrade check lab0 v1
  //| cudaError_t error = cudaSuccess;
  //| vector_add_v1<<<1, kBlock>>>(nullptr, nullptr, nullptr, 0);
  //| return error;
  // END SOLUTION
}

LAB0_VECTOR_RUNG();
