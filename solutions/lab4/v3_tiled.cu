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
  __shared__ float tile[kBlock];
  // BEGIN SOLUTION
  const size_t first = size_t{blockIdx.x} * kBlock;  // element of d_in at the start of the tile
  const size_t i = first + threadIdx.x;
  if (i < n) tile[threadIdx.x] = d_in[i];
  __syncthreads();  // the tile is complete before any thread reads it; threads past n take part too
  if (i >= n) return;

  const int radius = mask_width / 2;
  float sum = 0;
  for (int j = 0; j < mask_width; ++j) {
    const size_t at = i + j - radius;
    if (at >= n) continue;              // a ghost: it counts as 0
    const size_t in_tile = at - first;  // before the tile it wraps around to a value above kBlock
    sum += c_mask[j] * (in_tile < kBlock ? tile[in_tile] : d_in[at]);
  }
  d_out[i] = sum;
  // ELSE STARTER
  //| // TODO(v3) Produce: what v2 produced.
  //| //   Constraint: load each element of the block's own part from global memory once, into `tile`. Read from d_in
  //| //     only what lies outside of the tile.
  //| //   Hint: when may a thread read the tile? Which threads of the last block must take part in that?
  //| //   Check: ./warpgrade check lab4 v3
  // END SOLUTION
}

void convolve_1d(const float* d_in, const float* d_mask, float* d_out, size_t n, int mask_width, cudaStream_t stream) {
  // BEGIN SOLUTION
  if (n == 0) return;
  cudaMemcpyToSymbolAsync(c_mask, d_mask, mask_width * sizeof(float), 0, cudaMemcpyDeviceToDevice, stream);
  const auto blocks = static_cast<unsigned>((n + kBlock - 1) / kBlock);
  convolve_v3<<<blocks, kBlock, 0, stream>>>(d_in, d_out, n, mask_width);
  // ELSE STARTER
  //| NOT_WRITTEN_YET();
  //| // TODO(v3) Produce: the mask in c_mask, then a launch of convolve_v3, both on `stream`.
  //| //   Constraint: as in v2.
  //| //   Hint: v2's launch fits here too.
  //| //   Check: ./warpgrade check lab4 v3
  //| const unsigned blocks = 1;
  //| convolve_v3<<<blocks, kBlock, 0, stream>>>(d_in, d_out, n, mask_width);
  // END SOLUTION
}

LAB4_LINE_RUNG();
