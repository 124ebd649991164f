// A wrong answer to lab4 v6, for tests/course: both passes read from global memory.
#include "labs/lab4/lab4.h"

constexpr int kTileColumns = 32;  // a block has kTileRows x kTileColumns threads
constexpr int kTileRows = 8;
constexpr int kLong = 128;                 // a block has kLong elements along the mask, kLong / (its side) a thread
constexpr int kHalo = lab4::kMaxSide - 1;  // of the widest mask, both sides together

__constant__ float c_column_mask[lab4::kMaxSide];
__constant__ float c_row_mask[lab4::kMaxSide];

// A block has kTileRows rows of kLong elements.
__global__ void convolve_rows_v6(const float* d_in, float* d_out, size_t rows, size_t columns, int mask_columns) {
  const size_t tiles_across = (columns + kLong - 1) / kLong;
  const size_t row = blockIdx.x / tiles_across * kTileRows + threadIdx.y;
  const size_t first_column = blockIdx.x % tiles_across * kLong;

  for (int k = threadIdx.x; k < kLong; k += kTileColumns) {
    const size_t column = first_column + k;
    if (row >= rows || column >= columns) return;  // no barrier follows
    float sum = 0;
    for (int j = 0; j < mask_columns; ++j) {
      const size_t x = column + mask_columns / 2 - j;
      if (x < columns) sum += c_row_mask[j] * d_in[row * columns + x];
    }
    d_out[row * columns + column] = sum;
  }
}

// A block has kTileColumns columns of kLong elements.
__global__ void convolve_columns_v6(const float* d_in, float* d_out, size_t rows, size_t columns, int mask_rows) {
  const size_t tiles_across = (columns + kTileColumns - 1) / kTileColumns;
  const size_t first_row = blockIdx.x / tiles_across * kLong;
  const size_t column = blockIdx.x % tiles_across * kTileColumns + threadIdx.x;

  for (int k = threadIdx.y; k < kLong; k += kTileRows) {
    const size_t row = first_row + k;
    if (row >= rows || column >= columns) return;  // no barrier follows
    float sum = 0;
    for (int i = 0; i < mask_rows; ++i) {
      const size_t y = row + mask_rows / 2 - i;
      if (y < rows) sum += c_column_mask[i] * d_in[y * columns + column];
    }
    d_out[row * columns + column] = sum;
  }
}

void convolve_separable(const float* d_in, const float* d_column_mask, const float* d_row_mask, float* d_workspace,
                        float* d_out, size_t rows, size_t columns, int mask_rows, int mask_columns,
                        cudaStream_t stream) {
  if (rows == 0 || columns == 0) return;
  constexpr cudaMemcpyKind kKind = cudaMemcpyDeviceToDevice;
  cudaMemcpyToSymbolAsync(c_column_mask, d_column_mask, mask_rows * sizeof(float), 0, kKind, stream);
  cudaMemcpyToSymbolAsync(c_row_mask, d_row_mask, mask_columns * sizeof(float), 0, kKind, stream);

  const dim3 block(kTileColumns, kTileRows);
  const size_t for_rows = (rows + kTileRows - 1) / kTileRows * ((columns + kLong - 1) / kLong);
  const size_t for_columns = (rows + kLong - 1) / kLong * ((columns + kTileColumns - 1) / kTileColumns);
  // On one stream the second kernel starts when the first has finished.
  convolve_rows_v6<<<static_cast<unsigned>(for_rows), block, 0, stream>>>(d_in, d_workspace, rows, columns,
                                                                          mask_columns);
  convolve_columns_v6<<<static_cast<unsigned>(for_columns), block, 0, stream>>>(d_workspace, d_out, rows, columns,
                                                                                mask_rows);
}

LAB4_SEPARABLE_RUNG();
