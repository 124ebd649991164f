// Generated from solutions/lab6/v1_naive.cu by `warpgrade make-starter`; yours to edit.
// lab6 v1: naive.
//
// The weakness of loops over rows and columns on the host: one core computes one element at a time. The elements of a
// step need only the elements of the step before, so all of them can be computed at the same time. Here each element
// has a thread, and each step is a kernel.
#include "labs/lab6/lab6.h"

constexpr int kBlockColumns = 32;  // a block has kBlockRows x kBlockColumns elements, one thread each
constexpr int kBlockRows = 8;

// One step, from d_in to d_out. kPoints is 5 or 9.
template <int kPoints>
__global__ void stencil_v1(const float* d_in, float* d_out, size_t rows, size_t columns, lab6::Weights weights) {
  // TODO(v1) Produce: this thread's element of d_out, one step after d_in.
  //   Constraint: copy the ring. With 5 points, do not read the corners at all.
  //   Hint: name row and column first, as size_t. Does threadIdx.x go along a row or down a column?
  //   Check: ./warpgrade check lab6 v1
}

void stencil(const float* d_in, float* d_out, float* d_work, size_t rows, size_t columns, int points,
             lab6::Weights weights, int steps, cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v1) Produce: `steps` launches of stencil_v1 on `stream`. Each reads what the launch before it wrote.
  //   Constraint: the last launch writes d_out, and no launch writes d_in. With 0 steps, copy the field. For an
  //     empty field, launch nothing.
  //   Hint: a step cannot read and write the same array. Which array does the step before the last one write?
  //   Check: ./warpgrade check lab6 v1
  const dim3 block(kBlockColumns, kBlockRows);
  const dim3 grid(1);
  stencil_v1<9><<<grid, block, 0, stream>>>(d_in, d_out, rows, columns, weights);
}

LAB6_RUNG();
