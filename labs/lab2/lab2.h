// lab2, transpose: what you implement, once per rung (v1_naive.cu ... v5_open.cu).
//
// Includable without nvcc: the judge and the tests read it too.
#pragma once

#include <cstddef>
#include <cstdint>

#include "labs/not_written.h"

// The same typedef as the CUDA runtime's own, so that this header needs no CUDA header.
typedef struct CUstream_st* cudaStream_t;

// Writes the transpose of d_in to d_out: the element in row r, column c of d_in goes to row c, column r of d_out.
//
//   d_in    rows x columns, row-major: row r, column c is element r * columns + c
//   d_out   columns x rows, row-major: row c, column r is element c * rows + r
//
// - Any rows and columns, also 0 (then the pointers may be null and there is nothing to launch), also a single row.
// - T is float, double or int. Move the elements and compute nothing: every bit must stay the same, in NaNs too.
// - rows * columns may be larger than 2^32, so indices are size_t. gridDim.y is at most 65535; rows / 32 may be larger.
// - d_in and d_out do not overlap. They start where cudaMalloc starts an array (at a multiple of 256 bytes).
// - Launches on `stream` and returns: no allocation, no synchronisation, no other stream.
template <typename T>
void transpose(const T* d_in, T* d_out, size_t rows, size_t columns, cudaStream_t stream);

// The last line of every rung's file: compiles transpose() for each element type that the tests and the grader call.
#define LAB2_INSTANTIATE()                                                               \
  template void transpose<float>(const float*, float*, size_t, size_t, cudaStream_t);    \
  template void transpose<double>(const double*, double*, size_t, size_t, cudaStream_t); \
  template void transpose<int>(const int*, int*, size_t, size_t, cudaStream_t)

namespace lab2 {

// The most blocks that a grid may have along y, and along z. Along x there may be 2^31 - 1.
inline constexpr size_t kMaxGridY = 65535;

// LabCall::variant, Case::variant. sizes: {rows, columns}. buffers: {d_in, d_out}.
enum Variant : int32_t { kFloat = 0, kDouble = 1, kInt = 2 };
inline constexpr int kVariantCount = 3;

inline constexpr const char* Name(int32_t variant) {
  return variant == kFloat ? "float" : variant == kDouble ? "double" : "int";
}
inline constexpr size_t ElementBytes(int32_t variant) { return variant == kDouble ? 8 : 4; }

}  // namespace lab2
