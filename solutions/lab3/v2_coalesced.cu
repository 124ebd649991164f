// lab3 v2: coalesced.
//
// The weakness of v1: the 32 lanes of a warp have 32 rows of A and of C. Every load of A touches 32 sectors of 32 bytes
// and uses 4 bytes of each. The store to C does the same. Here the lanes are neighbours along a row of C. They need the
// same element of A, which is one sector, and neighbouring elements of B and C, which are 4 sectors.
#include "labs/lab3/lab3.h"

constexpr int kBlockColumns = 32;  // a block computes kBlockRows x kBlockColumns elements of C, one thread each
constexpr int kBlockRows = 8;

// Lanes of a warp have consecutive threadIdx.x.
__global__ void matmul_v2(const float* d_a, const float* d_b, float* d_c, size_t m, size_t k, size_t n) {
  // BEGIN SOLUTION
  // All blocks are numbered along x, which has room for them: one row of blocks after the other.
  const size_t blocks_across = (n + kBlockColumns - 1) / kBlockColumns;
  const size_t row = blockIdx.x / blocks_across * kBlockRows + threadIdx.y;
  const size_t column = blockIdx.x % blocks_across * kBlockColumns + threadIdx.x;
  if (row < m && column < n) {
    float sum = 0;
    for (size_t l = 0; l < k; ++l) sum += d_a[row * k + l] * d_b[l * n + column];
    d_c[row * n + column] = sum;
  }
  // ELSE STARTER
  //| // TODO(v2) Produce: what v1 produced.
  //| //   Constraint: one element of C per thread; the lanes of a warp are neighbours in a row of C.
  //| //   Hint: which of row and column should threadIdx.x count?
  //| //   Check: ./warpgrade check lab3 v2
  // END SOLUTION
}

void matmul(const float* d_a, const float* d_b, float* d_c, size_t m, size_t k, size_t n, cudaStream_t stream) {
  // BEGIN SOLUTION
  if (m == 0 || n == 0) return;
  const size_t blocks_down = (m + kBlockRows - 1) / kBlockRows;
  const size_t blocks_across = (n + kBlockColumns - 1) / kBlockColumns;
  const dim3 block(kBlockColumns, kBlockRows);
  const dim3 grid(static_cast<unsigned>(blocks_down * blocks_across));
  matmul_v2<<<grid, block, 0, stream>>>(d_a, d_b, d_c, m, k, n);
  // ELSE STARTER
  //| NOT_WRITTEN_YET();
  //| // TODO(v2) Produce: a launch of matmul_v2 on `stream` whose blocks cover every element of C.
  //| //   Constraint: as in v1: do not launch for an empty C; any number of rows and columns.
  //| //   Hint: use the launch of v1, with the two sides of the block swapped.
  //| //   Check: ./warpgrade check lab3 v2
  //| const dim3 block(kBlockColumns, kBlockRows);
  //| const dim3 grid(1);
  //| matmul_v2<<<grid, block, 0, stream>>>(d_a, d_b, d_c, m, k, n);
  // END SOLUTION
}

LAB3_RUNG();
