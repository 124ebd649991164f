// lab3 v4: several results per thread.
//
// The weakness of v3: for each multiplication a thread fetches two numbers from shared memory. Shared memory serves one
// warp at a time, but four warps could multiply. Registers are faster. Here a thread has kResults x kResults elements
// of C. It fetches 2 * kResults numbers and uses each of them kResults times.
#include "labs/lab3/lab3.h"

constexpr int kThreadsAcross = 16;  // a block has kThreadsAcross x kThreadsAcross threads
constexpr int kResults = 4;         // a thread computes kResults x kResults elements of C, kThreadsAcross apart
constexpr int kTile = kThreadsAcross * kResults;  // a block computes a tile of kTile x kTile elements of C
constexpr int kDepth = 16;                        // from slices of A and B that are kDepth deep

// BEGIN SOLUTION
// Long because the steps of one block follow each other: load a slice, wait, multiply, store.
// END SOLUTION
__global__ void matmul_v4(const float* d_a, const float* d_b, float* d_c, size_t m, size_t k, size_t n) {
  // BEGIN SOLUTION
  __shared__ float a_slice[kTile][kDepth];
  __shared__ float b_slice[kDepth][kTile];
  constexpr int kThreads = kThreadsAcross * kThreadsAcross;

  const size_t tiles_across = (n + kTile - 1) / kTile;
  const size_t first_row = blockIdx.x / tiles_across * kTile;
  const size_t first_column = blockIdx.x % tiles_across * kTile;
  const int thread = threadIdx.y * kThreadsAcross + threadIdx.x;

  float sum[kResults][kResults] = {};  // only unrolled loops index it, so that it stays in registers
  for (size_t first = 0; first < k; first += kDepth) {
    // Each thread fetches some elements of each slice. Lanes are neighbours along the rows of A and of B.
#pragma unroll
    for (int i = 0; i < kTile; i += kThreads / kDepth) {
      const int row = i + thread / kDepth;
      const int l = thread % kDepth;
      a_slice[row][l] = first_row + row < m && first + l < k ? d_a[(first_row + row) * k + first + l] : 0;
    }
#pragma unroll
    for (int i = 0; i < kDepth; i += kThreads / kTile) {
      const int l = i + thread / kTile;
      const int column = thread % kTile;
      b_slice[l][column] =
          first + l < k && first_column + column < n ? d_b[(first + l) * n + first_column + column] : 0;
    }
    __syncthreads();  // the slices are complete before any thread reads them

#pragma unroll
    for (int l = 0; l < kDepth; ++l) {
      float a[kResults], b[kResults];
#pragma unroll
      for (int i = 0; i < kResults; ++i) a[i] = a_slice[threadIdx.y + i * kThreadsAcross][l];
#pragma unroll
      for (int j = 0; j < kResults; ++j) b[j] = b_slice[l][threadIdx.x + j * kThreadsAcross];
#pragma unroll
      for (int i = 0; i < kResults; ++i) {
#pragma unroll
        for (int j = 0; j < kResults; ++j) sum[i][j] += a[i] * b[j];
      }
    }
    __syncthreads();  // all threads have read them before any thread overwrites them
  }

#pragma unroll
  for (int i = 0; i < kResults; ++i) {
    const size_t row = first_row + threadIdx.y + i * kThreadsAcross;
#pragma unroll
    for (int j = 0; j < kResults; ++j) {
      const size_t column = first_column + threadIdx.x + j * kThreadsAcross;
      if (row < m && column < n) d_c[row * n + column] = sum[i][j];
    }
  }
  // ELSE STARTER
  //| // TODO(v4) Produce: what v3 produced, with kResults x kResults elements of C in the registers of each thread.
  //| //   Constraint: kTile x kTile elements of C per block, from slices of A and B in __shared__ memory. Any of a
  //| //     thread's elements may lie outside of C.
  //| //   Hint: fetch kResults numbers of each slice into registers, then use every pair. Loops with a constant number
  //| //     of iterations and #pragma unroll keep small arrays in registers.
  //| //   Check: ./warpgrade check lab3 v4
  // END SOLUTION
}

void matmul(const float* d_a, const float* d_b, float* d_c, size_t m, size_t k, size_t n, cudaStream_t stream) {
  // BEGIN SOLUTION
  if (m == 0 || n == 0) return;
  const size_t tiles_down = (m + kTile - 1) / kTile;
  const size_t tiles_across = (n + kTile - 1) / kTile;
  const dim3 block(kThreadsAcross, kThreadsAcross);
  const dim3 grid(static_cast<unsigned>(tiles_down * tiles_across));
  matmul_v4<<<grid, block, 0, stream>>>(d_a, d_b, d_c, m, k, n);
  // ELSE STARTER
  //| NOT_WRITTEN_YET();
  //| // TODO(v4) Produce: a launch of matmul_v4 on `stream`, one block for each tile of C.
  //| //   Constraint: as in v1: do not launch for an empty C; any number of rows and columns.
  //| //   Hint: the grid of v3 fits; the block does not.
  //| //   Check: ./warpgrade check lab3 v4
  //| const dim3 block(kThreadsAcross, kThreadsAcross);
  //| const dim3 grid(1);
  //| matmul_v4<<<grid, block, 0, stream>>>(d_a, d_b, d_c, m, k, n);
  // END SOLUTION
}

LAB3_RUNG();
