// Generated from solutions/lab8/v8_transpose.cu by `warpgrade make-starter`; yours to edit.
// lab8 v8: rectangles.
//
// The transpose with a tile in shared memory. The text computes its figures with square matrices.
//
// TODO(v8) Find the fault, mend it, and name it in the last lines.
//   Constraint: loads and stores of a warp stay in a row.
//   Hint: for which rows and columns does the kernel work, and for which is something missing, or too much?
//   Check: ./warpgrade check lab8 v8
#include "labs/lab8/lab8.h"

constexpr int kTile = 32, kRows = 8;  // a block has kRows x kTile threads

__global__ void transpose_v8(const int* d_in, int* d_out, size_t rows, size_t columns) {
  __shared__ int tile[kTile][kTile + 1];
  size_t x = size_t{blockIdx.x} * kTile + threadIdx.x, y = size_t{blockIdx.y} * kTile + threadIdx.y;
  for (int k = 0; k < kTile; k += kRows) {
    if (x < columns && y + k < rows) tile[threadIdx.y + k][threadIdx.x] = d_in[(y + k) * columns + x];  // (A)
  }
  __syncthreads();                               // (B)
  x = size_t{blockIdx.y} * kTile + threadIdx.x;  // (C)
  y = size_t{blockIdx.x} * kTile + threadIdx.y;  // (D)
  for (int k = 0; k < kTile; k += kRows) {
    if (x < columns && y + k < rows) d_out[(y + k) * rows + x] = tile[threadIdx.x][threadIdx.y + k];  // (E)
  }
}

void transpose(const int* d_in, int* d_out, size_t rows, size_t columns, cudaStream_t stream) {
  if (rows == 0 || columns == 0) return;
  const dim3 grid(static_cast<unsigned>((columns + kTile - 1) / kTile),
                  static_cast<unsigned>((rows + kTile - 1) / kTile));
  transpose_v8<<<grid, dim3(kTile, kRows), 0, stream>>>(d_in, d_out, rows, columns);  // (F)
}

// What was wrong with the kernel as it was given?
// TODO(v8) Name the fault: its kind and two lines, as lab8.h explains. For example: kNoBarrier, 'A', 'B'.
LAB8_FAULT(kNotNamed, '-', '-');
LAB8_TRANSPOSE_RUNG();
