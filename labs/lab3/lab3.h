// lab3, matmul: what you implement, once per rung (v1_naive.cu ... v7_tensor.cu).
//
// Includable without nvcc: the judge and the tests read it too.
#pragma once

#include <cstddef>
#include <cstdint>

#include "labs/not_written.h"

// The same declarations as the CUDA headers' own, so that this header needs none of them.
typedef struct CUstream_st* cudaStream_t;
typedef struct __half __half;  // NOLINT(bugprone-reserved-identifier): it is CUDA's own name

// Writes the matrix product A * B to C, for rungs v1 to v6.
//
//                      n
//              +---------------+
//              |               |      d_a   m x k, row-major: row i, column l is element i * k + l
//            k |       B       |      d_b   k x n, row-major: row l, column j is element l * n + j
//              |               |      d_c   m x n, row-major: row i, column j is element i * n + j
//        k     +---------------+
//    +-------+ +---------------+
//    |       | |               |      C[i][j] is the sum over l of A[i][l] * B[l][j]
//  m |   A   | |       C       |
//    |       | |               |
//    +-------+ +---------------+
//
// - Any m, k and n, also 0 and 1. An array without elements may be a null pointer. With k = 0 every element of C is an
//   empty sum, which is 0. You must write this 0.
// - Compute products and sums in float (FFMA), in any order. Round nothing to a shorter type. Values may be infinite or
//   NaN. Such a value must affect only the elements of C whose sums contain it.
// - m * k, k * n and m * n may each be larger than 2^32, so indices are size_t. gridDim.x is at most 2^31 - 1, and
//   gridDim.y and gridDim.z are at most 65535.
// - d_a, d_b and d_c do not overlap. They start where cudaMalloc starts an array (at a multiple of 256 bytes).
// - Launches on `stream` and returns: no allocation, no synchronisation, no other stream.
void matmul(const float* d_a, const float* d_b, float* d_c, size_t m, size_t k, size_t n, cudaStream_t stream);

// The same for rung v7: A and B hold halves; products and sums are still float, and so is C.
void matmul_half(const __half* d_a, const __half* d_b, float* d_c, size_t m, size_t k, size_t n, cudaStream_t stream);

namespace lab3 {

// The most blocks that a grid may have along y, and along z. Along x there may be 2^31 - 1.
inline constexpr size_t kMaxGridY = 65535;

// LabCall::variant, Case::variant: the type of A and B. sizes: {m, k, n}. buffers: {d_a, d_b, d_c}.
enum Variant : int32_t { kFloat = 0, kHalf = 1 };

inline constexpr const char* Name(int32_t variant) { return variant == kHalf ? "half" : "float"; }
inline constexpr size_t InputBytes(int32_t variant) { return variant == kHalf ? 2 : 4; }

// What the tests and the grader call. Defined by the last line of every rung's file.
void CallRung(const void* d_a, const void* d_b, float* d_c, size_t m, size_t k, size_t n, cudaStream_t stream);
Variant RungVariant();

}  // namespace lab3

// The last line of v1 to v6, and that of v7.
#define LAB3_RUNG() LAB3_RUNG_OF(matmul, float, lab3::kFloat)
#define LAB3_HALF_RUNG() LAB3_RUNG_OF(matmul_half, __half, lab3::kHalf)
#define LAB3_RUNG_OF(function, T, variant)                                                        \
  lab3::Variant lab3::RungVariant() { return variant; }                                           \
  void lab3::CallRung(const void* d_a, const void* d_b, float* d_c, size_t m, size_t k, size_t n, \
                      cudaStream_t stream) {                                                      \
    function(static_cast<const T*>(d_a), static_cast<const T*>(d_b), d_c, m, k, n, stream);       \
  }                                                                                               \
  static_assert(true, "so that a semicolon may follow")
