// A wrong answer to lab2 v1_naive, for tests/course: lanes of a warp walk along a diagonal, so that neither the loads
// nor the stores are of neighbours.
#include <algorithm>

#include "labs/lab2/lab2.h"

constexpr int kTile = 32;  // a block covers kTile x kTile elements, one thread each

template <typename T>
__global__ void transpose_v1(const T* d_in, T* d_out, size_t rows, size_t columns) {
  // Rows of tiles that do not fit along y continue along z.
  const size_t tile_row = blockIdx.y + size_t{gridDim.y} * blockIdx.z;
  const size_t row = tile_row * kTile + threadIdx.x;
  const size_t column = size_t{blockIdx.x} * kTile + (threadIdx.x + threadIdx.y) % kTile;
  if (row < rows && column < columns) {
    d_out[column * rows + row] = d_in[row * columns + column];
  }
}

template <typename T>
void transpose(const T* d_in, T* d_out, size_t rows, size_t columns, cudaStream_t stream) {
  if (rows == 0 || columns == 0) return;
  const size_t tiles_across = (columns + kTile - 1) / kTile;
  const size_t tiles_down = (rows + kTile - 1) / kTile;
  const size_t layers = (tiles_down + lab2::kMaxGridY - 1) / lab2::kMaxGridY;
  const dim3 block(kTile, kTile);
  const dim3 grid(static_cast<unsigned>(tiles_across), static_cast<unsigned>(std::min(tiles_down, lab2::kMaxGridY)),
                  static_cast<unsigned>(layers));
  transpose_v1<<<grid, block, 0, stream>>>(d_in, d_out, rows, columns);
}

LAB2_INSTANTIATE();
