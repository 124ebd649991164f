// A wrong answer to lab3 v7, for tests/course: v2 with halves: one multiplication at a time.
#include <cuda_fp16.h>

#include "labs/lab3/lab3.h"

constexpr int kBlockColumns = 32;  // a block computes kBlockRows x kBlockColumns elements of C, one thread each
constexpr int kBlockRows = 8;

// Lanes of a warp have consecutive threadIdx.x.
__global__ void matmul_v7(const __half* d_a, const __half* d_b, float* d_c, size_t m, size_t k, size_t n) {
  // Blocks are numbered along x alone, which has room for them all: row of blocks by row of blocks.
  const size_t blocks_across = (n + kBlockColumns - 1) / kBlockColumns;
  const size_t row = blockIdx.x / blocks_across * kBlockRows + threadIdx.y;
  const size_t column = blockIdx.x % blocks_across * kBlockColumns + threadIdx.x;
  if (row < m && column < n) {
    float sum = 0;
    for (size_t l = 0; l < k; ++l) sum += __half2float(d_a[row * k + l]) * __half2float(d_b[l * n + column]);
    d_c[row * n + column] = sum;
  }
}

void matmul_half(const __half* d_a, const __half* d_b, float* d_c, size_t m, size_t k, size_t n, cudaStream_t stream) {
  if (m == 0 || n == 0) return;
  const size_t blocks_down = (m + kBlockRows - 1) / kBlockRows;
  const size_t blocks_across = (n + kBlockColumns - 1) / kBlockColumns;
  const dim3 block(kBlockColumns, kBlockRows);
  const dim3 grid(static_cast<unsigned>(blocks_down * blocks_across));
  matmul_v7<<<grid, block, 0, stream>>>(d_a, d_b, d_c, m, k, n);
}

LAB3_HALF_RUNG();
