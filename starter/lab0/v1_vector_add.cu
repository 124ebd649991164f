// Generated from solutions/lab0/v1_vector_add.cu by `warpgrade make-starter`; yours to edit.
// lab0 v1: vector addition with explicit copies.
//
// The fault of what came before (a loop on the host): one core adds one element after the other. Here every element
// gets a thread of its own. The device has a memory of its own, too: what the threads read has to be carried there
// first, and what they write back again.
#include <cuda_runtime.h>

#include "labs/lab0/lab0.h"

constexpr unsigned kBlock = 256;  // threads of a block

// d_c[i] = d_a[i] + d_b[i] for every i < n.
__global__ void vector_add_v1(const float* d_a, const float* d_b, float* d_c, size_t n) {
  // TODO(v1) Produce: the sum of one element, by one thread.
  //   Constraint: each i < n by exactly one thread; the last block has threads for which there is no element.
  //   Hint: the number of a thread in the whole grid comes from blockIdx.x, blockDim.x and threadIdx.x, as size_t.
  //   Check: ./warpgrade check lab0 v1
}

int vector_add(const float* h_a, const float* h_b, float* h_c, size_t n) {
  NOT_WRITTEN_YET();
  // TODO(v1) Produce: h_c, by way of three arrays on the device; the first error, or cudaSuccess.
  //   Constraint: with n = 0 nothing is launched. Each array is copied once. Whatever happened, all is freed.
  //   Hint: go on only while error is cudaSuccess. A launch returns no error: cudaGetLastError() gives it.
  //   Check: ./warpgrade check lab0 v1
  cudaError_t error = cudaSuccess;
  vector_add_v1<<<1, kBlock>>>(nullptr, nullptr, nullptr, 0);
  return error;
}

LAB0_VECTOR_RUNG();
