// Generated from solutions/lab6/v2_shared.cu by `warpgrade make-starter`; yours to edit.
// lab6 v2: tile in shared memory, with a halo.
//
// The weakness of v1: nine threads load every element, and only the caches prevent nine loads from device memory. Here
// a block loads its tile once. It also loads the halo, the elements around the tile that its outer threads need:
//
//      h h h h h h       h  halo, which belongs to other blocks' tiles
//      h t t t t h       t  tile, one thread each
//      h t t t t h
//      h h h h h h
#include "labs/lab6/lab6.h"

constexpr int kTileColumns = 32;  // a block has kTileRows x kTileColumns elements, one thread each
constexpr int kTileRows = 16;

// One step, from d_in to d_out. kPoints is 5 or 9.
template <int kPoints>
__global__ void stencil_v2(const float* d_in, float* d_out, size_t rows, size_t columns, lab6::Weights weights) {
  // TODO(v2) Produce: what v1 produced, from a tile and its halo in __shared__ memory.
  //   Constraint: one element per thread. The block loads each element of tile and halo once.
  //   Hint: there are more elements to load than threads, so use a loop. Which elements of the halo do not exist?
  //     Which threads must have loaded what before any thread computes?
  //   Check: ./warpgrade check lab6 v2
}

void stencil(const float* d_in, float* d_out, float* d_work, size_t rows, size_t columns, int points,
             lab6::Weights weights, int steps, cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v2) Produce: `steps` launches of stencil_v2 on `stream`, one block for each tile.
  //   Constraint: as in v1.
  //   Hint: v1's launches, with other block sides.
  //   Check: ./warpgrade check lab6 v2
  const dim3 block(kTileColumns, kTileRows);
  const dim3 grid(1);
  stencil_v2<9><<<grid, block, 0, stream>>>(d_in, d_out, rows, columns, weights);
}

LAB6_RUNG();
