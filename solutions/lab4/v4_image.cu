// lab4 v4: two dimensions.
//
// The weakness of v3: it can only do lines. This rung is v2 for images. Each thread computes one element of the output.
// The mask is in constant memory. The image is in global memory, and each of its elements is loaded mask_rows *
// mask_columns times.
#include "labs/lab4/lab4.h"

constexpr int kBlockColumns = 32;  // a block has kBlockRows x kBlockColumns threads, and as many elements of d_out
constexpr int kBlockRows = 8;

__constant__ float c_mask[lab4::kMaxSide * lab4::kMaxSide];  // row by row, mask_columns to a row

// Lanes of a warp have consecutive threadIdx.x.
__global__ void convolve_v4(const float* d_in, float* d_out, size_t rows, size_t columns, int mask_rows,
                            int mask_columns) {
  // BEGIN SOLUTION
  // All blocks are numbered along x, which has room for them: one row of blocks after the other.
  const size_t blocks_across = (columns + kBlockColumns - 1) / kBlockColumns;
  const size_t row = blockIdx.x / blocks_across * kBlockRows + threadIdx.y;
  const size_t column = blockIdx.x % blocks_across * kBlockColumns + threadIdx.x;
  if (row >= rows || column >= columns) return;

  float sum = 0;
  for (int i = 0; i < mask_rows; ++i) {
    const size_t y = row + i - mask_rows / 2;  // before the first row it wraps around to a value above any `rows`
    if (y >= rows) continue;
    for (int j = 0; j < mask_columns; ++j) {
      const size_t x = column + j - mask_columns / 2;
      if (x < columns) sum += c_mask[i * mask_columns + j] * d_in[y * columns + x];
    }
  }
  d_out[row * columns + column] = sum;
  // ELSE STARTER
  //| // TODO(v4) Produce: out[y][x], the sum of the products in lab4.h. Each thread computes one element.
  //| //   Constraint: there are ghosts on four sides. Neighbouring lanes take neighbouring elements of a row.
  //| //   Hint: after the last element of a row comes the next row in memory. The mask does not cover that element.
  //| //   Check: ./warpgrade check lab4 v4
  // END SOLUTION
}

void convolve_2d(const float* d_in, const float* d_mask, float* d_out, size_t rows, size_t columns, int mask_rows,
                 int mask_columns, cudaStream_t stream) {
  // BEGIN SOLUTION
  if (rows == 0 || columns == 0) return;
  const size_t mask_bytes = mask_rows * mask_columns * sizeof(float);
  cudaMemcpyToSymbolAsync(c_mask, d_mask, mask_bytes, 0, cudaMemcpyDeviceToDevice, stream);
  const size_t blocks_down = (rows + kBlockRows - 1) / kBlockRows;
  const size_t blocks_across = (columns + kBlockColumns - 1) / kBlockColumns;
  const dim3 block(kBlockColumns, kBlockRows);
  const dim3 grid(static_cast<unsigned>(blocks_down * blocks_across));
  convolve_v4<<<grid, block, 0, stream>>>(d_in, d_out, rows, columns, mask_rows, mask_columns);
  // ELSE STARTER
  //| NOT_WRITTEN_YET();
  //| // TODO(v4) Produce: the mask in c_mask, then a launch of convolve_v4 whose blocks cover the image.
  //| //   Constraint: launch nothing for an empty image. There may be more rows of blocks than gridDim.y can count.
  //| //   Hint: number the blocks along x, one row of blocks after the other. A block finds its place by a division.
  //| //   Check: ./warpgrade check lab4 v4
  //| const dim3 block(kBlockColumns, kBlockRows);
  //| const dim3 grid(1);
  //| convolve_v4<<<grid, block, 0, stream>>>(d_in, d_out, rows, columns, mask_rows, mask_columns);
  // END SOLUTION
}

LAB4_IMAGE_RUNG();
