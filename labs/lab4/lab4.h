// lab4, convolution: what you implement, once per rung (v1_naive.cu ... v10_planes.cu).
//
// Includable without nvcc: the judge and the tests read it too.
#pragma once

#include <cstddef>
#include <cstdint>

#include "labs/not_written.h"

// The same declaration as the CUDA headers' own, so that this header needs none of them.
typedef struct CUstream_st* cudaStream_t;

// The mask slides over the input as it is given. In one dimension, with r = mask_width / 2:
//
//      d_in      [ a  b  c  d  e  f  g ]      mask_width = 3, r = 1
//                        |  |  |
//      d_mask          [ x  y  z ]            not turned around
//                           |
//      d_out     [ .  .  .  D  .  .  . ]      D = x * c + y * d + z * e
//
//      d_out[i] = sum over j = 0 ... mask_width - 1 of d_mask[j] * d_in[i - r + j]
//
// Elements of d_in that do not exist (before the first, after the last) are "ghosts", and count as the number 0.
//
// For all functions:
// - Any n, rows and columns: also 0, and also less than those of the mask. An array without elements may be null.
// - The width of a mask is odd and at most 127. In two dimensions, its rows and its columns are odd and at most 31.
// - Compute in float (FFMA), in any order. Values of the mask are finite. Values of d_in may be infinite or NaN. Such a
//   value must affect only the elements of d_out whose mask covers it (0 * infinity is NaN, as always).
// - n and rows * columns may be larger than 2^32, so indices are size_t. gridDim.x is at most 2^31 - 1, and gridDim.y
//   and gridDim.z are at most 65535.
// - The arrays do not overlap. They start where cudaMalloc starts an array (at a multiple of 256 bytes). All of them,
//   also the masks, are in device memory.
// - Launches on `stream` and returns: no allocation, no synchronisation, no other stream. The work of one
//   call ends before the work of the next call begins, so you may keep data in __constant__ memory.

// v1, v2, v3, v7: n elements.
void convolve_1d(const float* d_in, const float* d_mask, float* d_out, size_t n, int mask_width, cudaStream_t stream);

// v4, v5, v8, v9: images of rows x columns, row-major, as are the masks. With r = mask_rows / 2 and s = mask_columns /
// 2:
//
//      out[y][x] = sum over i and j of mask[i][j] * in[y - r + i][x - s + j]
void convolve_2d(const float* d_in, const float* d_mask, float* d_out, size_t rows, size_t columns, int mask_rows,
                 int mask_columns, cudaStream_t stream);

// v6: the same, with a mask that is the product of a column and a row: mask[i][j] = column_mask[i] * row_mask[j].
// d_column_mask has mask_rows elements, d_row_mask has mask_columns. d_workspace has room for rows * columns floats,
// which can have any values before the call.
void convolve_separable(const float* d_in, const float* d_column_mask, const float* d_row_mask, float* d_workspace,
                        float* d_out, size_t rows, size_t columns, int mask_rows, int mask_columns,
                        cudaStream_t stream);

// v10: as many images as there are planes, all of the same size and with the same mask. A picture in colour has three
// planes: all values of red, then all of green, then all of blue. Element [y][x] of plane c is at
//
//      d_in[(c * rows + y) * columns + x]
//
// The planes are convolved one by one: below the last row of a plane are ghosts, not the first row of the next plane.
// planes may be 0. planes and rows are at most 65535.
void convolve_planes(const float* d_in, const float* d_mask, float* d_out, size_t planes, size_t rows, size_t columns,
                     int mask_rows, int mask_columns, cudaStream_t stream);

namespace lab4 {

inline constexpr int kMaxWidth = 127;  // of a mask in one dimension
inline constexpr int kMaxSide = 31;    // of a mask in two

// The most blocks that a grid may have along y, and along z. Along x there may be 2^31 - 1.
inline constexpr size_t kMaxGridY = 65535;

// LabCall::variant, Case::variant: which of the functions. sizes: {rows, columns, mask_rows, mask_columns},
// where a line of n elements is one row; kPlanes has a fifth, planes. buffers: {d_in, d_mask, d_out}; those of
// kSeparable: {d_in, d_column_mask, d_row_mask, d_workspace, d_out}.
enum Variant : int32_t { kLine = 0, kImage = 1, kSeparable = 2, kPlanes = 3 };

inline constexpr const char* FunctionName(int32_t variant) {
  if (variant == kPlanes) return "convolve_planes";
  return variant == kLine ? "convolve_1d" : variant == kImage ? "convolve_2d" : "convolve_separable";
}

// One call, whichever the function.
struct Arguments {
  const float* d_in = nullptr;
  const float* d_mask = nullptr;      // the column mask of kSeparable
  const float* d_row_mask = nullptr;  // kSeparable
  float* d_workspace = nullptr;       // kSeparable
  float* d_out = nullptr;
  size_t rows = 0, columns = 0;
  int mask_rows = 1, mask_columns = 1;
  size_t planes = 1;  // kPlanes
};

// What the tests and the grader call. Defined by the last line of every rung's file.
void CallRung(const Arguments& a, cudaStream_t stream);
Variant RungVariant();

}  // namespace lab4

// The last line of v1, v2, v3 and v7; of v4, v5, v8 and v9; of v6; of v10.
#define LAB4_LINE_RUNG() \
  LAB4_RUNG_OF(lab4::kLine, convolve_1d(a.d_in, a.d_mask, a.d_out, a.columns, a.mask_columns, stream))
#define LAB4_IMAGE_RUNG()    \
  LAB4_RUNG_OF(lab4::kImage, \
               convolve_2d(a.d_in, a.d_mask, a.d_out, a.rows, a.columns, a.mask_rows, a.mask_columns, stream))
#define LAB4_SEPARABLE_RUNG()                                                                                       \
  LAB4_RUNG_OF(lab4::kSeparable, convolve_separable(a.d_in, a.d_mask, a.d_row_mask, a.d_workspace, a.d_out, a.rows, \
                                                    a.columns, a.mask_rows, a.mask_columns, stream))
#define LAB4_PLANES_RUNG()                                                                                         \
  LAB4_RUNG_OF(lab4::kPlanes, convolve_planes(a.d_in, a.d_mask, a.d_out, a.planes, a.rows, a.columns, a.mask_rows, \
                                              a.mask_columns, stream))
#define LAB4_RUNG_OF(variant, call)                                            \
  lab4::Variant lab4::RungVariant() { return variant; }                        \
  void lab4::CallRung(const lab4::Arguments& a, cudaStream_t stream) { call; } \
  static_assert(true, "so that a semicolon may follow")
