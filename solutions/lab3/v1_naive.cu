// lab3 v1: naive.
//
// Why: three nested loops on the host use one core, which adds one product at a time. Here every element of C gets a
// thread of its own.
#include "labs/lab3/lab3.h"

constexpr int kBlockRows = 32;    // a block computes kBlockRows x kBlockColumns elements of C, one thread each
constexpr int kBlockColumns = 8;  // the block's shape is (kBlockRows, kBlockColumns): threadIdx.x counts rows

// d_c[row][column] for row = threadIdx.x of the block's rows, column = threadIdx.y of its columns.
__global__ void matmul_v1(const float* d_a, const float* d_b, float* d_c, size_t m, size_t k, size_t n) {
  // BEGIN SOLUTION
  // All blocks are numbered along x, which has room for them: one row of blocks after the other.
  const size_t blocks_across = (n + kBlockColumns - 1) / kBlockColumns;
  const size_t row = blockIdx.x / blocks_across * kBlockRows + threadIdx.x;
  const size_t column = blockIdx.x % blocks_across * kBlockColumns + threadIdx.y;
  if (row < m && column < n) {
    float sum = 0;  // stays in a register until it is complete
    for (size_t l = 0; l < k; ++l) sum += d_a[row * k + l] * d_b[l * n + column];
    d_c[row * n + column] = sum;
  }
  // ELSE STARTER
  //| // TODO(v1) Produce: the sum of row i of A times column j of B, at row i, column j of C.
  //| //   Constraint: one thread for each element of C. In the last blocks some threads have no element. k may be 0.
  //| //   Hint: compute row and column first, as size_t. How often must a thread access d_c?
  //| //   Check: ./warpgrade check lab3 v1
  // END SOLUTION
}

void matmul(const float* d_a, const float* d_b, float* d_c, size_t m, size_t k, size_t n, cudaStream_t stream) {
  // BEGIN SOLUTION
  if (m == 0 || n == 0) return;
  const size_t blocks_down = (m + kBlockRows - 1) / kBlockRows;
  const size_t blocks_across = (n + kBlockColumns - 1) / kBlockColumns;
  const dim3 block(kBlockRows, kBlockColumns);
  const dim3 grid(static_cast<unsigned>(blocks_down * blocks_across));
  matmul_v1<<<grid, block, 0, stream>>>(d_a, d_b, d_c, m, k, n);
  // ELSE STARTER
  //| NOT_WRITTEN_YET();
  //| // TODO(v1) Produce: a launch of matmul_v1 on `stream` whose blocks cover every element of C.
  //| //   Constraint: do not launch for an empty C. For k = 0 C must be 0. At most lab3::kMaxGridY blocks along y.
  //| //   Hint: round up when you count blocks. You can number all of them along x.
  //| //   Check: ./warpgrade check lab3 v1
  //| const dim3 block(kBlockRows, kBlockColumns);
  //| const dim3 grid(1);
  //| matmul_v1<<<grid, block, 0, stream>>>(d_a, d_b, d_c, m, k, n);
  // END SOLUTION
}

LAB3_RUNG();
