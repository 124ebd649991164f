// Generated from solutions/lab2/v1_naive.cu by `warpgrade make-starter`; yours to edit.
// lab2 v1: naive.
//
// Why: two nested loops on the host use one core, which moves one element at a time. Here every element gets a thread
// of its own.
#include <algorithm>

#include "labs/lab2/lab2.h"

constexpr int kTile = 32;  // a block covers kTile x kTile elements, one thread each

// Lanes of a warp have consecutive threadIdx.x.
template <typename T>
__global__ void transpose_v1(const T* d_in, T* d_out, size_t rows, size_t columns) {
  // TODO(v1) Produce: the element in row r, column c of d_in, at row c, column r of d_out.
  //   Constraint: one thread moves one element. In the last blocks some threads have no element.
  //   Hint: compute row and column first, as size_t. Which of the two should threadIdx.x count?
  //   Check: ./warpgrade check lab2 v1
}

template <typename T>
void transpose(const T* d_in, T* d_out, size_t rows, size_t columns, cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v1) Produce: a launch of transpose_v1 on `stream` whose blocks cover every element.
  //   Constraint: do not launch for an empty matrix. At most lab2::kMaxGridY blocks along y, for any number of
  //     rows.
  //   Hint: round up when you count tiles. Blocks that do not fit along y can continue along z.
  //   Check: ./warpgrade check lab2 v1
  const dim3 block(kTile, kTile);
  const dim3 grid(1);
  transpose_v1<<<grid, block, 0, stream>>>(d_in, d_out, rows, columns);
}

LAB2_INSTANTIATE();
