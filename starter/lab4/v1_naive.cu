// Generated from solutions/lab4/v1_naive.cu by `warpgrade make-starter`; yours to edit.
// lab4 v1: naive.
//
// The fault of the loop on the CPU: it makes one element after the other, and none of them needs any other. Here each
// has a thread of its own.
#include "labs/lab4/lab4.h"

constexpr int kBlock = 256;  // threads, and elements of d_out, of a block

__global__ void convolve_v1(const float* d_in, const float* d_mask, float* d_out, size_t n, int mask_width) {
  // TODO(v1) Produce: element i of d_out, one for each thread: the sum of the products in lab4.h.
  //   Constraint: any n, and any odd mask_width; a ghost is never read and adds nothing.
  //   Hint: the mask is turned around: which way does the index into d_in move when j goes up?
  //   Check: ./warpgrade check lab4 v1
}

void convolve_1d(const float* d_in, const float* d_mask, float* d_out, size_t n, int mask_width, cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v1) Produce: a launch of convolve_v1 on `stream` whose blocks cover every element of d_out.
  //   Constraint: no element is no launch, since a grid of 0 blocks is refused.
  //   Hint: the last block may hang over.
  //   Check: ./warpgrade check lab4 v1
  const unsigned blocks = 1;
  convolve_v1<<<blocks, kBlock, 0, stream>>>(d_in, d_mask, d_out, n, mask_width);
}

LAB4_LINE_RUNG();
