// Generated from solutions/lab4/v3_tiled.cu by `warpgrade make-starter`; yours to edit.
// lab4 v3: a tile in shared memory, its halo from the cache.
//
// The weakness of v2: the threads of a block load the same elements from global memory again and again, each element
// mask_width times. Here a tile in shared memory holds the block's own elements, and each is loaded once. The first and
// the last threads also need elements of the neighbours' tiles. These elements are the halo. The threads read the halo
// from global memory: the neighbouring blocks have just loaded it, so it usually comes from the L2 cache.
#include "labs/lab4/lab4.h"

constexpr int kBlock = 256;  // threads of a block, elements of d_out that it computes, and elements of its tile

__constant__ float c_mask[lab4::kMaxWidth];

__global__ void convolve_v3(const float* d_in, float* d_out, size_t n, int mask_width) {
  [[maybe_unused]] __shared__ float tile[kBlock];
  // TODO(v3) Produce: what v2 produced.
  //   Constraint: load each element of the block's own part from global memory once, into `tile`. Read from d_in
  //     only what lies outside of the tile.
  //   Hint: when may a thread read the tile? Which threads of the last block must take part in that?
  //   Check: ./warpgrade check lab4 v3
}

void convolve_1d(const float* d_in, const float* d_mask, float* d_out, size_t n, int mask_width, cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v3) Produce: the mask in c_mask, then a launch of convolve_v3, both on `stream`.
  //   Constraint: as in v2.
  //   Hint: v2's launch fits here too.
  //   Check: ./warpgrade check lab4 v3
  const unsigned blocks = 1;
  convolve_v3<<<blocks, kBlock, 0, stream>>>(d_in, d_out, n, mask_width);
}

LAB4_LINE_RUNG();
