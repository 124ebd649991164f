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
  __shared__ float tile[kBlock];
  // BEGIN SOLUTION
  const size_t first = size_t{blockIdx.x} * kBlock;  // element of d_in at the start of the tile
  const size_t i = first + threadIdx.x;
  if (i < n) tile[threadIdx.x] = d_in[i];
  __syncthreads();  // the tile is complete before anyone reads it; threads past n take part
  if (i >= n) return;

  const int radius = mask_width / 2;
  float sum = 0;
  for (int j = 0; j < mask_width; ++j) {
    const size_t at = i + radius - j;
    if (at >= n) continue;              // a ghost
    const size_t in_tile = at - first;  // before the tile it wraps around, to more than kBlock
    sum += c_mask[j] * (in_tile < kBlock ? tile[in_tile] : d_in[at]);
  }
  d_out[i] = sum;
  // ELSE STARTER
  //| // TODO(v3) Produce: what v2 produced.
  //| //   Constraint: each element of the block's own part is fetched from global memory once, into `tile`; only what
  //| //     lies outside of the tile is read from d_in.
  //| //   Hint: who may read the tile when? And which threads of the last block have to be there for that?
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
  //| //   Hint: v2's launch fits.
  //| //   Check: ./warpgrade check lab4 v3
  //| const unsigned blocks = 1;
  //| convolve_v3<<<blocks, kBlock, 0, stream>>>(d_in, d_out, n, mask_width);
  // END SOLUTION
}

LAB4_LINE_RUNG();
