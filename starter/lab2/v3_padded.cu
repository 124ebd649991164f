// Generated from solutions/lab2/v3_padded.cu by `warpgrade make-starter`; yours to edit.
// lab2 v3: padded tile.
//
// The weakness of v2: when a warp reads a column of the tile, all 32 elements lie in the same bank of shared memory. A
// row of the tile is exactly 32 banks long. A bank serves one word in a turn, so the read takes 32 turns instead of 1.
#include <algorithm>

#include "labs/lab2/lab2.h"

constexpr int kTile = 32;  // a block moves one tile of kTile x kTile elements, one thread each

template <typename T>
__global__ void transpose_v3(const T* d_in, T* d_out, size_t rows, size_t columns) {
  // TODO(v3) Produce: v2, with a tile that has no bank conflicts, neither along its rows nor along its columns.
  //   Constraint: one element per thread, one tile per block, as in v2.
  //   Hint: element i of shared memory lies in bank i % 32 (4-byte elements). Write down the banks of a column.
  //   Check: ./warpgrade check lab2 v3
}

template <typename T>
void transpose(const T* d_in, T* d_out, size_t rows, size_t columns, cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v3) Produce: a launch of transpose_v3 on `stream`, one block for each tile.
  //   Constraint: as in v1: do not launch for an empty matrix; any number of rows.
  //   Hint: the launch of v2 fits.
  //   Check: ./warpgrade check lab2 v3
  const dim3 block(kTile, kTile);
  const dim3 grid(1);
  transpose_v3<<<grid, block, 0, stream>>>(d_in, d_out, rows, columns);
}

LAB2_INSTANTIATE();
