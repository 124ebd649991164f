// lab5, scan: what you implement, once per rung (v1_hillis_steele.cu ... v6_look_back.cu).
//
// Includable without nvcc: the judge and the tests read it too.
#pragma once

#include <cstddef>
#include <cstdint>

#include "labs/not_written.h"

// The same declaration as the CUDA headers' own, so that this header needs none of them.
typedef struct CUstream_st* cudaStream_t;

// An inclusive scan counts an element into its own sum, an exclusive scan does not:
//
//   d_in         3   1   7   0   4
//   kInclusive   3   4  11  11  15      d_out[i] = d_in[0] + ... + d_in[i]
//   kExclusive   0   3   4  11  11      d_out[i] = d_in[0] + ... + d_in[i - 1], and d_out[0] = 0
enum class ScanKind : int32_t { kInclusive = 0, kExclusive = 1 };

// Writes the scan of d_in[0] .. d_in[n - 1] to d_out[0] .. d_out[n - 1].
//
//   d_in    n elements on the device, read-only.
//   d_out   n elements on the device. They can hold any values before the call.
//   d_work  WorkElements(n) elements on the device for you to use as you like. It can hold any values before the call:
//           nobody has cleared them, and they may hold the values of your last call.
//   stream  all work goes onto this stream. Return without waiting for it; allocate nothing.
//
// - T is int or float. No sum of ints overflows. Floats may be infinite or NaN. Such an element must affect only the
//   sums that contain it. You may add floats in any order.
// - n may be 0, and it may be larger than 2^31, so count elements with size_t. With n = 0 there is nothing to do, and
//   d_in and d_out may be null. gridDim.x is at most 2^31 - 1, and gridDim.y and gridDim.z are at most 65535.
// - The three arrays do not overlap. They start where cudaMalloc starts an array (at a multiple of 256 bytes).
template <typename T>
void scan(const T* d_in, T* d_out, size_t n, ScanKind kind, T* d_work, cudaStream_t stream);

// The size of d_work: two elements for each block of 256 elements, for each 256 of those blocks, and so on; or 8 bytes
// for each tile of 256 elements, plus 2 KB.
constexpr size_t WorkElements(size_t n) { return n / 64 + 1024; }

// n / d, rounded up.
constexpr size_t divide_up(size_t n, size_t d) { return n / d + (n % d != 0 ? 1 : 0); }

// Last line of every rung: compiles scan() for the two types that are called.
#define LAB5_INSTANTIATE()                                                         \
  template void scan<int>(const int*, int*, size_t, ScanKind, int*, cudaStream_t); \
  template void scan<float>(const float*, float*, size_t, ScanKind, float*, cudaStream_t)

namespace lab5 {

// LabCall::variant, Case::variant: type and kind. sizes: {n}. buffers: {d_in, d_out, d_work}.
enum Variant : int32_t { kIntInclusive = 0, kIntExclusive = 1, kFloatInclusive = 2, kFloatExclusive = 3 };
inline constexpr int32_t kVariantCount = 4;

inline constexpr bool IsFloat(int32_t variant) { return variant >= kFloatInclusive; }
inline constexpr ScanKind KindOf(int32_t variant) {
  return variant % 2 == 0 ? ScanKind::kInclusive : ScanKind::kExclusive;
}
inline constexpr size_t kElementBytes = 4;  // of an int and of a float

// Calls scan() for a variant.
inline void CallScan(int32_t variant, const void* d_in, void* d_out, size_t n, void* d_work, cudaStream_t stream) {
  if (IsFloat(variant)) {
    scan(static_cast<const float*>(d_in), static_cast<float*>(d_out), n, KindOf(variant), static_cast<float*>(d_work),
         stream);
  } else {
    scan(static_cast<const int*>(d_in), static_cast<int*>(d_out), n, KindOf(variant), static_cast<int*>(d_work),
         stream);
  }
}

}  // namespace lab5

#ifdef __CUDACC__
#include "labs/lab5/levels.h"  // given: the host's side of v1 to v4
#endif
