// lab6, stencil: what you implement, once per rung (v1_naive.cu ... v4_open.cu).
//
// Includable without nvcc: the judge and the tests read it too.
#pragma once

#include <cstddef>
#include <cstdint>

#include "labs/not_written.h"

// The same declaration as the CUDA headers' own, so that this header needs none of them.
typedef struct CUstream_st* cudaStream_t;

namespace lab6 {

// at[1 + i][1 + j] is what the neighbour i rows down and j columns to the right is multiplied with; at[1][1] belongs to
// the element itself. With 5 points the four corners are 0.
struct Weights {
  float at[3][3];
};

}  // namespace lab6

// Does `steps` steps of a finite-difference scheme on a field of rows x columns floats. In each step all elements
// become, at the same time, a weighted sum of themselves and their neighbours of the step before:
//
//      9 points            5 points
//     +---+---+---+           +---+
//     | x | x | x |           | x |          new[r][c] = sum over i, j of at[1 + i][1 + j] * old[r + i][c + j]
//     +---+---+---+       +---+---+---+
//     | x | X | x |       | x | X | x |
//     +---+---+---+       +---+---+---+
//     | x | x | x |           | x |
//     +---+---+---+           +---+
//
// except the outermost ring (the first and the last row, the first and the last column), which keeps its values.
//
//   d_in    the field before the first step, row-major: row r, column c is element r * columns + c. Read-only.
//   d_out   the field after the last step; all of it has to be written, also the ring.
//   d_work  rows * columns floats for you to use as you like. d_out and d_work can hold any values before the call.
//
// - Any rows and columns: also 0 (then the pointers may be null), and 1 or 2 (then all elements are in the ring).
// - steps is 0 or more; points is 5 or 9. With 0 steps d_out is a copy of d_in. With 5 points leave the four corners
//   out of the sum: one may be NaN, and 0 * NaN is NaN.
// - Compute sums in float, in any order. Round nothing to a shorter type. Values may be infinite or NaN.
// - rows * columns may be larger than 2^32, so indices are size_t. gridDim.x is at most 2^31 - 1, and gridDim.y and
//   gridDim.z are at most 65535.
// - d_in, d_out and d_work do not overlap. They start where cudaMalloc starts an array (at a multiple of 256 bytes).
// - All work goes onto `stream`. Return without waiting for it, and allocate nothing.
void stencil(const float* d_in, float* d_out, float* d_work, size_t rows, size_t columns, int points,
             lab6::Weights weights, int steps, cudaStream_t stream);

namespace lab6 {

// n / d, rounded up.
inline constexpr size_t DivideUp(size_t n, size_t d) { return (n + d - 1) / d; }

// LabCall::variant, Case::variant: the number of points. sizes: {rows, columns, steps, weights (weights.h)}.
// buffers: {d_in, d_out, d_work}.
enum Variant : int32_t { kFive = 5, kNine = 9 };

// What the tests and the grader call. Defined by the last line of every rung's file.
void CallRung(const float* d_in, float* d_out, float* d_work, size_t rows, size_t columns, int points, Weights weights,
              int steps, cudaStream_t stream);

}  // namespace lab6

// The last line of every rung.
#define LAB6_RUNG()                                                                                            \
  void lab6::CallRung(const float* d_in, float* d_out, float* d_work, size_t rows, size_t columns, int points, \
                      Weights weights, int steps, cudaStream_t stream) {                                       \
    stencil(d_in, d_out, d_work, rows, columns, points, weights, steps, stream);                               \
  }                                                                                                            \
  static_assert(true, "so that a semicolon may follow")
