// Generated from solutions/lab4/v3_tiled.cu by `warpgrade make-starter`; yours to edit.
// lab4 v3: a tile in shared memory, its halo from the cache.
//
// The fault of v2: the threads of a block fetch the same elements from global memory again and again, each of them
// mask_width times in all. A tile in shared memory holds the block's own elements, fetched once. What the first and the
// last threads need from the neighbours' tiles, the halo, they read from global memory: the neighbours have just
// fetched it, so that it comes from the L2 cache, or is on its way there.
#include "labs/lab4/lab4.h"

constexpr int kBlock = 256;  // threads, elements of d_out, and elements of the tile, of a block

__constant__ float c_mask[lab4::kMaxWidth];

__global__ void convolve_v3(const float* d_in, float* d_out, size_t n, int mask_width) {
  [[maybe_unused]] __shared__ float tile[kBlock];
  // TODO(v3) Produce: what v2 produced.
  //   Constraint: each element of the block's own part is fetched from global memory once, into `tile`; only what
  //     lies outside of the tile is read from d_in.
  //   Hint: who may read the tile when? And which threads of the last block have to be there for that?
  //   Check: ./warpgrade check lab4 v3
}

void convolve_1d(const float* d_in, const float* d_mask, float* d_out, size_t n, int mask_width, cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v3) Produce: the mask in c_mask, then a launch of convolve_v3, both on `stream`.
  //   Constraint: as in v2.
  //   Hint: v2's launch fits.
  //   Check: ./warpgrade check lab4 v3
  const unsigned blocks = 1;
  convolve_v3<<<blocks, kBlock, 0, stream>>>(d_in, d_out, n, mask_width);
}

LAB4_LINE_RUNG();
