// lab1, reduction: what you implement, once per rung (v1_interleaved_modulo.cu ... v9_one_pass.cu). The tests, the
// benchmark and the grader call reduce() and nothing else in your file.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <limits>

#include "labs/lab1/layout.h"
#include "labs/not_written.h"

// The two operations. Both are associative and commutative up to rounding, so you may combine elements in any order.
// neutral() combined with x gives x: it is what a thread without an element contributes.
template <typename T>
struct Sum {
  static __host__ __device__ T neutral() { return T(0); }
  __host__ __device__ T operator()(T a, T b) const { return a + b; }
};

// Below every other T: -infinity for float and double, INT_MIN for int.
template <typename T>
constexpr T kLowest = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                           : std::numeric_limits<T>::lowest();

template <typename T>
struct Max {
  static __host__ __device__ T neutral() { return kLowest<T>; }
  __host__ __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};

// Writes Op over d_in[0] .. d_in[n-1] to d_out[0]; for n = 0, Op's neutral element.
//
//   d_in    n elements on the device, read-only; aligned to sizeof(T), maybe no further. May be null when n = 0.
//   d_out   one element on the device. It can hold any values before the call, and only d_out[0] may be written.
//   d_work  WorkElements(n) elements on the device for you to use as you like. It can hold any values before the call.
//   stream  all work goes onto this stream. Return without waiting for it; calls on other streams may run meanwhile,
//           each with its own d_in, d_out and d_work.
//
// n may be 0, and it may be larger than 2^31, so count elements with size_t. Allocate nothing: d_work is all you need.
// T is int, float or double, Op is Sum<T> or Max<T>. No input is NaN and no integer sum overflows.
template <typename T, typename Op>
void reduce(const T* d_in, size_t n, T* d_out, T* d_work, cudaStream_t stream);

// n / d, rounded up.
constexpr size_t divide_up(size_t n, size_t d) { return (n + d - 1) / d; }

// Given: the host side of v1 to v6. One block can only combine what it holds, so one launch leaves one partial result
// per block, and the next launch reduces those, until one is left:
//
//   d_in    [ block 0 | block 1 | block 2 | ... ]      n elements
//                |         |         |
//   d_work  [    x         x         x  ...     ]      divide_up(n, per_block) partial results, and so on
//                \________ | ________/
//   d_out                 [x]
//
// Calls launch(in, count, out, blocks) once per pass. It must launch `blocks` blocks. Block b writes Op over
// in[b * per_block] .. in[min((b+1) * per_block, count) - 1] to out[b]. With n = 0 there is one block and no element.
// REQUIRES: per_block >= 32 (else d_work is too small).
template <typename T, typename Launch>
void reduce_in_passes(const T* d_in, size_t n, T* d_out, T* d_work, size_t per_block, Launch launch) {
  size_t blocks = divide_up(n, per_block);
  while (blocks > 1) {
    launch(d_in, n, d_work, static_cast<unsigned>(blocks));
    d_in = d_work;     // the partial results are the next pass's input,
    n = blocks;        // as many as there were blocks,
    d_work += blocks;  // and what the next pass writes comes after them
    blocks = divide_up(n, per_block);
  }
  launch(d_in, n, d_out, 1u);
}

// Last line of every rung: compiles reduce() for the six combinations that are called.
#define LAB1_INSTANTIATE_FOR(T, Op) template void reduce<T, Op<T>>(const T*, size_t, T*, T*, cudaStream_t)
#define LAB1_INSTANTIATE()           \
  LAB1_INSTANTIATE_FOR(int, Sum);    \
  LAB1_INSTANTIATE_FOR(int, Max);    \
  LAB1_INSTANTIATE_FOR(float, Sum);  \
  LAB1_INSTANTIATE_FOR(float, Max);  \
  LAB1_INSTANTIATE_FOR(double, Sum); \
  LAB1_INSTANTIATE_FOR(double, Max)

namespace lab1 {

template <typename T>
void CallReduceOf(Operation operation, const void* d_in, size_t n, void* d_out, void* d_work, cudaStream_t stream) {
  if (operation == Operation::kSum) {
    reduce<T, Sum<T>>(static_cast<const T*>(d_in), n, static_cast<T*>(d_out), static_cast<T*>(d_work), stream);
  } else {
    reduce<T, Max<T>>(static_cast<const T*>(d_in), n, static_cast<T*>(d_out), static_cast<T*>(d_work), stream);
  }
}

// Calls reduce() for a variant.
inline void CallReduce(Variant variant, const void* d_in, size_t n, void* d_out, void* d_work, cudaStream_t stream) {
  switch (variant.element) {
    case Element::kInt:
      return CallReduceOf<int>(variant.operation, d_in, n, d_out, d_work, stream);
    case Element::kFloat:
      return CallReduceOf<float>(variant.operation, d_in, n, d_out, d_work, stream);
    case Element::kDouble:
      return CallReduceOf<double>(variant.operation, d_in, n, d_out, d_work, stream);
  }
}

}  // namespace lab1
