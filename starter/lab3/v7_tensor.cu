// Generated from solutions/lab3/v7_tensor.cu by `warpgrade make-starter`; yours to edit.
// lab3 v7: tensor cores.
//
// The limit of v6 is the hardware: a multiprocessor can do at most 128 float multiplications at a time. Its tensor
// cores multiply 16 x 16 matrices of halves and add in float, in one instruction of a whole warp. They do about
// fifteen times as many operations in a second, from half as many bytes.
#include <cuda_fp16.h>
#include <mma.h>

#include "labs/lab3/lab3.h"

namespace wmma = nvcuda::wmma;

[[maybe_unused]] constexpr int kTile = 128;     // a block computes a tile of kTile x kTile elements of C
[[maybe_unused]] constexpr int kDepth = 32;     // from slices of A and B that are kDepth deep
constexpr int kThreads = 256;  // with 8 warps
[[maybe_unused]] constexpr int kSide = 16;      // a fragment has kSide x kSide elements

__global__ void __launch_bounds__(kThreads, 2)
    matmul_v7(const __half* d_a, const __half* d_b, float* d_c, size_t m, size_t k, size_t n) {
  // TODO(v7) Produce: the product of two matrices of halves, in float, with wmma fragments.
  //   Constraint: the sums are float. Fragments are loaded from addresses that are multiples of 32 bytes, with rows
  //     that are a multiple of 16 bytes apart, and stored likewise; any m, k and n.
  //   Hint: use v5 with 16 x 16 fragments instead of numbers. Slices in __shared__ memory are aligned even if the
  //     rows of A and B are not. Store a fragment at the edge of C to __shared__ memory first.
  //   Check: ./warpgrade check lab3 v7
}

void matmul_half(const __half* d_a, const __half* d_b, float* d_c, size_t m, size_t k, size_t n, cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v7) Produce: a launch of matmul_v7 on `stream`, one block for each tile of C.
  //   Constraint: as in v1: do not launch for an empty C; any number of rows and columns.
  //   Hint: the launch of v5 fits.
  //   Check: ./warpgrade check lab3 v7
  const dim3 grid(1);
  matmul_v7<<<grid, kThreads, 0, stream>>>(d_a, d_b, d_c, m, k, n);
}

LAB3_HALF_RUNG();
