// Generated from solutions/lab3/v3_tiled.cu by `warpgrade make-starter`; yours to edit.
// lab3 v3: tiled in shared memory.
//
// The weakness of v2: the threads of a row of C all read the same row of A. The threads of a column of C all read the
// same column of B. Each thread does this for itself, so it asks for 8 bytes for every 2 operations. Here a block
// fetches a tile of A and a tile of B once, and uses each fetched element 32 times.
#include "labs/lab3/lab3.h"

constexpr int kTile = 32;  // a block computes a tile of kTile x kTile elements of C, one thread each

__global__ void matmul_v3(const float* d_a, const float* d_b, float* d_c, size_t m, size_t k, size_t n) {
  // TODO(v3) Produce: what v2 produced, from tiles of A and B in __shared__ memory.
  //   Constraint: one element of C per thread; each thread fetches one element of each tile; any m, k and n.
  //   Hint: which value adds nothing? Put it into the places of a tile that lie outside of A or B. What must all
  //     threads have finished before a tile is read, and before it is overwritten?
  //   Check: ./warpgrade check lab3 v3
}

void matmul(const float* d_a, const float* d_b, float* d_c, size_t m, size_t k, size_t n, cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v3) Produce: a launch of matmul_v3 on `stream`, one block for each tile of C.
  //   Constraint: as in v1: do not launch for an empty C; any number of rows and columns.
  //   Hint: use the launch of v2 with other sides of the block.
  //   Check: ./warpgrade check lab3 v3
  const dim3 block(kTile, kTile);
  const dim3 grid(1);
  matmul_v3<<<grid, block, 0, stream>>>(d_a, d_b, d_c, m, k, n);
}

LAB3_RUNG();
