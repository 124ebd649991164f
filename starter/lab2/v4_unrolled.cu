// Generated from solutions/lab2/v4_unrolled.cu by `warpgrade make-starter`; yours to edit.
// lab2 v4: several elements per thread.
//
// The weakness of v3: a thread asks for one element, waits for it, and is done. So few bytes are under way at any time.
// The 1024 threads of a block wait for each other at the barrier. Computing an address costs more than fetching the
// element. Here a quarter of the threads moves the same tile. Each thread asks for four elements before it waits.
#include <algorithm>

#include "labs/lab2/lab2.h"

constexpr int kTile = 32;       // a block moves one tile of kTile x kTile elements
constexpr int kThreadRows = 8;  // with kTile x kThreadRows threads

template <typename T>
__global__ void transpose_v4(const T* d_in, T* d_out, size_t rows, size_t columns) {
  // TODO(v4) Produce: v3, with kTile x kThreadRows threads, so that each thread has four elements.
  //   Constraint: lanes are neighbours along rows of d_in and of d_out; no bank conflicts. Any of a thread's
  //     elements may lie outside the matrix.
  //   Hint: use a loop with a constant count and #pragma unroll. Loads overlap while no thread needs their values
  //     yet.
  //   Check: ./warpgrade check lab2 v4
}

template <typename T>
void transpose(const T* d_in, T* d_out, size_t rows, size_t columns, cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v4) Produce: a launch of transpose_v4 on `stream`, one block for each tile.
  //   Constraint: as in v1: do not launch for an empty matrix; any number of rows.
  //   Hint: the grid of v3 fits; the block does not.
  //   Check: ./warpgrade check lab2 v4
  const dim3 block(kTile, kThreadRows);
  const dim3 grid(1);
  transpose_v4<<<grid, block, 0, stream>>>(d_in, d_out, rows, columns);
}

LAB2_INSTANTIATE();
