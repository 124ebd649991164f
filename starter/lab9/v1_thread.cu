// Generated from solutions/lab9/v1_thread.cu by `warpgrade make-starter`; yours to edit.
// lab9 v1: a thread for each row.
//
// The weakness of a loop on the host: one core adds up one row after the other. Rows do not depend on each other, so
// here every row has a thread. The thread adds up the row's products in a register, and stores the sum once.
#include "labs/lab9/lab9.h"

constexpr int kThreads = 256;  // threads of a block; each has one row

__global__ void spmv_v1(const int* d_offsets, const int* d_columns, const float* d_values, const float* d_x, float* d_y,
                        int rows) {
  // TODO(v1) Produce: in d_y[row], the sum over all nonzeros of the row, where row is the number of this thread in
  //     the grid.
  //   Constraint: one thread for each row; d_y is stored once for each row, also for an empty one.
  //   Hint: the nonzeros of the row begin at d_offsets[row]. Where do they end?
  //   Check: ./warpgrade check lab9 v1
}

void spmv(const int* d_offsets, const int* d_columns, const float* d_values, const float* d_x, float* d_y, int rows,
          int columns, int nonzeros, cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v1) Produce: a launch of spmv_v1 with a thread for each row, on `stream`.
  //   Constraint: without rows, launch no kernel.
  //   Hint: round up the number of blocks.
  //   Check: ./warpgrade check lab9 v1
  spmv_v1<<<1, kThreads, 0, stream>>>(d_offsets, d_columns, d_values, d_x, d_y, rows);
}

LAB9_RUNG();
