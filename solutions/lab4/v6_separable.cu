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
  __shared__ float tile[kTileRows][kLong + kHalo];
  // BEGIN SOLUTION
  const size_t tiles_across = (columns + kLong - 1) / kLong;
  const size_t row = blockIdx.x / tiles_across * kTileRows + threadIdx.y;
  const size_t first_column = blockIdx.x % tiles_across * kLong;

  for (int j = threadIdx.x; j < kLong + mask_columns - 1; j += kTileColumns) {
    const size_t x = first_column + j - mask_columns / 2;  // before the first column it wraps around to a large value
    tile[threadIdx.y][j] = row < rows && x < columns ? d_in[row * columns + x] : 0;
  }
  __syncthreads();  // the tile is complete before any thread reads it

  for (int k = threadIdx.x; k < kLong; k += kTileColumns) {
    const size_t column = first_column + k;
    if (row >= rows || column >= columns) return;  // safe, because no barrier follows
    float sum = 0;
    for (int j = 0; j < mask_columns; ++j) sum += c_row_mask[j] * tile[threadIdx.y][k + j];
    d_out[row * columns + column] = sum;
  }
  // ELSE STARTER
  //| // TODO(v6) Produce: each row of d_in convolved with c_row_mask. The result goes to d_out, which is the
  //| //     workspace.
  //| //   Constraint: a block computes kTileRows rows of kLong elements from a tile in shared memory. The halo is
  //| //     left and right.
  //| //   Hint: let the threads with the same threadIdx.y work on one row of the tile.
  //| //   Check: ./warpgrade check lab4 v6
  // END SOLUTION
}

// A block computes kTileColumns columns of kLong elements.
__global__ void convolve_columns_v6(const float* d_in, float* d_out, size_t rows, size_t columns, int mask_rows) {
  __shared__ float tile[kLong + kHalo][kTileColumns];
  // BEGIN SOLUTION
  const size_t tiles_across = (columns + kTileColumns - 1) / kTileColumns;
  const size_t first_row = blockIdx.x / tiles_across * kLong;
  const size_t column = blockIdx.x % tiles_across * kTileColumns + threadIdx.x;

  for (int i = threadIdx.y; i < kLong + mask_rows - 1; i += kTileRows) {
    const size_t y = first_row + i - mask_rows / 2;  // before the first row it wraps around to a large value
    tile[i][threadIdx.x] = y < rows && column < columns ? d_in[y * columns + column] : 0;
  }
  __syncthreads();  // the tile is complete before any thread reads it

  for (int k = threadIdx.y; k < kLong; k += kTileRows) {
    const size_t row = first_row + k;
    if (row >= rows || column >= columns) return;  // safe, because no barrier follows
    float sum = 0;
    for (int i = 0; i < mask_rows; ++i) sum += c_column_mask[i] * tile[k + i][threadIdx.x];
    d_out[row * columns + column] = sum;
  }
  // ELSE STARTER
  //| // TODO(v6) Produce: each column of d_in, which is the workspace, convolved with c_column_mask. The result goes
  //| //     to d_out.
  //| //   Constraint: a block computes kTileColumns columns of kLong elements from a tile. The halo is above and
  //| //     below.
  //| //   Hint: the lanes of a warp still lie along a row, in the tile and in the image.
  //| //   Check: ./warpgrade check lab4 v6
  // END SOLUTION
}

void convolve_separable(const float* d_in, const float* d_column_mask, const float* d_row_mask, float* d_workspace,
                        float* d_out, size_t rows, size_t columns, int mask_rows, int mask_columns,
                        cudaStream_t stream) {
  // BEGIN SOLUTION
  if (rows == 0 || columns == 0) return;
  constexpr cudaMemcpyKind kKind = cudaMemcpyDeviceToDevice;
  cudaMemcpyToSymbolAsync(c_column_mask, d_column_mask, mask_rows * sizeof(float), 0, kKind, stream);
  cudaMemcpyToSymbolAsync(c_row_mask, d_row_mask, mask_columns * sizeof(float), 0, kKind, stream);

  const dim3 block(kTileColumns, kTileRows);
  const size_t for_rows = (rows + kTileRows - 1) / kTileRows * ((columns + kLong - 1) / kLong);
  const size_t for_columns = (rows + kLong - 1) / kLong * ((columns + kTileColumns - 1) / kTileColumns);
  // On one stream, the second kernel starts after the first has finished.
  convolve_rows_v6<<<static_cast<unsigned>(for_rows), block, 0, stream>>>(d_in, d_workspace, rows, columns,
                                                                          mask_columns);
  convolve_columns_v6<<<static_cast<unsigned>(for_columns), block, 0, stream>>>(d_workspace, d_out, rows, columns,
                                                                                mask_rows);
  // ELSE STARTER
  //| NOT_WRITTEN_YET();
  //| // TODO(v6) Produce: both masks in constant memory, then the two kernels, all on `stream`.
  //| //   Constraint: launch nothing for an empty image. Any number of rows and columns.
  //| //   Hint: the blocks of both kernels have the same shape, but the numbers of blocks differ.
  //| //   Check: ./warpgrade check lab4 v6
  //| const dim3 block(kTileColumns, kTileRows);
  //| const unsigned for_rows = 1, for_columns = 1;
  //| convolve_rows_v6<<<for_rows, block, 0, stream>>>(d_in, d_workspace, rows, columns, mask_columns);
  //| convolve_columns_v6<<<for_columns, block, 0, stream>>>(d_workspace, d_out, rows, columns, mask_rows);
  // END SOLUTION
}

LAB4_SEPARABLE_RUNG();
