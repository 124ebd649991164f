// lab4 v5: a tile with its halo in shared memory.
//
// The weakness of v4: each element of the image is loaded from global memory mask_rows * mask_columns times, and each
// product needs four comparisons. A block computes 32 x 32 elements of d_out. For them it needs (32 + mask_rows - 1) x
// (32 + mask_columns - 1) elements of d_in. Here the block loads all of these once, halo included, and puts 0 into the
// tile for each ghost. So the loop over the mask needs no comparison.
//
//                 mask_columns / 2     kTile     mask_columns / 2
//                     +--+---------------------+--+
//   mask_rows / 2     |  |        halo         |  |
//                     +--+---------------------+--+
//                     |  |                     |  |
//   kTile             |  |  elements of d_out  |  |
//                     |  |                     |  |
//                     +--+---------------------+--+
//   mask_rows / 2     |  |                     |  |
//                     +--+---------------------+--+
#include "labs/lab4/lab4.h"

constexpr int kTile = 32;                          // a block has kTile x kTile threads and computes as many elements
constexpr int kSide = kTile + lab4::kMaxSide - 1;  // side of the largest tile, halo included

__constant__ float c_mask[lab4::kMaxSide * lab4::kMaxSide];  // row by row, mask_columns to a row

__global__ void convolve_v5(const float* d_in, float* d_out, size_t rows, size_t columns, int mask_rows,
                            int mask_columns) {
  __shared__ float tile[kSide][kSide];
  // BEGIN SOLUTION
  const size_t tiles_across = (columns + kTile - 1) / kTile;
  const size_t first_row = blockIdx.x / tiles_across * kTile;  // of the block's part of d_out
  const size_t first_column = blockIdx.x % tiles_across * kTile;

  // The tile's element [i][j] is in[first_row - mask_rows / 2 + i][first_column - mask_columns / 2 + j].
  for (int i = threadIdx.y; i < kTile + mask_rows - 1; i += kTile) {
    for (int j = threadIdx.x; j < kTile + mask_columns - 1; j += kTile) {
      // Before the first row it wraps around to a value above any `rows`.
      const size_t y = first_row + i - mask_rows / 2;
      const size_t x = first_column + j - mask_columns / 2;
      tile[i][j] = y < rows && x < columns ? d_in[y * columns + x] : 0;
    }
  }
  __syncthreads();  // the tile is complete before any thread reads it

  const size_t row = first_row + threadIdx.y, column = first_column + threadIdx.x;
  if (row >= rows || column >= columns) return;
  float sum = 0;
  for (int i = 0; i < mask_rows; ++i) {
    for (int j = 0; j < mask_columns; ++j) {
      sum += c_mask[i * mask_columns + j] * tile[threadIdx.y + i][threadIdx.x + j];
    }
  }
  d_out[row * columns + column] = sum;
  // ELSE STARTER
  //| // TODO(v5) Produce: what v4 produced.
  //| //   Constraint: load each element of d_in that the block needs once, into `tile`, with ghosts as 0. The loop
  //| //     over the mask reads only `tile` and c_mask.
  //| //   Hint: the tile has more elements than the block has threads. Let each thread load every kTile-th element,
  //| //     down and across.
  //| //   Check: ./warpgrade check lab4 v5
  // END SOLUTION
}

void convolve_2d(const float* d_in, const float* d_mask, float* d_out, size_t rows, size_t columns, int mask_rows,
                 int mask_columns, cudaStream_t stream) {
  // BEGIN SOLUTION
  if (rows == 0 || columns == 0) return;
  const size_t mask_bytes = mask_rows * mask_columns * sizeof(float);
  cudaMemcpyToSymbolAsync(c_mask, d_mask, mask_bytes, 0, cudaMemcpyDeviceToDevice, stream);
  const size_t tiles_down = (rows + kTile - 1) / kTile;
  const size_t tiles_across = (columns + kTile - 1) / kTile;
  const dim3 block(kTile, kTile);
  const dim3 grid(static_cast<unsigned>(tiles_down * tiles_across));
  convolve_v5<<<grid, block, 0, stream>>>(d_in, d_out, rows, columns, mask_rows, mask_columns);
  // ELSE STARTER
  //| NOT_WRITTEN_YET();
  //| // TODO(v5) Produce: the mask in c_mask, then a launch of convolve_v5, one block for each tile.
  //| //   Constraint: as in v4.
  //| //   Hint: v4's launch, with a square block.
  //| //   Check: ./warpgrade check lab4 v5
  //| const dim3 block(kTile, kTile);
  //| const dim3 grid(1);
  //| convolve_v5<<<grid, block, 0, stream>>>(d_in, d_out, rows, columns, mask_rows, mask_columns);
  // END SOLUTION
}

LAB4_IMAGE_RUNG();
