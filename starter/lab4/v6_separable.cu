// Generated from solutions/lab4/v6_separable.cu by `warpgrade make-starter`; yours to edit.
// lab4 v6: separable.
//
// The fault of v5: it multiplies mask_rows * mask_columns times for each element, although a mask that is the product
// of a column and a row needs no more than mask_rows + mask_columns:
//
//      sum over i of column_mask[i] * ( sum over j of row_mask[j] * in[y + r - i][x + s - j] )
//                                     '---------------- the same for all i: y + r - i is a row ----------------'
//
// The first pass convolves each row with row_mask, into the workspace; the second convolves each column of that with
// column_mask. Each has a tile with its halo in shared memory, on two sides only.
#include "labs/lab4/lab4.h"

constexpr int kTileColumns = 32;  // a block has kTileRows x kTileColumns threads
constexpr int kTileRows = 8;
constexpr int kLong = 128;                 // a block has kLong elements along the mask, kLong / (its side) a thread
constexpr int kHalo = lab4::kMaxSide - 1;  // of the widest mask, both sides together

__constant__ float c_column_mask[lab4::kMaxSide];
__constant__ float c_row_mask[lab4::kMaxSide];

// A block has kTileRows rows of kLong elements.
__global__ void convolve_rows_v6(const float* d_in, float* d_out, size_t rows, size_t columns, int mask_columns) {
  __shared__ float tile[kTileRows][kLong + kHalo];
  // TODO(v6) Produce: each row of d_in convolved with c_row_mask, in d_out, which is the workspace.
  //   Constraint: kTileRows rows of kLong elements per block, from a tile in shared memory; halo left and right.
  //   Hint: a row of the tile belongs to the threads of one threadIdx.y.
  //   Check: ./warpgrade check lab4 v6
}

// A block has kTileColumns columns of kLong elements.
__global__ void convolve_columns_v6(const float* d_in, float* d_out, size_t rows, size_t columns, int mask_rows) {
  __shared__ float tile[kLong + kHalo][kTileColumns];
  // TODO(v6) Produce: each column of d_in, which is the workspace, convolved with c_column_mask, in d_out.
  //   Constraint: kTileColumns columns of kLong elements per block, from a tile; halo above and below.
  //   Hint: the lanes of a warp still lie along a row, in the tile as well as in the image.
  //   Check: ./warpgrade check lab4 v6
}

void convolve_separable(const float* d_in, const float* d_column_mask, const float* d_row_mask, float* d_workspace,
                        float* d_out, size_t rows, size_t columns, int mask_rows, int mask_columns,
                        cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v6) Produce: both masks in constant memory, then the two kernels, all on `stream`.
  //   Constraint: an empty image is no launch; any number of rows and columns.
  //   Hint: the two kernels have blocks of one shape, and different numbers of them.
  //   Check: ./warpgrade check lab4 v6
  const dim3 block(kTileColumns, kTileRows);
  const unsigned for_rows = 1, for_columns = 1;
  convolve_rows_v6<<<for_rows, block, 0, stream>>>(d_in, d_workspace, rows, columns, mask_columns);
  convolve_columns_v6<<<for_columns, block, 0, stream>>>(d_workspace, d_out, rows, columns, mask_rows);
}

LAB4_SEPARABLE_RUNG();
