// A wrong answer to lab3 v4, for tests/course: v3 handed in as v4.
#include "labs/lab3/lab3.h"

constexpr int kTile = 32;  // a block computes a tile of kTile x kTile elements of C, one thread each

__global__ void matmul_v4(const float* d_a, const float* d_b, float* d_c, size_t m, size_t k, size_t n) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];

  const size_t tiles_across = (n + kTile - 1) / kTile;
  const size_t row = blockIdx.x / tiles_across * kTile + threadIdx.y;
  const size_t column = blockIdx.x % tiles_across * kTile + threadIdx.x;

  float sum = 0;
  for (size_t first = 0; first < k; first += kTile) {  // the tiles of A to the right, the tiles of B downwards
    // What lies outside of the matrices is 0 in the tiles: a product of two zeros adds nothing. Threads outside of C
    // fetch their share as well.
    const size_t a_column = first + threadIdx.x;
    const size_t b_row = first + threadIdx.y;
    a_tile[threadIdx.y][threadIdx.x] = row < m && a_column < k ? d_a[row * k + a_column] : 0;
    b_tile[threadIdx.y][threadIdx.x] = b_row < k && column < n ? d_b[b_row * n + column] : 0;
    __syncthreads();  // the tiles are complete before anyone reads them

    for (int l = 0; l < kTile; ++l) sum += a_tile[threadIdx.y][l] * b_tile[l][threadIdx.x];
    __syncthreads();  // everyone has read them before anyone writes the next ones
  }
  if (row < m && column < n) d_c[row * n + column] = sum;
}

void matmul(const float* d_a, const float* d_b, float* d_c, size_t m, size_t k, size_t n, cudaStream_t stream) {
  if (m == 0 || n == 0) return;
  const size_t tiles_down = (m + kTile - 1) / kTile;
  const size_t tiles_across = (n + kTile - 1) / kTile;
  const dim3 block(kTile, kTile);
  const dim3 grid(static_cast<unsigned>(tiles_down * tiles_across));
  matmul_v4<<<grid, block, 0, stream>>>(d_a, d_b, d_c, m, k, n);
}

LAB3_RUNG();
