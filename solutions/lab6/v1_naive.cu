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
  // BEGIN SOLUTION
  // All blocks are numbered along x, which has room for them: one row of blocks after the other.
  const size_t blocks_across = (columns + kBlockColumns - 1) / kBlockColumns;
  const size_t row = blockIdx.x / blocks_across * kBlockRows + threadIdx.y;
  const size_t column = blockIdx.x % blocks_across * kBlockColumns + threadIdx.x;
  if (row >= rows || column >= columns) return;
  const size_t here = row * columns + column;
  if (row == 0 || row == rows - 1 || column == 0 || column == columns - 1) {
    d_out[here] = d_in[here];  // the ring keeps its values
    return;
  }
  float sum = 0;
  for (int i = 0; i < 3; ++i) {
    const float* const from = d_in + here + i * columns - columns - 1;  // the three neighbours in row + i - 1
    for (int j = 0; j < 3; ++j) {
      if (kPoints == 5 && i != 1 && j != 1) continue;  // a corner
      sum += weights.at[i][j] * from[j];
    }
  }
  d_out[here] = sum;
  // ELSE STARTER
  //| // TODO(v1) Produce: this thread's element of d_out, one step after d_in.
  //| //   Constraint: copy the ring. With 5 points, do not read the corners at all.
  //| //   Hint: name row and column first, as size_t. Does threadIdx.x go along a row or down a column?
  //| //   Check: ./warpgrade check lab6 v1
  // END SOLUTION
}

void stencil(const float* d_in, float* d_out, float* d_work, size_t rows, size_t columns, int points,
             lab6::Weights weights, int steps, cudaStream_t stream) {
  // BEGIN SOLUTION
  if (rows == 0 || columns == 0) return;
  if (steps == 0) cudaMemcpyAsync(d_out, d_in, rows * columns * sizeof(float), cudaMemcpyDeviceToDevice, stream);
  const dim3 block(kBlockColumns, kBlockRows);
  const dim3 grid(static_cast<unsigned>(lab6::DivideUp(rows, kBlockRows) * lab6::DivideUp(columns, kBlockColumns)));
  const float* from = d_in;
  for (int step = 0; step < steps; ++step) {
    // The steps write d_out and d_work in turn, so that the last one writes d_out.
    float* const to = (steps - step) % 2 == 1 ? d_out : d_work;
    if (points == 5) {
      stencil_v1<5><<<grid, block, 0, stream>>>(from, to, rows, columns, weights);
    } else {
      stencil_v1<9><<<grid, block, 0, stream>>>(from, to, rows, columns, weights);
    }
    from = to;
  }
  // ELSE STARTER
  //| NOT_WRITTEN_YET();
  //| // TODO(v1) Produce: `steps` launches of stencil_v1 on `stream`. Each reads what the launch before it wrote.
  //| //   Constraint: the last launch writes d_out, and no launch writes d_in. With 0 steps, copy the field. For an
  //| //     empty field, launch nothing.
  //| //   Hint: a step cannot read and write the same array. Which array does the step before the last one write?
  //| //   Check: ./warpgrade check lab6 v1
  //| const dim3 block(kBlockColumns, kBlockRows);
  //| const dim3 grid(1);
  //| stencil_v1<9><<<grid, block, 0, stream>>>(d_in, d_out, rows, columns, weights);
  // END SOLUTION
}

LAB6_RUNG();
