// Generated from solutions/lab3/v4_block.cu by `warpgrade make-starter`; yours to edit.
// lab3 v4: several results per thread.
//
// The weakness of v3: for each multiplication a thread fetches two numbers from shared memory. Shared memory serves one
// warp at a time, but four warps could multiply. Registers are faster. Here a thread has kResults x kResults elements
// of C. It fetches 2 * kResults numbers and uses each of them kResults times.
#include "labs/lab3/lab3.h"

constexpr int kThreadsAcross = 16;  // a block has kThreadsAcross x kThreadsAcross threads
constexpr int kResults = 4;         // a thread computes kResults x kResults elements of C, kThreadsAcross apart
[[maybe_unused]] constexpr int kTile = kThreadsAcross * kResults;  // a block computes a tile of kTile x kTile elements of C
[[maybe_unused]] constexpr int kDepth = 16;                        // from slices of A and B that are kDepth deep

__global__ void matmul_v4(const float* d_a, const float* d_b, float* d_c, size_t m, size_t k, size_t n) {
  // TODO(v4) Produce: what v3 produced, with kResults x kResults elements of C in the registers of each thread.
  //   Constraint: kTile x kTile elements of C per block, from slices of A and B in __shared__ memory. Any of a
  //     thread's elements may lie outside of C.
  //   Hint: fetch kResults numbers of each slice into registers, then use every pair. Loops with a constant number
  //     of iterations and #pragma unroll keep small arrays in registers.
  //   Check: ./warpgrade check lab3 v4
}

void matmul(const float* d_a, const float* d_b, float* d_c, size_t m, size_t k, size_t n, cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v4) Produce: a launch of matmul_v4 on `stream`, one block for each tile of C.
  //   Constraint: as in v1: do not launch for an empty C; any number of rows and columns.
  //   Hint: the grid of v3 fits; the block does not.
  //   Check: ./warpgrade check lab3 v4
  const dim3 block(kThreadsAcross, kThreadsAcross);
  const dim3 grid(1);
  matmul_v4<<<grid, block, 0, stream>>>(d_a, d_b, d_c, m, k, n);
}

LAB3_RUNG();
