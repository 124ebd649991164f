// A wrong answer to lab2 v4_unrolled, for tests/course: the bounds of a thread's first element are taken for those of
// all four.
#include <algorithm>

#include "labs/lab2/lab2.h"

constexpr int kTile = 32;       // a block moves one tile of kTile x kTile elements
constexpr int kThreadRows = 8;  // with kTile x kThreadRows threads

template <typename T>
__global__ void transpose_v4(const T* d_in, T* d_out, size_t rows, size_t columns) {
  constexpr int kPerThread = kTile / kThreadRows;  // elements per thread, kThreadRows rows apart
  __shared__ T tile[kTile][kTile + 1];

  // Neighbouring blocks run at the same time. Counted down the rows of d_in, they write neighbouring pieces of the same
  // rows of d_out, and device memory likes long pieces better for writes than for reads. Columns of tiles that do not
  // fit along y continue along z.
  const size_t tile_row = blockIdx.x;
  const size_t tile_column = blockIdx.y + size_t{gridDim.y} * blockIdx.z;

  // All loads first, so that they are in flight together; then the tile.
  const size_t row = tile_row * kTile + threadIdx.y;
  const size_t column = tile_column * kTile + threadIdx.x;
  const T* from = d_in + row * columns + column;
  T held[kPerThread] = {};
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    if (row < rows && column < columns) held[k] = from[k * kThreadRows * columns];
  }
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    tile[threadIdx.y + k * kThreadRows][threadIdx.x] = held[k];
  }

  // The elements that a thread takes out of the tile were put there by other warps.
  __syncthreads();

  const size_t out_row = tile_column * kTile + threadIdx.y;
  const size_t out_column = tile_row * kTile + threadIdx.x;
  T* to = d_out + out_row * rows + out_column;
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    if (out_row < columns && out_column < rows) {
      to[k * kThreadRows * rows] = tile[threadIdx.x][threadIdx.y + k * kThreadRows];
    }
  }
}

template <typename T>
void transpose(const T* d_in, T* d_out, size_t rows, size_t columns, cudaStream_t stream) {
  if (rows == 0 || columns == 0) return;
  const size_t tiles_across = (columns + kTile - 1) / kTile;
  const size_t tiles_down = (rows + kTile - 1) / kTile;
  const size_t layers = (tiles_across + lab2::kMaxGridY - 1) / lab2::kMaxGridY;
  const dim3 block(kTile, kThreadRows);
  const dim3 grid(static_cast<unsigned>(tiles_down), static_cast<unsigned>(std::min(tiles_across, lab2::kMaxGridY)),
                  static_cast<unsigned>(layers));
  transpose_v4<<<grid, block, 0, stream>>>(d_in, d_out, rows, columns);
}

LAB2_INSTANTIATE();
