// Generated from solutions/lab6/v3_rolling.cu by `warpgrade make-starter`; yours to edit.
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
[[maybe_unused]] constexpr int kStrip = 30;      // columns that a warp writes
[[maybe_unused]] constexpr int kRows = 32;       // rows that it marches down
[[maybe_unused]] constexpr unsigned kAll = ~0u;  // the mask of all 32 lanes

// One step, from d_in to d_out. kPoints is 5 or 9.
template <int kPoints>
__global__ void stencil_v3(const float* d_in, float* d_out, size_t rows, size_t columns, lab6::Weights weights) {
  // TODO(v3) Produce: what v2 produced. Each warp computes kRows rows of a strip of kStrip columns.
  //   Constraint: no shared memory and no barrier. Load each element of the strip and beside it once.
  //   Hint: __shfl_up_sync and __shfl_down_sync read the register of a lane beside this one, if all lanes execute
  //     them. Which lanes load, and which of them write?
  //   Check: ./warpgrade check lab6 v3
}

void stencil(const float* d_in, float* d_out, float* d_work, size_t rows, size_t columns, int points,
             lab6::Weights weights, int steps, cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v3) Produce: `steps` launches of stencil_v3 on `stream`, with one warp for every kRows rows of each
  //     strip.
  //   Constraint: as in v1.
  //   Hint: how many strips are side by side, and how many parts of kRows rows are below each other?
  //   Check: ./warpgrade check lab6 v3
  const dim3 grid(1);
  stencil_v3<9><<<grid, 32 * kWarps, 0, stream>>>(d_in, d_out, rows, columns, weights);
}

LAB6_RUNG();
