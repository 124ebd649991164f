// Generated from solutions/lab6/v1_naive.cu by `warpgrade make-starter`; yours to edit.
// lab6 v1: naive.
//
// The fault of what came before (loops over rows and columns on the host): one core, one element at a time. All
// elements of a step can be computed at once, since they only need those of the step before: so each gets a thread, and
// each step a kernel.
#include "labs/lab6/lab6.h"

constexpr int kBlockColumns = 32;  // a block has kBlockRows x kBlockColumns elements, one thread each
constexpr int kBlockRows = 8;

// One step, from d_in to d_out. kPoints is 5 or 9.
template <int kPoints>
__global__ void stencil_v1(const float* d_in, float* d_out, size_t rows, size_t columns, lab6::Weights weights) {
  // TODO(v1) Produce: this thread's element of d_out, one step after d_in.
  //   Constraint: the ring is copied; with 5 points the corners are not even read.
  //   Hint: name row and column first, as size_t. Which way does threadIdx.x go?
  //   Check: ./warpgrade check lab6 v1
}

void stencil(const float* d_in, float* d_out, float* d_work, size_t rows, size_t columns, int points,
             lab6::Weights weights, int steps, cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v1) Produce: `steps` launches of stencil_v1 on `stream`, each with what the one before left.
  //   Constraint: the last one writes to d_out, none of them to d_in; no step at all is a copy; an empty field is
  //     no launch.
  //   Hint: a step cannot read and write the same array. Which array does the last but one step write?
  //   Check: ./warpgrade check lab6 v1
  const dim3 block(kBlockColumns, kBlockRows);
  const dim3 grid(1);
  stencil_v1<9><<<grid, block, 0, stream>>>(d_in, d_out, rows, columns, weights);
}

LAB6_RUNG();
