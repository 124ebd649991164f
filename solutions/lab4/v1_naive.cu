// lab4 v1: naive.
//
// The weakness of the loop on the CPU: it computes one element after the other, although no element needs another one.
// Here each element has its own thread.
#include "labs/lab4/lab4.h"

constexpr int kBlock = 256;  // threads of a block, and elements of d_out that it computes

__global__ void convolve_v1(const float* d_in, const float* d_mask, float* d_out, size_t n, int mask_width) {
  // BEGIN SOLUTION
  const size_t i = size_t{blockIdx.x} * kBlock + threadIdx.x;
  if (i >= n) return;
  const int radius = mask_width / 2;
  float sum = 0;
  for (int j = 0; j < mask_width; ++j) {
    const size_t at = i + j - radius;  // before the first element it wraps around to a value above any n
    if (at < n) sum += d_mask[j] * d_in[at];
  }
  d_out[i] = sum;
  // ELSE STARTER
  //| // TODO(v1) Produce: element i of d_out, the sum of the products in lab4.h. Each thread computes one element.
  //| //   Constraint: any n, and any odd mask_width. Never read a ghost; it adds nothing.
  //| //   Hint: for j = 0 the mask covers an element to the left of i. How far to the left?
  //| //   Check: ./warpgrade check lab4 v1
  // END SOLUTION
}

void convolve_1d(const float* d_in, const float* d_mask, float* d_out, size_t n, int mask_width, cudaStream_t stream) {
  // BEGIN SOLUTION
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + kBlock - 1) / kBlock);
  convolve_v1<<<blocks, kBlock, 0, stream>>>(d_in, d_mask, d_out, n, mask_width);
  // ELSE STARTER
  //| NOT_WRITTEN_YET();
  //| // TODO(v1) Produce: a launch of convolve_v1 on `stream` whose blocks cover every element of d_out.
  //| //   Constraint: launch nothing when n is 0: CUDA refuses a grid of 0 blocks.
  //| //   Hint: the last block may have more threads than there are elements left.
  //| //   Check: ./warpgrade check lab4 v1
  //| const unsigned blocks = 1;
  //| convolve_v1<<<blocks, kBlock, 0, stream>>>(d_in, d_mask, d_out, n, mask_width);
  // END SOLUTION
}

LAB4_LINE_RUNG();
