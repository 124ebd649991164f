// Generated from solutions/lab0/v6_shared_arrays.cu by `warpgrade make-starter`; yours to edit.
// lab0 v6: three arrays in dynamic shared memory.
//
// Why: each element has a link, which is the number of an element of its segment. Links jump to distant elements.
// In global memory the 32 lanes of a warp then touch up to 32 sectors with each load. A segment fits into shared
// memory, where jumps are cheap. Its length is known only at the launch, so the shared memory is dynamic: one piece of
// memory, which the kernel cuts into arrays itself.
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
  //   Constraint: read global memory once, in order. A segment may be longer than the block, odd, or short.
  //   Hint: where does each of the arrays start in shared memory, and may its elements start there?
  //   Check: ./warpgrade check lab0 v6
  d_out[0] = shared[0];
}

void two_links_on(const uint8_t* d_flag, const uint16_t* d_next, const double* d_value, double* d_out, size_t n,
                  size_t segment, cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v6) Produce: a launch on `stream` with one block for each segment.
  //   Constraint: do not launch for n = 0. The third argument of <<< >>> is the block's dynamic shared memory in
  //     bytes.
  //   Hint: how many bytes do three arrays of `segment` elements need?
  //   Check: ./warpgrade check lab0 v6
  two_links_on_v6<<<1, kBlock, 0, stream>>>(d_flag, d_next, d_value, d_out, n, segment);
}

LAB0_LINKS_RUNG();
