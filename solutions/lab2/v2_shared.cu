// lab2 v2: shared tile.
//
// The weakness of v1: its stores are scattered. A warp writes 32 elements that are `rows` elements apart. So each store
// touches 32 sectors of 32 bytes, but 4 sectors could hold the same data. Shared memory has no sectors: transpose
// the tile there, and read and write device memory along its rows.
#include <algorithm>

#include "labs/lab2/lab2.h"

constexpr int kTile = 32;  // a block moves one tile of kTile x kTile elements, one thread each

template <typename T>
__global__ void transpose_v2(const T* d_in, T* d_out, size_t rows, size_t columns) {
  // BEGIN SOLUTION
  __shared__ T tile[kTile][kTile];

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

  // In d_out, the tile's coordinates are swapped. threadIdx.x runs along a row again, this time along a row of d_out.
  const size_t out_row = tile_column * kTile + threadIdx.y;
  const size_t out_column = tile_row * kTile + threadIdx.x;
  if (out_row < columns && out_column < rows) {
    d_out[out_row * rows + out_column] = tile[threadIdx.x][threadIdx.y];
  }
  // ELSE STARTER
  //| // TODO(v2) Produce: what v1 produced, through a tile in __shared__ memory.
  //| //   Constraint: one element per thread. The lanes of a warp read neighbours in a row of d_in, and write
  //| //     neighbours in a row of d_out. There are partial tiles on the right and at the bottom.
  //| //   Hint: a thread may take out another element than it put into the tile. Who has to wait for whom?
  //| //   Check: ./warpgrade check lab2 v2
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
  transpose_v2<<<grid, block, 0, stream>>>(d_in, d_out, rows, columns);
  // ELSE STARTER
  //| NOT_WRITTEN_YET();
  //| // TODO(v2) Produce: a launch of transpose_v2 on `stream`, one block for each tile.
  //| //   Constraint: as in v1: do not launch for an empty matrix; any number of rows.
  //| //   Hint: the launch of v1 fits.
  //| //   Check: ./warpgrade check lab2 v2
  //| const dim3 block(kTile, kTile);
  //| const dim3 grid(1);
  //| transpose_v2<<<grid, block, 0, stream>>>(d_in, d_out, rows, columns);
  // END SOLUTION
}

LAB2_INSTANTIATE();
