// Generated from solutions/lab9/v2_warp.cu by `warpgrade make-starter`; yours to edit.
// lab9 v2: a warp for each row.
//
// The weaknesses of v1: at any moment, the 32 lanes of a warp read nonzeros of 32 different rows. They lie far apart,
// so each load touches 32 sectors for 4 bytes each. And a warp works until the longest of its 32 rows is done. Here the
// 32 lanes read 32 neighbours of one row. Then each lane has a part of the sum, and shuffles add the parts up.
#include "labs/lab9/lab9.h"

constexpr int kThreads = 256;
[[maybe_unused]] constexpr int kRows = kThreads / 32;  // rows of a block; each has a warp

__global__ void spmv_v2(const int* d_offsets, const int* d_columns, const float* d_values, const float* d_x, float* d_y,
                        int rows) {
  // TODO(v2) Produce: what v1 produced, with one warp for each row.
  //   Constraint: in each step the lanes read neighbours. The sums of the lanes are added with shuffles.
  //   Hint: lane l begins at the row's nonzero number l. __shfl_down_sync brings a lane the number of a higher one.
  //   Check: ./warpgrade check lab9 v2
}

void spmv(const int* d_offsets, const int* d_columns, const float* d_values, const float* d_x, float* d_y, int rows,
          int columns, int nonzeros, cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v2) Produce: a launch of spmv_v2 with a warp for each row, on `stream`.
  //   Constraint: a block has kThreads threads.
  //   Hint: how many rows does a block have?
  //   Check: ./warpgrade check lab9 v2
  spmv_v2<<<1, kThreads, 0, stream>>>(d_offsets, d_columns, d_values, d_x, d_y, rows);
}

LAB9_RUNG();
