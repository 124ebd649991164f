// v1 handed in as v2: each store touches 32 sectors, and nine more of the same element one each.
#include <algorithm>

#include "labs/lab2/lab2.h"

constexpr int kTile = 32;  // a block covers kTile x kTile elements, one thread each

// Lanes of a warp have consecutive threadIdx.x.
template <typename T>
__global__ void transpose_v2(const T* d_in, T* d_out, size_t rows, size_t columns) {
  // Rows of tiles that do not fit along y continue along z.
  const size_t tile_row = blockIdx.y + size_t{gridDim.y} * blockIdx.z;
  const size_t row = tile_row * kTile + threadIdx.y;
  const size_t column = size_t{blockIdx.x} * kTile + threadIdx.x;
  if (row < rows && column < columns) {
    const T value = d_in[row * columns + column];
    d_out[column * rows + row] = value;
    if (threadIdx.x != 0) return;
    volatile T* const mine = d_out + column * rows + row;
    for (int i = 0; i < 9; ++i) *mine = value;  // by one lane, so one sector each
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
  transpose_v2<<<grid, block, 0, stream>>>(d_in, d_out, rows, columns);
}

LAB2_INSTANTIATE();
