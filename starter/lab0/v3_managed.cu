// Generated from solutions/lab0/v3_managed.cu by `warpgrade make-starter`; yours to edit.
// lab0 v3: managed memory.
//
// Why: in v1 every array exists twice, under two names, and the program must remember which one is up to date. Managed
// memory has one address that host and device both use. The driver moves each page to the side that touches it.
#include <cuda_runtime.h>

#include <cstring>

#include "labs/lab0/lab0.h"

constexpr unsigned kBlock = 256;

// The kernel of v1. A kernel does not know where its arrays are.
__global__ void vector_add_v3(const float* a, const float* b, float* c, size_t n) {
  // TODO(v3) Produce: c[i] for every i < n, as in v1.
  //   Constraint: as in v1.
  //   Hint: nothing has changed here.
  //   Check: ./warpgrade check lab0 v3
}

int vector_add(const float* h_a, const float* h_b, float* h_c, size_t n) {
  NOT_WRITTEN_YET();
  // TODO(v3) Produce: h_c, with three managed arrays. Return the first error, or cudaSuccess.
  //   Constraint: no cudaMemcpy. The host reads c only after the kernel has finished. Free everything.
  //   Hint: std::memcpy fills and empties managed arrays. Which call waits for the device?
  //   Check: ./warpgrade check lab0 v3
  cudaError_t error = cudaSuccess;
  vector_add_v3<<<1, kBlock>>>(nullptr, nullptr, nullptr, 0);
  return error;
}

LAB0_VECTOR_RUNG();
