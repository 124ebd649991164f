// Generated from solutions/lab3/v5_vector.cu by `warpgrade make-starter`; yours to edit.
// lab3 v5: register blocks with vector loads, double buffered.
//
// The weakness of v4: a third of its inner loop is loads from shared memory, one number at a time. Also the whole block
// waits twice for each slice: once until the slice has arrived from device memory, and once until all threads are done
// with it. Here a thread has 8 x 8 elements of C, and one load brings 4 neighbours. The next slice is under way while
// the block computes with this one.
#include "labs/lab3/lab3.h"

[[maybe_unused]] constexpr int kTile = 128;     // a block computes a tile of kTile x kTile elements of C
[[maybe_unused]] constexpr int kDepth = 8;      // from slices of A and B that are kDepth deep
constexpr int kThreads = 256;  // with 16 x 16 threads, in one dimension
[[maybe_unused]] constexpr int kResults = 8;    // a thread computes kResults x kResults elements of C: 2 x 2 squares of 4 x 4

__global__ void __launch_bounds__(kThreads, 2)
    matmul_v5(const float* d_a, const float* d_b, float* d_c, size_t m, size_t k, size_t n) {
  // TODO(v5) Produce: what v4 produced, with kResults x kResults elements of C per thread and float4 loads.
  //   Constraint: two buffers for slices, and one __syncthreads() per slice. If the length of a row of A or B is
  //     not a multiple of 4, not all rows start at multiples of 16 bytes.
  //   Hint: transpose the slice of A when you store it to __shared__ memory. Load the next slice into registers
  //     before you compute with this one, and put it into the other buffer afterwards.
  //   Check: ./warpgrade check lab3 v5
}

void matmul(const float* d_a, const float* d_b, float* d_c, size_t m, size_t k, size_t n, cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v5) Produce: a launch of matmul_v5 on `stream`, one block for each tile of C.
  //   Constraint: as in v1: do not launch for an empty C; any number of rows and columns.
  //   Hint: the grid of v4 fits.
  //   Check: ./warpgrade check lab3 v5
  const dim3 grid(1);
  matmul_v5<<<grid, kThreads, 0, stream>>>(d_a, d_b, d_c, m, k, n);
}

LAB3_RUNG();
