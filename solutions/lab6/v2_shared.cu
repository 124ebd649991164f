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
  // BEGIN SOLUTION
  // tile[1 + r][1 + c] is the element in row r and column c of the block's tile.
  __shared__ float tile[kTileRows + 2][kTileColumns + 2];
  const size_t tiles_across = (columns + kTileColumns - 1) / kTileColumns;
  const size_t first_row = blockIdx.x / tiles_across * kTileRows;
  const size_t first_column = blockIdx.x % tiles_across * kTileColumns;

  // The block walks over tile and halo. For halo elements left of column 0 or above row 0, the numbers wrap around to
  // values above any number of rows or columns.
  for (int r = threadIdx.y; r < kTileRows + 2; r += kTileRows) {
    for (int c = threadIdx.x; c < kTileColumns + 2; c += kTileColumns) {
      const size_t row = first_row + r - 1, column = first_column + c - 1;
      tile[r][c] = row < rows && column < columns ? d_in[row * columns + column] : 0;
    }
  }
  __syncthreads();  // tile and halo are complete before any thread reads them

  const size_t row = first_row + threadIdx.y, column = first_column + threadIdx.x;
  if (row >= rows || column >= columns) return;
  float sum = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (kPoints == 5 && i != 1 && j != 1) continue;  // a corner
      sum += weights.at[i][j] * tile[threadIdx.y + i][threadIdx.x + j];
    }
  }
  const bool in_ring = row == 0 || row == rows - 1 || column == 0 || column == columns - 1;
  d_out[row * columns + column] = in_ring ? tile[threadIdx.y + 1][threadIdx.x + 1] : sum;
  // ELSE STARTER
  //| // TODO(v2) Produce: what v1 produced, from a tile and its halo in __shared__ memory.
  //| //   Constraint: one element per thread. The block loads each element of tile and halo once.
  //| //   Hint: there are more elements to load than threads, so use a loop. Which elements of the halo do not exist?
  //| //     Which threads must have loaded what before any thread computes?
  //| //   Check: ./warpgrade check lab6 v2
  // END SOLUTION
}

void stencil(const float* d_in, float* d_out, float* d_work, size_t rows, size_t columns, int points,
             lab6::Weights weights, int steps, cudaStream_t stream) {
  // BEGIN SOLUTION
  if (rows == 0 || columns == 0) return;
  if (steps == 0) cudaMemcpyAsync(d_out, d_in, rows * columns * sizeof(float), cudaMemcpyDeviceToDevice, stream);
  const dim3 block(kTileColumns, kTileRows);
  const dim3 grid(static_cast<unsigned>(lab6::DivideUp(rows, kTileRows) * lab6::DivideUp(columns, kTileColumns)));
  const float* from = d_in;
  for (int step = 0; step < steps; ++step) {
    float* const to = (steps - step) % 2 == 1 ? d_out : d_work;
    if (points == 5) {
      stencil_v2<5><<<grid, block, 0, stream>>>(from, to, rows, columns, weights);
    } else {
      stencil_v2<9><<<grid, block, 0, stream>>>(from, to, rows, columns, weights);
    }
    from = to;
  }
  // ELSE STARTER
  //| NOT_WRITTEN_YET();
  //| // TODO(v2) Produce: `steps` launches of stencil_v2 on `stream`, one block for each tile.
  //| //   Constraint: as in v1.
  //| //   Hint: v1's launches, with other block sides.
  //| //   Check: ./warpgrade check lab6 v2
  //| const dim3 block(kTileColumns, kTileRows);
  //| const dim3 grid(1);
  //| stencil_v2<9><<<grid, block, 0, stream>>>(d_in, d_out, rows, columns, weights);
  // END SOLUTION
}

LAB6_RUNG();
