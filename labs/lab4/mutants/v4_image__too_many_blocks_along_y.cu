// A wrong answer to lab4 v4, for tests/course: rows of blocks are counted by gridDim.y.
#include "labs/lab4/lab4.h"

constexpr int kBlockColumns = 32;  // a block has kBlockRows x kBlockColumns threads, and as many elements of d_out
constexpr int kBlockRows = 8;

__constant__ float c_mask[lab4::kMaxSide * lab4::kMaxSide];  // row by row, mask_columns to a row

// Lanes of a warp have consecutive threadIdx.x.
__global__ void convolve_v4(const float* d_in, float* d_out, size_t rows, size_t columns, int mask_rows,
                            int mask_columns) {
  // Blocks are numbered along x alone, which has room for them all: row of blocks by row of blocks.
  const size_t row = size_t{blockIdx.y} * kBlockRows + threadIdx.y;
  const size_t column = size_t{blockIdx.x} * kBlockColumns + threadIdx.x;
  if (row >= rows || column >= columns) return;

  float sum = 0;
  for (int i = 0; i < mask_rows; ++i) {
    const size_t y = row + mask_rows / 2 - i;  // before the first row it wraps around, to more than any number of rows
    if (y >= rows) continue;
    for (int j = 0; j < mask_columns; ++j) {
      const size_t x = column + mask_columns / 2 - j;
      if (x < columns) sum += c_mask[i * mask_columns + j] * d_in[y * columns + x];
    }
  }
  d_out[row * columns + column] = sum;
}

void convolve_2d(const float* d_in, const float* d_mask, float* d_out, size_t rows, size_t columns, int mask_rows,
                 int mask_columns, cudaStream_t stream) {
  if (rows == 0 || columns == 0) return;
  const size_t mask_bytes = mask_rows * mask_columns * sizeof(float);
  cudaMemcpyToSymbolAsync(c_mask, d_mask, mask_bytes, 0, cudaMemcpyDeviceToDevice, stream);
  const size_t blocks_down = (rows + kBlockRows - 1) / kBlockRows;
  const size_t blocks_across = (columns + kBlockColumns - 1) / kBlockColumns;
  const dim3 block(kBlockColumns, kBlockRows);
  const dim3 grid(static_cast<unsigned>(blocks_across), static_cast<unsigned>(blocks_down));
  convolve_v4<<<grid, block, 0, stream>>>(d_in, d_out, rows, columns, mask_rows, mask_columns);
}

LAB4_IMAGE_RUNG();
