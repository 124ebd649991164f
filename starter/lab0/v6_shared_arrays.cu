// Generated from solutions/lab0/v6_shared_arrays.cu by `warpgrade make-starter`; yours to edit.
// lab0 v6: three arrays in dynamic shared memory.
//
// The fault of following links in global memory: they jump about, so that the 32 lanes of a warp touch up to 32 sectors
// with each load. A segment fits into shared memory, where they may jump. Its length is known when the kernel is
// launched and no sooner, so the memory is dynamic: one piece without a type, which the kernel cuts into arrays itself.
#include <cuda_runtime.h>

#include "labs/lab0/lab0.h"

constexpr unsigned kBlock = 256;

// Bytes of shared memory for one element: a value, a link and a flag.
[[maybe_unused]] constexpr size_t kElementBytes = sizeof(double) + sizeof(uint16_t) + sizeof(uint8_t);

// One block for each segment. Dynamic shared memory: segment * kElementBytes, for all three arrays.
__global__ void two_links_on_v6(const uint8_t* d_flag, const uint16_t* d_next, const double* d_value, double* d_out,
                                size_t n, size_t segment) {
  extern __shared__ double shared[];
  // TODO(v6) Produce: d_out for this block's segment.
  //   Constraint: global memory is read once, in order. A segment may be longer than the block, odd, or short.
  //   Hint: where does each of the arrays start in shared memory, and may its elements start there?
  //   Check: ./warpgrade check lab0 v6
  d_out[0] = shared[0];
}

void two_links_on(const uint8_t* d_flag, const uint16_t* d_next, const double* d_value, double* d_out, size_t n,
                  size_t segment, cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v6) Produce: a launch on `stream` with one block for each segment.
  //   Constraint: n = 0 is no launch. The third argument between <<< and >>> is the block's dynamic shared memory.
  //   Hint: how many bytes do three arrays of `segment` elements need?
  //   Check: ./warpgrade check lab0 v6
  two_links_on_v6<<<1, kBlock, 0, stream>>>(d_flag, d_next, d_value, d_out, n, segment);
}

LAB0_LINKS_RUNG();
