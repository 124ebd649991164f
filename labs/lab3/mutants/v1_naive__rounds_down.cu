// A wrong answer to lab3 v1, for tests/course: the number of blocks is rounded down, so that the last rows and columns
// have none.
#include "labs/lab3/lab3.h"

constexpr int kBlockRows = 32;    // a block computes kBlockRows x kBlockColumns elements of C, one thread each
constexpr int kBlockColumns = 8;  // the block's shape is (kBlockRows, kBlockColumns): threadIdx.x counts rows

// d_c[row][column] for row = threadIdx.x of the block's rows, column = threadIdx.y of its columns.
__global__ void matmul_v1(const float* d_a, const float* d_b, float* d_c, size_t m, size_t k, size_t n) {
  // Blocks are numbered along x alone, which has room for them all: row of blocks by row of blocks.
  const size_t blocks_across = (n + kBlockColumns - 1) / kBlockColumns;
  const size_t row = blockIdx.x / blocks_across * kBlockRows + threadIdx.x;
  const size_t column = blockIdx.x % blocks_across * kBlockColumns + threadIdx.y;
  if (row < m && column < n) {
    float sum = 0;  // in a register until it is complete
    for (size_t l = 0; l < k; ++l) sum += d_a[row * k + l] * d_b[l * n + column];
    d_c[row * n + column] = sum;
  }
}

void matmul(const float* d_a, const float* d_b, float* d_c, size_t m, size_t k, size_t n, cudaStream_t stream) {
  if (m == 0 || n == 0) return;
  const size_t blocks_down = m / kBlockRows;
  const size_t blocks_across = (n + kBlockColumns - 1) / kBlockColumns;
  const dim3 block(kBlockRows, kBlockColumns);
  const dim3 grid(static_cast<unsigned>(blocks_down * blocks_across));
  if (grid.x == 0) return;
  matmul_v1<<<grid, block, 0, stream>>>(d_a, d_b, d_c, m, k, n);
}

LAB3_RUNG();
