// Generated from solutions/lab4/v9_halo_from_cache.cu by `warpgrade make-starter`; yours to edit.
// lab4 v9: a tile of its own elements in shared memory, the halo from the cache.
//
// The weakness of v5: its tile has room for the halo of the largest mask. That is 62 x 62 floats, 15 KB for each block,
// and with a mask of 9 x 9 the threads load 1600 elements for 1024 results. This rung is v3 for images. The tile has
// the block's own elements only, one for each thread, 4 KB. What a thread needs from outside of the tile, it reads from
// d_in: the neighbouring blocks have loaded it, so it usually comes from a cache. For this, each product needs tests.
//
//                     d_in
//                +--------------+
//                |              |
//         d_in   |  tile:       |  d_in
//                |  32 x 32     |
//                +--------------+
//                     d_in
#include "labs/lab4/lab4.h"

constexpr int kTile = 32;  // a block has kTile x kTile threads, and its tile has as many elements

__constant__ float c_mask[lab4::kMaxSide * lab4::kMaxSide];  // row by row, mask_columns to a row

__global__ void convolve_v9(const float* d_in, float* d_out, size_t rows, size_t columns, int mask_rows,
                            int mask_columns) {
  [[maybe_unused]] __shared__ float tile[kTile][kTile];
  // TODO(v9) Produce: what v5 produced.
  //   Constraint: `tile` has the block's own elements and no halo. Read from d_in only what lies outside of it.
  //   Hint: a neighbour is in the tile only if its row and its column both are. Which neighbours are ghosts?
  //   Check: ./warpgrade check lab4 v9
}

void convolve_2d(const float* d_in, const float* d_mask, float* d_out, size_t rows, size_t columns, int mask_rows,
                 int mask_columns, cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v9) Produce: the mask in c_mask, then a launch of convolve_v9, one block for each tile.
  //   Constraint: as in v4.
  //   Hint: v5's launch fits here too.
  //   Check: ./warpgrade check lab4 v9
  const dim3 block(kTile, kTile);
  const dim3 grid(1);
  convolve_v9<<<grid, block, 0, stream>>>(d_in, d_out, rows, columns, mask_rows, mask_columns);
}

LAB4_IMAGE_RUNG();
