// Generated from solutions/lab2/v4_unrolled.cu by `warpgrade make-starter`; yours to edit.
// lab2 v4: several elements per thread.
//
// The fault of v3: a thread asks for one element, waits for it, and is done. Few bytes are on their way at any time,
// the 1024 threads of a block wait for one another at the barrier, and computing an address costs more than the element
// it fetches. Here a quarter of the threads moves the same tile; each asks for four elements before it waits for any.
#include <algorithm>

#include "labs/lab2/lab2.h"

constexpr int kTile = 32;       // a block moves one tile of kTile x kTile elements
constexpr int kThreadRows = 8;  // with kTile x kThreadRows threads

template <typename T>
__global__ void transpose_v4(const T* d_in, T* d_out, size_t rows, size_t columns) {
  // TODO(v4) Produce: v3, with kTile x kThreadRows threads, so with four elements for each of them.
  //   Constraint: rows of d_in and of d_out along the lanes, no bank conflicts, any of a thread's elements may lie
  //     outside the matrix.
  //   Hint: a loop with a constant count and #pragma unroll; a load that nobody waits for yet can overlap the next.
  //   Check: ./warpgrade check lab2 v4
}

template <typename T>
void transpose(const T* d_in, T* d_out, size_t rows, size_t columns, cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v4) Produce: a launch of transpose_v4 on `stream`, one block for each tile.
  //   Constraint: as in v1: nothing to do is no launch, any number of rows.
  //   Hint: the grid of v3 fits; the block does not.
  //   Check: ./warpgrade check lab2 v4
  const dim3 block(kTile, kThreadRows);
  const dim3 grid(1);
  transpose_v4<<<grid, block, 0, stream>>>(d_in, d_out, rows, columns);
}

LAB2_INSTANTIATE();
