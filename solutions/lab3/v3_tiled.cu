// lab3 v3: tiled in shared memory.
//
// The weakness of v2: the threads of a row of C all read the same row of A. The threads of a column of C all read the
// same column of B. Each thread does this for itself, so it asks for 8 bytes for every 2 operations. Here a block
// fetches a tile of A and a tile of B once, and uses each fetched element 32 times.
#include "labs/lab3/lab3.h"

constexpr int kTile = 32;  // a block computes a tile of kTile x kTile elements of C, one thread each

__global__ void matmul_v3(const float* d_a, const float* d_b, float* d_c, size_t m, size_t k, size_t n) {
  // BEGIN SOLUTION
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];

  const size_t tiles_across = (n + kTile - 1) / kTile;
  const size_t row = blockIdx.x / tiles_across * kTile + threadIdx.y;
  const size_t column = blockIdx.x % tiles_across * kTile + threadIdx.x;

  float sum = 0;
  for (size_t first = 0; first < k; first += kTile) {  // the tiles of A go to the right, those of B downwards
    // Elements outside of the matrices are 0 in the tiles, because a product of zeros adds nothing. Threads outside of
    // C fetch their share of the tiles too.
    const size_t a_column = first + threadIdx.x;
    const size_t b_row = first + threadIdx.y;
    a_tile[threadIdx.y][threadIdx.x] = row < m && a_column < k ? d_a[row * k + a_column] : 0;
    b_tile[threadIdx.y][threadIdx.x] = b_row < k && column < n ? d_b[b_row * n + column] : 0;
    __syncthreads();  // the tiles are complete before any thread reads them

    for (int l = 0; l < kTile; ++l) sum += a_tile[threadIdx.y][l] * b_tile[l][threadIdx.x];
    __syncthreads();  // all threads have read them before any thread overwrites them
  }
  if (row < m && column < n) d_c[row * n + column] = sum;
  // ELSE STARTER
  //| // TODO(v3) Produce: what v2 produced, from tiles of A and B in __shared__ memory.
  //| //   Constraint: one element of C per thread; each thread fetches one element of each tile; any m, k and n.
  //| //   Hint: which value adds nothing? Put it into the places of a tile that lie outside of A or B. What must all
  //| //     threads have finished before a tile is read, and before it is overwritten?
  //| //   Check: ./warpgrade check lab3 v3
  // END SOLUTION
}

void matmul(const float* d_a, const float* d_b, float* d_c, size_t m, size_t k, size_t n, cudaStream_t stream) {
  // BEGIN SOLUTION
  if (m == 0 || n == 0) return;
  const size_t tiles_down = (m + kTile - 1) / kTile;
  const size_t tiles_across = (n + kTile - 1) / kTile;
  const dim3 block(kTile, kTile);
  const dim3 grid(static_cast<unsigned>(tiles_down * tiles_across));
  matmul_v3<<<grid, block, 0, stream>>>(d_a, d_b, d_c, m, k, n);
  // ELSE STARTER
  //| NOT_WRITTEN_YET();
  //| // TODO(v3) Produce: a launch of matmul_v3 on `stream`, one block for each tile of C.
  //| //   Constraint: as in v1: do not launch for an empty C; any number of rows and columns.
  //| //   Hint: use the launch of v2 with other sides of the block.
  //| //   Check: ./warpgrade check lab3 v3
  //| const dim3 block(kTile, kTile);
  //| const dim3 grid(1);
  //| matmul_v3<<<grid, block, 0, stream>>>(d_a, d_b, d_c, m, k, n);
  // END SOLUTION
}

LAB3_RUNG();
