// Generated from solutions/lab0/v3_managed.cu by `warpgrade make-starter`; yours to edit.
// lab0 v3: managed memory.
//
// The fault of v1: every array exists twice, under two names, and the program has to remember which of them is up to
// date. Managed memory has one address that host and device both use; the driver moves pages to whoever touches them.
#include <cuda_runtime.h>

#include <cstring>

#include "labs/lab0/lab0.h"

constexpr unsigned kBlock = 256;

// The kernel of v1: it does not see where its arrays live.
__global__ void vector_add_v3(const float* a, const float* b, float* c, size_t n) {
  // TODO(v3) Produce: c[i] for every i < n, as in v1.
  //   Constraint: as in v1.
  //   Hint: nothing has changed here.
  //   Check: ./warpgrade check lab0 v3
}

int vector_add(const float* h_a, const float* h_b, float* h_c, size_t n) {
  NOT_WRITTEN_YET();
  // TODO(v3) Produce: h_c, by way of three managed arrays; the first error, or cudaSuccess.
  //   Constraint: no cudaMemcpy at all. The host reads c only when the kernel is over. All is freed.
  //   Hint: std::memcpy fills and empties managed arrays. Which call waits for the device?
  //   Check: ./warpgrade check lab0 v3
  cudaError_t error = cudaSuccess;
  vector_add_v3<<<1, kBlock>>>(nullptr, nullptr, nullptr, 0);
  return error;
}

LAB0_VECTOR_RUNG();
