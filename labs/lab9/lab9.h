// lab9, sparse matrix times vector: what you implement, once per rung (v1_thread.cu ... v4_open.cu).
//
// Includable without nvcc: the judge and the tests read it too.
#pragma once

#include <cstddef>
#include <cstdint>

#include "labs/not_written.h"

// The same declaration as the CUDA headers' own, so that this header needs none of them.
typedef struct CUstream_st* cudaStream_t;

// y = A x, where most elements of A are 0. Only the others, the "nonzeros", are stored, row after row. This form has
// the name CSR (compressed sparse rows):
//
//          | .  5  .  1 |       d_offsets  0 2 2 3 6       row r has the nonzeros d_offsets[r] ... d_offsets[r + 1] - 1
//      A = | .  .  .  . |       d_columns  1 3 2 3 0 1     the column of each nonzero
//          | .  .  7  . |       d_values   5 1 7 4 2 6     its value
//          | 2  6  .  4 |
//
//      d_y[r] = sum over k = d_offsets[r] ... d_offsets[r + 1] - 1 of d_values[k] * d_x[d_columns[k]]
//
// - rows, columns and nonzeros are 0 to 10^9 each, so the sum of two of them is an int. A is not always square.
// - An array without elements may be null; d_offsets always has rows + 1 elements.
// - A row has any number of nonzeros, from 0 to all of them. An empty row has the sum 0.
// - The columns of a row are in any order. A column can occur in a row several times; then all its values count.
// - d_y can hold any values before the call. Each of its `rows` elements must be written.
// - The other arrays are only read.
// - Compute in float, in any order. Values are finite. Elements of d_x may be infinite or NaN.
// - Such an element of d_x must affect only the rows that have a nonzero in its column.
// - The arrays do not overlap. They start where cudaMalloc starts an array (at a multiple of 256 bytes).
// - A row starts anywhere.
// - All work goes onto `stream`. Return without waiting for it, and allocate nothing.
void spmv(const int* d_offsets, const int* d_columns, const float* d_values, const float* d_x, float* d_y, int rows,
          int columns, int nonzeros, cudaStream_t stream);

namespace lab9 {

// n / d, rounded up. REQUIRES: n + d < 2^31.
inline constexpr int DivideUp(int n, int d) { return (n + d - 1) / d; }

// LabCall: sizes {rows, columns, nonzeros}, buffers {d_offsets, d_columns, d_values, d_x, d_y}.
struct Arguments {
  const int* d_offsets = nullptr;
  const int* d_columns = nullptr;
  const float* d_values = nullptr;
  const float* d_x = nullptr;
  float* d_y = nullptr;
  int rows = 0, columns = 0, nonzeros = 0;
};

// What the tests and the grader call. Defined by the last line of every rung's file.
void CallRung(const Arguments& a, cudaStream_t stream);

}  // namespace lab9

// The last line of every rung.
#define LAB9_RUNG()                                                                                  \
  void lab9::CallRung(const lab9::Arguments& a, cudaStream_t stream) {                               \
    spmv(a.d_offsets, a.d_columns, a.d_values, a.d_x, a.d_y, a.rows, a.columns, a.nonzeros, stream); \
  }                                                                                                  \
  static_assert(true, "so that a semicolon may follow")
