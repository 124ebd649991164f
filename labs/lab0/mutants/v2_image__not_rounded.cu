// A wrong answer to lab0 v2, for tests/course: the half that rounds to the nearest is missing.
#include <cuda_runtime.h>

#include "labs/lab0/lab0.h"

constexpr unsigned kBlockColumns = 32;  // a warp has 32 neighbours of one row
constexpr unsigned kBlockRows = 8;
constexpr size_t kMostBlocksAlongY = 65535;

// The grey of the pixels (row, column): column from the grid's x, and row from its y, then that row plus as many as the
// whole grid has along y, and so on.
__global__ void image_to_grey_v2(const uint8_t* d_rgb, uint8_t* d_grey, size_t rows, size_t columns) {
  const size_t column = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  const size_t first_row = blockIdx.y * size_t{blockDim.y} + threadIdx.y;
  const size_t rows_of_grid = gridDim.y * size_t{blockDim.y};
  if (column >= columns) return;
  for (size_t row = first_row; row < rows; row += rows_of_grid) {
    const size_t pixel = row * columns + column;
    const unsigned red = d_rgb[3 * pixel], green = d_rgb[3 * pixel + 1], blue = d_rgb[3 * pixel + 2];
    d_grey[pixel] = static_cast<uint8_t>((299 * red + 587 * green + 114 * blue) / 1000);
  }
}

void image_to_grey(const uint8_t* d_rgb, uint8_t* d_grey, size_t rows, size_t columns, cudaStream_t stream) {
  if (rows == 0 || columns == 0) return;
  const dim3 block(kBlockColumns, kBlockRows);
  const size_t across = (columns + kBlockColumns - 1) / kBlockColumns;
  const size_t down = (rows + kBlockRows - 1) / kBlockRows;
  const dim3 grid(static_cast<unsigned>(across),
                  static_cast<unsigned>(down < kMostBlocksAlongY ? down : kMostBlocksAlongY));
  image_to_grey_v2<<<grid, block, 0, stream>>>(d_rgb, d_grey, rows, columns);
}

LAB0_IMAGE_RUNG();
