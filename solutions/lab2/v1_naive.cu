// lab2 v1: naive.
//
// Why: two nested loops on the host use one core, which moves one element at a time. Here every element gets a thread
// of its own.
#include <algorithm>

#include "labs/lab2/lab2.h"

constexpr int kTile = 32;  // a block covers kTile x kTile elements, one thread each

// Lanes of a warp have consecutive threadIdx.x.
template <typename T>
__global__ void transpose_v1(const T* d_in, T* d_out, size_t rows, size_t columns) {
  // BEGIN SOLUTION
  // Rows of tiles that do not fit along y continue along z.
  const size_t tile_row = blockIdx.y + size_t{gridDim.y} * blockIdx.z;
  const size_t row = tile_row * kTile + threadIdx.y;
  const size_t column = size_t{blockIdx.x} * kTile + threadIdx.x;
  if (row < rows && column < columns) {
    // A warp reads 32 neighbours of one row, and writes 32 elements that lie `rows` apart.
    d_out[column * rows + row] = d_in[row * columns + column];
  }
  // ELSE STARTER
  //| // TODO(v1) Produce: the element in row r, column c of d_in, at row c, column r of d_out.
  //| //   Constraint: one thread moves one element. In the last blocks some threads have no element.
  //| //   Hint: compute row and column first, as size_t. Which of the two should threadIdx.x count?
  //| //   Check: ./warpgrade check lab2 v1
  // END SOLUTION
}

template <typename T>
void transpose(const T* d_in, T* d_out, size_t rows, size_t columns, cudaStream_t stream) {
  // BEGIN SOLUTION
  if (rows == 0 || columns == 0) return;
  const size_t tiles_across = (columns + kTile - 1) / kTile;
  const size_t tiles_down = (rows + kTile - 1) / kTile;
  const size_t layers = (tiles_down + lab2::kMaxGridY - 1) / lab2::kMaxGridY;
  const dim3 block(kTile, kTile);
  const dim3 grid(static_cast<unsigned>(tiles_across), static_cast<unsigned>(std::min(tiles_down, lab2::kMaxGridY)),
                  static_cast<unsigned>(layers));
  transpose_v1<<<grid, block, 0, stream>>>(d_in, d_out, rows, columns);
  // ELSE STARTER
  //| NOT_WRITTEN_YET();
  //| // TODO(v1) Produce: a launch of transpose_v1 on `stream` whose blocks cover every element.
  //| //   Constraint: do not launch for an empty matrix. At most lab2::kMaxGridY blocks along y, for any number of
  //| //     rows.
  //| //   Hint: round up when you count tiles. Blocks that do not fit along y can continue along z.
  //| //   Check: ./warpgrade check lab2 v1
  //| const dim3 block(kTile, kTile);
  //| const dim3 grid(1);
  //| transpose_v1<<<grid, block, 0, stream>>>(d_in, d_out, rows, columns);
  // END SOLUTION
}

LAB2_INSTANTIATE();
