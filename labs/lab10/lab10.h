// lab10, sorting: what you implement, once per rung (v1_bitonic.cu ... v5_one_sweep.cu).
//
// Includable without nvcc: the judge and the tests read it too.
#pragma once

#include <cstddef>
#include <cstdint>

#include "labs/not_written.h"

// The same declaration as the CUDA headers' own, so that this header needs none of them.
typedef struct CUstream_st* cudaStream_t;

// Sorts n elements by their keys, the smallest key first. The key of an element is its `bits` lowest bits. The bits
// above are not part of the key; they travel with it. With bits = 4, and in hexadecimal:
//
//   d_in    0x37 0x12 0x42 0x90 0x11 0x72      the keys are 7 2 2 0 1 2
//   d_out   0x90 0x11 0x12 0x42 0x72 0x37
//
//   d_in    n elements on the device, read-only.
//   d_out   n elements on the device. They can hold any values before the call.
//   bits    32 in v1 and v2: there the whole element is the key. 1 to 32 in the other rungs, and not only multiples of
//           4. In those rungs the sort is *stable*: elements with the same key keep their order, as 0x12 0x42 0x72.
//   d_work  WorkElements(n) elements on the device for you to use as you like. They can hold any values before the
//           call: nobody has cleared them, and they may hold the values of your last call.
//   stream  all work goes onto this stream. Return without waiting for it, and allocate nothing.
//
// - n is less than 2^30, so a number of elements fits into 30 bits. With n = 0 there is nothing to do, and d_in and
// d_out may be null.
// - Keys are unsigned: 0xffffffff is the largest, and it can be among the elements.
// - The three arrays do not overlap. They start where cudaMalloc starts an array (at a multiple of 256 bytes).
void sort_keys(const uint32_t* d_in, uint32_t* d_out, size_t n, int bits, uint32_t* d_work, cudaStream_t stream);

// The size of d_work: a second array of elements, and as many words again, and some more, for counters.
constexpr size_t WorkElements(size_t n) { return 2 * n + 65536; }

// n / d, rounded up.
constexpr size_t divide_up(size_t n, size_t d) { return n / d + (n % d != 0 ? 1 : 0); }

namespace lab10 {

// LabCall::sizes: {n, bits}. buffers: {d_in, d_out, d_work}.
inline constexpr int kKeyBits = 32;  // the most

// What the tests and the grader call. Defined by the last line of every rung's file.
void CallRung(const uint32_t* d_in, uint32_t* d_out, size_t n, int bits, uint32_t* d_work, cudaStream_t stream);

}  // namespace lab10

// The last line of every rung.
#define LAB10_RUNG()                                                                                \
  void lab10::CallRung(const uint32_t* d_in, uint32_t* d_out, size_t n, int bits, uint32_t* d_work, \
                       cudaStream_t stream) {                                                       \
    sort_keys(d_in, d_out, n, bits, d_work, stream);                                                \
  }                                                                                                 \
  static_assert(true, "so that a semicolon may follow")
