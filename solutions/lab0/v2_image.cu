// lab0 v2: an image.
//
// Why: v1 numbers elements in one dimension, but a pixel has a row and a column. A grid of two dimensions gives each
// thread both. You choose whether threadIdx.x counts columns or rows. This decides how far apart the lanes of a warp
// read.
#include <cuda_runtime.h>

#include "labs/lab0/lab0.h"

constexpr unsigned kBlockColumns = 32;  // a warp has 32 neighbours of one row
constexpr unsigned kBlockRows = 8;
constexpr size_t kMostBlocksAlongY = 65535;

// Computes the grey of several pixels per thread. The column comes from the grid's x. The first row comes from the
// grid's y. Each further row is as many rows down as the whole grid has along y.
__global__ void image_to_grey_v2(const uint8_t* d_rgb, uint8_t* d_grey, size_t rows, size_t columns) {
  // BEGIN SOLUTION
  const size_t column = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  const size_t first_row = blockIdx.y * size_t{blockDim.y} + threadIdx.y;
  const size_t rows_of_grid = gridDim.y * size_t{blockDim.y};
  if (column >= columns) return;
  for (size_t row = first_row; row < rows; row += rows_of_grid) {
    const size_t pixel = row * columns + column;
    const unsigned red = d_rgb[3 * pixel], green = d_rgb[3 * pixel + 1], blue = d_rgb[3 * pixel + 2];
    d_grey[pixel] = static_cast<uint8_t>((299 * red + 587 * green + 114 * blue + 500) / 1000);
  }
  // ELSE STARTER
  //| // TODO(v2) Produce: d_grey for this thread's pixels, as lab0.h states it.
  //| //   Constraint: threads that are neighbours along x have neighbouring columns. The image may have more rows
  //| //     than the grid.
  //| //   Hint: compute row and column first, then the pixel's number, then where its three bytes start.
  //| //   Check: ./warpgrade check lab0 v2
  // END SOLUTION
}

void image_to_grey(const uint8_t* d_rgb, uint8_t* d_grey, size_t rows, size_t columns, cudaStream_t stream) {
  // BEGIN SOLUTION
  if (rows == 0 || columns == 0) return;
  const dim3 block(kBlockColumns, kBlockRows);
  const size_t across = (columns + kBlockColumns - 1) / kBlockColumns;
  const size_t down = (rows + kBlockRows - 1) / kBlockRows;
  const dim3 grid(static_cast<unsigned>(across),
                  static_cast<unsigned>(down < kMostBlocksAlongY ? down : kMostBlocksAlongY));
  image_to_grey_v2<<<grid, block, 0, stream>>>(d_rgb, d_grey, rows, columns);
  // ELSE STARTER
  //| NOT_WRITTEN_YET();
  //| // TODO(v2) Produce: a launch of image_to_grey_v2 on `stream` whose threads reach every pixel.
  //| //   Constraint: without pixels do not launch. Use at most kMostBlocksAlongY blocks along y.
  //| //   Hint: round up the number of blocks along x and along y separately.
  //| //   Check: ./warpgrade check lab0 v2
  //| const dim3 block(kBlockColumns, kBlockRows);
  //| const dim3 grid(1, 1);
  //| image_to_grey_v2<<<grid, block, 0, stream>>>(d_rgb, d_grey, rows, columns);
  // END SOLUTION
}

LAB0_IMAGE_RUNG();
