// Generated from solutions/lab4/v7_open_1d.cu by `warpgrade make-starter`; yours to edit.
// lab4 v7: open, one dimension. As near to the speed of a copy as you can.
//
// The fault of v3: a thread with one element of d_out loads a number from shared memory for every product, asks each
// time whether it is in the tile and in the line, and waits for its only load from global memory before it does more.
// Nothing is given here but the contract. Any kernel, any number of kernels, any block.
#include "labs/lab4/lab4.h"

__global__ void convolve_v7(const float* d_in, const float* d_mask, float* d_out, size_t n, int mask_width) {
  // TODO(v7) Produce: your fastest convolution of long lines, right for every n and every odd width all the same.
  //   Constraint: the contract in lab4.h. The grader takes the time of 2^26 elements with a mask of 31.
  //   Hint: list what v3 executes besides multiplications, and what each of them waits for.
  //   Check: ./warpgrade check lab4 v7, and on a GPU `make lab4_bench`
}

void convolve_1d(const float* d_in, const float* d_mask, float* d_out, size_t n, int mask_width, cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v7) Produce: the launch of your kernel, or of the one among your kernels that fits the mask.
  //   Constraint: on `stream`, without allocating or waiting; no element is no launch.
  //   Hint: write down what the fast kernel assumes about widths and addresses, and test just that.
  //   Check: ./warpgrade check lab4 v7
  convolve_v7<<<1, 1, 0, stream>>>(d_in, d_mask, d_out, n, mask_width);
}

LAB4_LINE_RUNG();
