// Generated from solutions/lab4/v6_separable.cu by `warpgrade make-starter`; yours to edit.
// lab4 v6: separable.
//
// The weakness of v5: it multiplies mask_rows * mask_columns times for each element. But if the mask is the product of
// a column and a row, mask_rows + mask_columns multiplications are enough:
//
//      sum over i of column_mask[i] * ( sum over j of row_mask[j] * in[y - r + i][x - s + j] )
//                                     '---- this sum depends only on the row y - r + i, not on y and i apart ----'
//
// The first pass convolves each row of d_in with row_mask and writes the workspace. The second pass convolves each
// column of the workspace with column_mask. Each pass has a tile in shared memory, with a halo on two sides only.
#include "labs/lab4/lab4.h"

constexpr int kTileColumns = 32;  // a block has kTileRows x kTileColumns threads
constexpr int kTileRows = 8;
constexpr int kLong = 128;                 // elements along the mask that a block computes
constexpr int kHalo = lab4::kMaxSide - 1;  // halo of the widest mask, both sides together

__constant__ float c_column_mask[lab4::kMaxSide];
__constant__ float c_row_mask[lab4::kMaxSide];

// A block computes kTileRows rows of kLong elements.
__global__ void convolve_rows_v6(const float* d_in, float* d_out, size_t rows, size_t columns, int mask_columns) {
  [[maybe_unused]] __shared__ float tile[kTileRows][kLong + kHalo];
  // TODO(v6) Produce: each row of d_in convolved with c_row_mask. The result goes to d_out, which is the
  //     workspace.
  //   Constraint: a block computes kTileRows rows of kLong elements from a tile in shared memory. The halo is
  //     left and right.
  //   Hint: let the threads with the same threadIdx.y work on one row of the tile.
  //   Check: ./warpgrade check lab4 v6
}

// A block computes kTileColumns columns of kLong elements.
__global__ void convolve_columns_v6(const float* d_in, float* d_out, size_t rows, size_t columns, int mask_rows) {
  [[maybe_unused]] __shared__ float tile[kLong + kHalo][kTileColumns];
  // TODO(v6) Produce: each column of d_in, which is the workspace, convolved with c_column_mask. The result goes
  //     to d_out.
  //   Constraint: a block computes kTileColumns columns of kLong elements from a tile. The halo is above and
  //     below.
  //   Hint: the lanes of a warp still lie along a row, in the tile and in the image.
  //   Check: ./warpgrade check lab4 v6
}

void convolve_separable(const float* d_in, const float* d_column_mask, const float* d_row_mask, float* d_workspace,
                        float* d_out, size_t rows, size_t columns, int mask_rows, int mask_columns,
                        cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v6) Produce: both masks in constant memory, then the two kernels, all on `stream`.
  //   Constraint: launch nothing for an empty image. Any number of rows and columns.
  //   Hint: the blocks of both kernels have the same shape, but the numbers of blocks differ.
  //   Check: ./warpgrade check lab4 v6
  const dim3 block(kTileColumns, kTileRows);
  const unsigned for_rows = 1, for_columns = 1;
  convolve_rows_v6<<<for_rows, block, 0, stream>>>(d_in, d_workspace, rows, columns, mask_columns);
  convolve_columns_v6<<<for_columns, block, 0, stream>>>(d_workspace, d_out, rows, columns, mask_rows);
}

LAB4_SEPARABLE_RUNG();
