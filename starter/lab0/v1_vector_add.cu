// Generated from solutions/lab0/v1_vector_add.cu by `warpgrade make-starter`; yours to edit.
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
  // TODO(v1) Produce: the sum of one element, by one thread.
  //   Constraint: exactly one thread computes each i < n. Some threads of the last block have no element.
  //   Hint: compute the thread's number in the grid from blockIdx.x, blockDim.x and threadIdx.x, as size_t.
  //   Check: ./warpgrade check lab0 v1
}

int vector_add(const float* h_a, const float* h_b, float* h_c, size_t n) {
  NOT_WRITTEN_YET();
  // TODO(v1) Produce: h_c, with three arrays on the device. Return the first error, or cudaSuccess.
  //   Constraint: do not launch for n = 0. Copy each array once. Free everything, also after an error.
  //   Hint: continue only while error is cudaSuccess. A launch returns nothing: call cudaGetLastError() after it.
  //   Check: ./warpgrade check lab0 v1
  cudaError_t error = cudaSuccess;
  vector_add_v1<<<1, kBlock>>>(nullptr, nullptr, nullptr, 0);
  return error;
}

LAB0_VECTOR_RUNG();
