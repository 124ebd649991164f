// lab2 v3: padded tile.
//
// The weakness of v2: when a warp reads a column of the tile, all 32 elements lie in the same bank of shared memory. A
// row of the tile is exactly 32 banks long. A bank serves one word in a turn, so the read takes 32 turns instead of 1.
#include <algorithm>

#include "labs/lab2/lab2.h"

constexpr int kTile = 32;  // a block moves one tile of kTile x kTile elements, one thread each

template <typename T>
__global__ void transpose_v3(const T* d_in, T* d_out, size_t rows, size_t columns) {
  // BEGIN SOLUTION
  // A row has one element more than the tile is wide, so that each row starts one bank after the row above it. The last
  // column is never used.
  __shared__ T tile[kTile][kTile + 1];

  // Rows of tiles that do not fit along y continue along z.
  const size_t tile_row = blockIdx.y + size_t{gridDim.y} * blockIdx.z;
  const size_t tile_column = blockIdx.x;

  const size_t row = tile_row * kTile + threadIdx.y;
  const size_t column = tile_column * kTile + threadIdx.x;
  if (row < rows && column < columns) {
    tile[threadIdx.y][threadIdx.x] = d_in[row * columns + column];
  }

  // A thread takes an element out of the tile that another warp has put there.
  __syncthreads();

  const size_t out_row = tile_column * kTile + threadIdx.y;
  const size_t out_column = tile_row * kTile + threadIdx.x;
  if (out_row < columns && out_column < rows) {
    d_out[out_row * rows + out_column] = tile[threadIdx.x][threadIdx.y];
  }
  // ELSE STARTER
  //| // TODO(v3) Produce: v2, with a tile that has no bank conflicts, neither along its rows nor along its columns.
  //| //   Constraint: one element per thread, one tile per block, as in v2.
  //| //   Hint: element i of shared memory lies in bank i % 32 (4-byte elements). Write down the banks of a column.
  //| //   Check: ./warpgrade check lab2 v3
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
  transpose_v3<<<grid, block, 0, stream>>>(d_in, d_out, rows, columns);
  // ELSE STARTER
  //| NOT_WRITTEN_YET();
  //| // TODO(v3) Produce: a launch of transpose_v3 on `stream`, one block for each tile.
  //| //   Constraint: as in v1: do not launch for an empty matrix; any number of rows.
  //| //   Hint: the launch of v2 fits.
  //| //   Check: ./warpgrade check lab2 v3
  //| const dim3 block(kTile, kTile);
  //| const dim3 grid(1);
  //| transpose_v3<<<grid, block, 0, stream>>>(d_in, d_out, rows, columns);
  // END SOLUTION
}

LAB2_INSTANTIATE();
