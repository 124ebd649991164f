// lab3 v7: tensor cores.
//
// The limit of v6 is the hardware: a multiprocessor can do at most 128 float multiplications at a time. Its tensor
// cores multiply 16 x 16 matrices of halves and add in float, in one instruction of a whole warp. They do about
// fifteen times as many operations in a second, from half as many bytes.
#include <cuda_fp16.h>
#include <mma.h>

#include "labs/lab3/lab3.h"

namespace wmma = nvcuda::wmma;

constexpr int kTile = 128;     // a block computes a tile of kTile x kTile elements of C
constexpr int kDepth = 32;     // from slices of A and B that are kDepth deep
constexpr int kThreads = 256;  // with 8 warps
constexpr int kSide = 16;      // a fragment has kSide x kSide elements

// BEGIN SOLUTION
constexpr int kWarpsDown = 2, kWarpsAcross = 4;                 // the warps of a block
constexpr int kDown = kTile / kWarpsDown / kSide;               // fragments of C that a warp has, below
constexpr int kAcross = kTile / kWarpsAcross / kSide;           // each other and side by side
constexpr int kPad = 8;                                         // in halves, so that rows start in different banks
constexpr int kCopies = kTile * kDepth / 8 / kThreads;          // copies of 8 neighbours, for each thread
constexpr int kRowOfA = kDepth + kPad, kRowOfB = kTile + kPad;  // row lengths in shared memory
static_assert(kWarpsDown * kWarpsAcross * 32 == kThreads, "every warp has its part of the tile");

// 8 halves, which one load fetches.
union Eight {
  uint4 all;
  unsigned short half[8];
};

// row[first .. first + 7], with 0 for elements from `length` on. With `aligned`, rows start at multiples of 16 bytes
// and their length is a multiple of 8. Then the eight are all inside or all outside, and one load fetches them.
__device__ Eight LoadEight(const __half* row, size_t first, size_t length, bool aligned) {
  Eight eight;
  eight.all = make_uint4(0, 0, 0, 0);
  if (aligned) {
    if (first < length) eight.all = *reinterpret_cast<const uint4*>(row + first);
    return eight;
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    if (first + i < length) eight.half[i] = __half_as_ushort(row[first + i]);
  }
  return eight;
}

