// lab7, histogram: what you implement, once per rung (v1_global.cu ... v4_open.cu).
//
// Includable without nvcc: the judge and the tests read it too.
#pragma once

#include <cstddef>
#include <cstdint>

#include "labs/not_written.h"

// The same declaration as the CUDA headers' own, so that this header needs none of them.
typedef struct CUstream_st* cudaStream_t;

// Counts how often each value occurs: d_bins[b] becomes the number of elements of d_in that equal b.
//
//   d_in    3 1 3 0 7 3 -2       n = 7
//   d_bins  1 1 0 3 0            bins = 5: one 0, one 1, no 2, three 3s, no 4. 7 and -2 belong to no bin
//
//   d_in    n elements on the device, read-only, of type T: uint8_t or int. May be null when n = 0.
//   d_bins  `bins` counters on the device. They can hold any values before the call.
//   stream  all work goes onto this stream. Return without waiting for it, and allocate nothing.
//
// - n is 0 to 2^32 - 1. So every count fits into an unsigned int, but an int that counts elements can overflow.
// - 1 <= bins <= lab7::kMaxBins. Elements below 0 or from `bins` on are not counted, and there may be many of them.
// - d_in and d_bins start where cudaMalloc starts an array (at a multiple of 256 bytes), and do not overlap.
// - A block can use 48 KB of shared memory without a special request (cudaFuncSetAttribute).
template <typename T>
void histogram(const T* d_in, size_t n, unsigned* d_bins, int bins, cudaStream_t stream);

namespace lab7 {

inline constexpr int kMaxBins = 4096;  // 16 KB of counters

// n / d, rounded up.
inline constexpr size_t DivideUp(size_t n, size_t d) { return (n + d - 1) / d; }

// LabCall::variant, Case::variant: the type of the elements. sizes: {n, bins}. buffers: {d_in, d_bins}.
enum Variant : int32_t { kByte = 0, kInt = 1 };

inline constexpr const char* Name(int32_t variant) { return variant == kInt ? "int" : "byte"; }
inline constexpr size_t ElementBytes(int32_t variant) { return variant == kInt ? 4 : 1; }

// What the tests and the grader call. Defined by the last line of every rung's file.
void CallRung(int32_t variant, const void* d_in, size_t n, unsigned* d_bins, int bins, cudaStream_t stream);

}  // namespace lab7

// The last line of every rung: compiles histogram() for both types.
#define LAB7_RUNG()                                                                                                   \
  void lab7::CallRung(int32_t variant, const void* d_in, size_t n, unsigned* d_bins, int bins, cudaStream_t stream) { \
    if (variant == lab7::kInt) return histogram(static_cast<const int*>(d_in), n, d_bins, bins, stream);              \
    histogram(static_cast<const uint8_t*>(d_in), n, d_bins, bins, stream);                                            \
  }                                                                                                                   \
  static_assert(true, "so that a semicolon may follow")
