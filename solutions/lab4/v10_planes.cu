// lab4 v10: a picture in three colours, in planes.
//
// The weakness of v4: it convolves one image. For the three planes of a picture in colour, it must be called three
// times, with a launch and a copy of the mask each time, and a small image does not fill the GPU. Here one launch does
// all planes: the grid has three dimensions. Its x counts columns, its y counts rows, and its z counts planes. Blocks
// of 16 x 16 divide an image of 480 x 512: the grid has 32 x 30 x 3 blocks, and no thread is idle.
//
//      d_in   [ plane 0: rows * columns | plane 1: rows * columns | plane 2: rows * columns ]
//               blockIdx.z = 0            blockIdx.z = 1            blockIdx.z = 2
#include "labs/lab4/lab4.h"

constexpr int kBlock = 16;  // a block has kBlock x kBlock threads

__constant__ float c_mask[lab4::kMaxSide * lab4::kMaxSide];  // row by row, mask_columns to a row

// Lanes of a warp have consecutive threadIdx.x.
__global__ void convolve_v10(const float* d_in, float* d_out, size_t rows, size_t columns, int mask_rows,
                             int mask_columns) {
  // BEGIN SOLUTION
  const size_t column = size_t{blockIdx.x} * kBlock + threadIdx.x;
  const size_t row = size_t{blockIdx.y} * kBlock + threadIdx.y;
  if (row >= rows || column >= columns) return;

  const size_t plane = blockIdx.z * rows * columns;  // where it begins
  float sum = 0;
  for (int i = 0; i < mask_rows; ++i) {
    const size_t y = row + i - mask_rows / 2;  // before the first row it wraps around to a value above any `rows`
    if (y >= rows) continue;                   // a ghost, also where another plane follows
    for (int j = 0; j < mask_columns; ++j) {
      const size_t x = column + j - mask_columns / 2;
      if (x < columns) sum += c_mask[i * mask_columns + j] * d_in[plane + y * columns + x];
    }
  }
  d_out[plane + row * columns + column] = sum;
  // ELSE STARTER
  //| // TODO(v10) Produce: v4's sum for one element of one plane. Each thread computes one element.
  //| //   Constraint: blockIdx.z is the plane. Its ghosts are on four sides: no element comes from another plane.
  //| //   Hint: where does plane c begin in d_in? Do the ghosts depend on the plane?
  //| //   Check: ./warpgrade check lab4 v10
  // END SOLUTION
}

void convolve_planes(const float* d_in, const float* d_mask, float* d_out, size_t planes, size_t rows, size_t columns,
                     int mask_rows, int mask_columns, cudaStream_t stream) {
  // BEGIN SOLUTION
  if (planes == 0 || rows == 0 || columns == 0) return;
  const size_t mask_bytes = mask_rows * mask_columns * sizeof(float);
  cudaMemcpyToSymbolAsync(c_mask, d_mask, mask_bytes, 0, cudaMemcpyDeviceToDevice, stream);
  const size_t blocks_across = (columns + kBlock - 1) / kBlock;
  const size_t blocks_down = (rows + kBlock - 1) / kBlock;
  const dim3 block(kBlock, kBlock);
  const dim3 grid(static_cast<unsigned>(blocks_across), static_cast<unsigned>(blocks_down),
                  static_cast<unsigned>(planes));
  convolve_v10<<<grid, block, 0, stream>>>(d_in, d_out, rows, columns, mask_rows, mask_columns);
  // ELSE STARTER
  //| NOT_WRITTEN_YET();
  //| // TODO(v10) Produce: the mask in c_mask, then one launch of convolve_v10 whose blocks cover all planes.
  //| //   Constraint: a grid of three dimensions: columns along x, rows along y, planes along z. Launch nothing if
  //| //     there are no elements.
  //| //   Hint: round up the number of blocks along x and along y separately. Which dimension needs no rounding?
  //| //   Check: ./warpgrade check lab4 v10
  //| const dim3 block(kBlock, kBlock);
  //| const dim3 grid(1, 1, 1);
  //| convolve_v10<<<grid, block, 0, stream>>>(d_in, d_out, rows, columns, mask_rows, mask_columns);
  // END SOLUTION
}

LAB4_PLANES_RUNG();
