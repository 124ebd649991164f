// lab6 v3: rolling down in registers.
//
// The weaknesses of v2: every element goes from device memory into shared memory, and from there nine times into a
// register. A thread computes only one element, and the whole block waits at a barrier. But of the nine elements that
// the next row needs, the thread already has six. So here a thread goes down a column:
//
//      row r - 1    a a a             b b b      the row "here" becomes "above", the row "below" becomes "here",
//      row r        b b b     ->      c c c      and one new row is loaded
//      row r + 1    c c c             d d d
//
// The neighbours in the row are in the registers of the neighbouring lanes. So shuffles replace shared memory and the
// barrier. The first and the last lane of a warp have a neighbour on one side only. They load for the others and
// compute nothing:
//
//      lane     0   1   2  ...  30  31
//      loads    x   x   x  ...   x   x       32 columns
//      writes   -   x   x  ...   x   -       30 columns: a strip
#include "labs/lab6/lab6.h"

constexpr int kWarps = 4;       // warps of a block; each has its own strip
constexpr int kStrip = 30;      // columns that a warp writes
constexpr int kRows = 32;       // rows that it marches down
constexpr unsigned kAll = ~0u;  // the mask of all 32 lanes
// BEGIN SOLUTION

// An element and its neighbours to the left and to the right.
struct Three {
  float left, middle, right;
};

// REQUIRES: all 32 lanes of the warp call it together.
__device__ Three WithNeighbours(float middle) {
  return {__shfl_up_sync(kAll, middle, 1), middle, __shfl_down_sync(kAll, middle, 1)};
}
// ELSE STARTER
// END SOLUTION

// One step, from d_in to d_out. kPoints is 5 or 9.
template <int kPoints>
__global__ void stencil_v3(const float* d_in, float* d_out, size_t rows, size_t columns, lab6::Weights weights) {
  // BEGIN SOLUTION
  // All blocks are numbered along x: kWarps strips side by side, then the same strips kRows further down.
  const size_t strips = (columns + kStrip - 1) / kStrip;
  const size_t blocks_across = (strips + kWarps - 1) / kWarps;
  const size_t strip = blockIdx.x % blocks_across * kWarps + threadIdx.x / 32;
  const size_t first_row = blockIdx.x / blocks_across * kRows;
  const size_t last_row = first_row + kRows < rows ? first_row + kRows : rows;  // one past the last row
  if (strip >= strips) return;                                                  // the whole warp leaves
  const int lane = threadIdx.x % 32;
  const size_t column = strip * kStrip + lane - 1;  // before column 0 it wraps around to a large number
  const bool exists = column < columns;
  const bool writes = exists && lane >= 1 && lane <= kStrip;
  const auto load = [&](size_t row) { return exists && row < rows ? d_in[row * columns + column] : 0; };

  Three above = WithNeighbours(load(first_row - 1)), here = WithNeighbours(load(first_row));
  // All lanes have the same rows, so that they meet in the shuffles.
  for (size_t row = first_row; row < last_row; ++row) {
    const Three below = WithNeighbours(load(row + 1));
    float sum = weights.at[0][1] * above.middle + weights.at[1][0] * here.left + weights.at[1][1] * here.middle +
                weights.at[1][2] * here.right + weights.at[2][1] * below.middle;
    if (kPoints == 9) {
      sum += weights.at[0][0] * above.left + weights.at[0][2] * above.right + weights.at[2][0] * below.left +
             weights.at[2][2] * below.right;
    }
    const bool in_ring = row == 0 || row == rows - 1 || column == 0 || column == columns - 1;
    if (writes) d_out[row * columns + column] = in_ring ? here.middle : sum;
    above = here;
    here = below;
  }
  // ELSE STARTER
  //| // TODO(v3) Produce: what v2 produced. Each warp computes kRows rows of a strip of kStrip columns.
  //| //   Constraint: no shared memory and no barrier. Load each element of the strip and beside it once.
  //| //   Hint: __shfl_up_sync and __shfl_down_sync read the register of a lane beside this one, if all lanes execute
  //| //     them. Which lanes load, and which of them write?
  //| //   Check: ./warpgrade check lab6 v3
  // END SOLUTION
}

void stencil(const float* d_in, float* d_out, float* d_work, size_t rows, size_t columns, int points,
             lab6::Weights weights, int steps, cudaStream_t stream) {
  // BEGIN SOLUTION
  if (rows == 0 || columns == 0) return;
  if (steps == 0) cudaMemcpyAsync(d_out, d_in, rows * columns * sizeof(float), cudaMemcpyDeviceToDevice, stream);
  const dim3 grid(static_cast<unsigned>(lab6::DivideUp(rows, kRows) * lab6::DivideUp(columns, kWarps * kStrip)));
  const float* from = d_in;
  for (int step = 0; step < steps; ++step) {
    float* const to = (steps - step) % 2 == 1 ? d_out : d_work;
    if (points == 5) {
      stencil_v3<5><<<grid, 32 * kWarps, 0, stream>>>(from, to, rows, columns, weights);
    } else {
      stencil_v3<9><<<grid, 32 * kWarps, 0, stream>>>(from, to, rows, columns, weights);
    }
    from = to;
  }
  // ELSE STARTER
  //| NOT_WRITTEN_YET();
  //| // TODO(v3) Produce: `steps` launches of stencil_v3 on `stream`, with one warp for every kRows rows of each
  //| //     strip.
  //| //   Constraint: as in v1.
  //| //   Hint: how many strips are side by side, and how many parts of kRows rows are below each other?
  //| //   Check: ./warpgrade check lab6 v3
  //| const dim3 grid(1);
  //| stencil_v3<9><<<grid, 32 * kWarps, 0, stream>>>(d_in, d_out, rows, columns, weights);
  // END SOLUTION
}

LAB6_RUNG();
