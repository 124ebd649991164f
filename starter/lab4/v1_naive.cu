// Generated from solutions/lab4/v1_naive.cu by `warpgrade make-starter`; yours to edit.
// lab4 v1: naive.
//
// The weakness of the loop on the CPU: it computes one element after the other, although no element needs another one.
// Here each element has its own thread.
#include "labs/lab4/lab4.h"

constexpr int kBlock = 256;  // threads of a block, and elements of d_out that it computes

__global__ void convolve_v1(const float* d_in, const float* d_mask, float* d_out, size_t n, int mask_width) {
  // TODO(v1) Produce: element i of d_out, the sum of the products in lab4.h. Each thread computes one element.
  //   Constraint: any n, and any odd mask_width. Never read a ghost; it adds nothing.
  //   Hint: for j = 0 the mask covers an element to the left of i. How far to the left?
  //   Check: ./warpgrade check lab4 v1
}

void convolve_1d(const float* d_in, const float* d_mask, float* d_out, size_t n, int mask_width, cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v1) Produce: a launch of convolve_v1 on `stream` whose blocks cover every element of d_out.
  //   Constraint: launch nothing when n is 0: CUDA refuses a grid of 0 blocks.
  //   Hint: the last block may have more threads than there are elements left.
  //   Check: ./warpgrade check lab4 v1
  const unsigned blocks = 1;
  convolve_v1<<<blocks, kBlock, 0, stream>>>(d_in, d_mask, d_out, n, mask_width);
}

LAB4_LINE_RUNG();
