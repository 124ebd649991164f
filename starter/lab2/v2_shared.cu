// Generated from solutions/lab2/v2_shared.cu by `warpgrade make-starter`; yours to edit.
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
  // TODO(v2) Produce: what v1 produced, through a tile in __shared__ memory.
  //   Constraint: one element per thread. The lanes of a warp read neighbours in a row of d_in, and write
  //     neighbours in a row of d_out. There are partial tiles on the right and at the bottom.
  //   Hint: a thread may take out another element than it put into the tile. Who has to wait for whom?
  //   Check: ./warpgrade check lab2 v2
}

template <typename T>
void transpose(const T* d_in, T* d_out, size_t rows, size_t columns, cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v2) Produce: a launch of transpose_v2 on `stream`, one block for each tile.
  //   Constraint: as in v1: do not launch for an empty matrix; any number of rows.
  //   Hint: the launch of v1 fits.
  //   Check: ./warpgrade check lab2 v2
  const dim3 block(kTile, kTile);
  const dim3 grid(1);
  transpose_v2<<<grid, block, 0, stream>>>(d_in, d_out, rows, columns);
}

LAB2_INSTANTIATE();