// Long because the loads, products and stores of one slice overlap in one loop.
// END SOLUTION
__global__ void __launch_bounds__(kThreads, 2)
    matmul_v7(const __half* d_a, const __half* d_b, float* d_c, size_t m, size_t k, size_t n) {
  // BEGIN SOLUTION
  __shared__ alignas(32) __half a_slice[2][kTile * kRowOfA];
  __shared__ alignas(32) __half b_slice[2][kDepth * kRowOfB];
  __shared__ alignas(32) float patch[kThreads / 32][kSide * kSide];  // for fragments that cross the edge of C

  const size_t tiles_across = (n + kTile - 1) / kTile;
  const size_t first_row = blockIdx.x / tiles_across * kTile;
  const size_t first_column = blockIdx.x % tiles_across * kTile;
  const bool a_aligned = k % 8 == 0;
  const bool b_aligned = n % 8 == 0;

  Eight next_a[kCopies], next_b[kCopies];
  const auto fetch = [&](size_t first) {
#pragma unroll
    for (int copy = 0; copy < kCopies; ++copy) {
      const int i = (threadIdx.x + copy * kThreads) * 8;
      const size_t row = first_row + i / kDepth;
      const size_t l = first + i / kTile;
      next_a[copy].all = next_b[copy].all = make_uint4(0, 0, 0, 0);
      if (row < m) next_a[copy] = LoadEight(d_a + row * k, first + i % kDepth, k, a_aligned);
      if (l < k) next_b[copy] = LoadEight(d_b + l * n, first_column + i % kTile, n, b_aligned);
    }
  };
  const auto put = [&](int buffer) {
#pragma unroll
    for (int copy = 0; copy < kCopies; ++copy) {
      const int i = (threadIdx.x + copy * kThreads) * 8;
      *reinterpret_cast<uint4*>(&a_slice[buffer][i / kDepth * kRowOfA + i % kDepth]) = next_a[copy].all;
      *reinterpret_cast<uint4*>(&b_slice[buffer][i / kTile * kRowOfB + i % kTile]) = next_b[copy].all;
    }
  };

  // This warp's part of the tile: kDown x kAcross fragments.
  const int warp = threadIdx.x / 32;
  const int row = warp / kWarpsAcross * kDown * kSide;
  const int column = warp % kWarpsAcross * kAcross * kSide;
  wmma::fragment<wmma::accumulator, kSide, kSide, kSide, float> sum[kDown][kAcross];
#pragma unroll
  for (int i = 0; i < kDown; ++i) {
#pragma unroll
    for (int j = 0; j < kAcross; ++j) wmma::fill_fragment(sum[i][j], 0.0f);
  }

  if (k > 0) {
    fetch(0);
    put(0);
  }
  __syncthreads();
  int buffer = 0;
  for (size_t first = 0; first < k; first += kDepth, buffer ^= 1) {
    const bool more = first + kDepth < k;
    if (more) fetch(first + kDepth);  // in flight until they are stored to shared memory
#pragma unroll
    for (int l = 0; l < kDepth; l += kSide) {
      wmma::fragment<wmma::matrix_b, kSide, kSide, kSide, __half, wmma::row_major> b[kAcross];
#pragma unroll
      for (int j = 0; j < kAcross; ++j) {
        wmma::load_matrix_sync(b[j], &b_slice[buffer][l * kRowOfB + column + j * kSide], kRowOfB);
      }
#pragma unroll
      for (int i = 0; i < kDown; ++i) {
        wmma::fragment<wmma::matrix_a, kSide, kSide, kSide, __half, wmma::row_major> a;
        wmma::load_matrix_sync(a, &a_slice[buffer][(row + i * kSide) * kRowOfA + l], kRowOfA);
#pragma unroll
        for (int j = 0; j < kAcross; ++j) wmma::mma_sync(sum[i][j], a, b[j], sum[i][j]);
      }
    }
    if (more) put(buffer ^ 1);
    // One barrier serves both: the next slices are complete, and all threads have finished with these.
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < kDown; ++i) {
#pragma unroll
    for (int j = 0; j < kAcross; ++j) {
      const size_t c_row = first_row + row + i * kSide;
      const size_t c_column = first_column + column + j * kSide;
      // The fragment is inside of C, and its rows start at the alignment that the store needs.
      if (c_row + kSide <= m && c_column + kSide <= n && n % 4 == 0) {
        wmma::store_matrix_sync(d_c + c_row * n + c_column, sum[i][j], n, wmma::mem_row_major);
        continue;
      }
      wmma::store_matrix_sync(patch[warp], sum[i][j], kSide, wmma::mem_row_major);
      __syncwarp();  // a lane does not know which elements it has stored
      for (int e = threadIdx.x % 32; e < kSide * kSide; e += 32) {
        if (c_row + e / kSide < m && c_column + e % kSide < n) {
          d_c[(c_row + e / kSide) * n + c_column + e % kSide] = patch[warp][e];
        }
      }
      __syncwarp();  // the next fragment uses the patch again
    }
  }
  // ELSE STARTER
  //| // TODO(v7) Produce: the product of two matrices of halves, in float, with wmma fragments.
  //| //   Constraint: the sums are float. Fragments are loaded from addresses that are multiples of 32 bytes, with rows
  //| //     that are a multiple of 16 bytes apart, and stored likewise; any m, k and n.
  //| //   Hint: use v5 with 16 x 16 fragments instead of numbers. Slices in __shared__ memory are aligned even if the
  //| //     rows of A and B are not. Store a fragment at the edge of C to __shared__ memory first.
  //| //   Check: ./warpgrade check lab3 v7
  // END SOLUTION
}

void matmul_half(const __half* d_a, const __half* d_b, float* d_c, size_t m, size_t k, size_t n, cudaStream_t stream) {
  // BEGIN SOLUTION
  if (m == 0 || n == 0) return;
  const size_t tiles_down = (m + kTile - 1) / kTile;
  const size_t tiles_across = (n + kTile - 1) / kTile;
  const dim3 grid(static_cast<unsigned>(tiles_down * tiles_across));
  matmul_v7<<<grid, kThreads, 0, stream>>>(d_a, d_b, d_c, m, k, n);
  // ELSE STARTER
  //| NOT_WRITTEN_YET();
  //| // TODO(v7) Produce: a launch of matmul_v7 on `stream`, one block for each tile of C.
  //| //   Constraint: as in v1: do not launch for an empty C; any number of rows and columns.
  //| //   Hint: the launch of v5 fits.
  //| //   Check: ./warpgrade check lab3 v7
  //| const dim3 grid(1);
  //| matmul_v7<<<grid, kThreads, 0, stream>>>(d_a, d_b, d_c, m, k, n);
  // END SOLUTION
}

LAB3_HALF_RUNG();
