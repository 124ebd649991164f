// A wrong answer to lab4 v8, for tests/course: one element for each thread.
#include "labs/lab4/lab4.h"

constexpr int kTile = 32;                          // a block has kTile x kTile threads, and as many elements of d_out
constexpr int kSide = kTile + lab4::kMaxSide - 1;  // of the largest tile, halo included

__constant__ float c_mask[lab4::kMaxSide * lab4::kMaxSide];  // row by row, mask_columns to a row

__global__ void convolve_v5(const float* d_in, float* d_out, size_t rows, size_t columns, int mask_rows,
                            int mask_columns) {
  __shared__ float tile[kSide][kSide];
  const size_t tiles_across = (columns + kTile - 1) / kTile;
  const size_t first_row = blockIdx.x / tiles_across * kTile;  // of the block's part of d_out
  const size_t first_column = blockIdx.x % tiles_across * kTile;

  // The tile's element [i][j] is in[first_row - mask_rows / 2 + i][first_column - mask_columns / 2 + j].
  for (int i = threadIdx.y; i < kTile + mask_rows - 1; i += kTile) {
    for (int j = threadIdx.x; j < kTile + mask_columns - 1; j += kTile) {
      const size_t y = first_row + i - mask_rows / 2;  // before the first row it wraps around, to more than any number
      const size_t x = first_column + j - mask_columns / 2;
      tile[i][j] = y < rows && x < columns ? d_in[y * columns + x] : 0;
    }
  }
  __syncthreads();  // the tile is complete before anyone reads it

  const size_t row = first_row + threadIdx.y, column = first_column + threadIdx.x;
  if (row >= rows || column >= columns) return;
  float sum = 0;
  for (int i = 0; i < mask_rows; ++i) {
    for (int j = 0; j < mask_columns; ++j) {
      const int y = threadIdx.y + mask_rows - 1 - i, x = threadIdx.x + mask_columns - 1 - j;
      sum += c_mask[i * mask_columns + j] * tile[y][x];
    }
  }
  d_out[row * columns + column] = sum;
}

void convolve_2d(const float* d_in, const float* d_mask, float* d_out, size_t rows, size_t columns, int mask_rows,
                 int mask_columns, cudaStream_t stream) {
  if (rows == 0 || columns == 0) return;
  const size_t mask_bytes = mask_rows * mask_columns * sizeof(float);
  cudaMemcpyToSymbolAsync(c_mask, d_mask, mask_bytes, 0, cudaMemcpyDeviceToDevice, stream);
  const size_t tiles_down = (rows + kTile - 1) / kTile;
  const size_t tiles_across = (columns + kTile - 1) / kTile;
  const dim3 block(kTile, kTile);
  const dim3 grid(static_cast<unsigned>(tiles_down * tiles_across));
  convolve_v5<<<grid, block, 0, stream>>>(d_in, d_out, rows, columns, mask_rows, mask_columns);
}

LAB4_IMAGE_RUNG();
