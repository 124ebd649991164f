// How a handler iterates over the 32 lanes of a warp. A row holds the values of all lanes next to each other. If all
// lanes run, the compiler turns the loop over a row into vector instructions; if some do not, the results are blended.
// Included once per instruction set.
#pragma once

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include <cstdint>

#include "grader/emulator/machine/handlers/table.h"
#include "grader/emulator/state/execution.h"

namespace warpgrade::emulator {
namespace {

// Values up to 32 bits live in 32-bit rows, 64-bit values in 64-bit rows.
template <int kBytes>
struct StorageOf {
  using Type = uint32_t;
};
template <>
struct StorageOf<8> {
  using Type = uint64_t;
};
template <typename T>
using Storage = typename StorageOf<sizeof(T)>::Type;

template <int kBytes>
struct UnsignedOf;
template <>
struct UnsignedOf<1> {
  using Type = uint8_t;
};
template <>
struct UnsignedOf<2> {
  using Type = uint16_t;
};
template <>
struct UnsignedOf<4> {
  using Type = uint32_t;
};
template <>
struct UnsignedOf<8> {
  using Type = uint64_t;
};
template <typename T>
using Bits = typename UnsignedOf<sizeof(T)>::Type;

template <typename T>
inline T Get(Storage<T> cell) {
  return __builtin_bit_cast(T, static_cast<Bits<T>>(cell));
}
template <typename T>
inline Storage<T> Put(T value) {
  return static_cast<Storage<T>>(__builtin_bit_cast(Bits<T>, value));
}

// dst[lane] = f(lane) for the lanes of the mask. Source and destination may be the same row, but must not overlap
// otherwise. If some lanes do not run, it goes through the row by vectors of 64 bytes, and leaves out those without a
// lane that runs: often only the first few lanes do.
template <typename T, typename F>
inline void ForLanes(const Exec& x, uint32_t dst, F f) {
  Storage<T>* d = Row<Storage<T>>(x, dst);
  if (x.mask == kAllLanes) {
#pragma GCC ivdep
    for (int lane = 0; lane < kLanes; ++lane) d[lane] = Put<T>(f(lane));
    return;
  }
  constexpr int kTogether = 64 / sizeof(Storage<T>);
  uint32_t left = x.mask;
  for (int first = 0; left != 0; first += kTogether, left >>= kTogether) {
    const uint32_t mask = left & ((1u << kTogether) - 1u);
    if (mask == 0) continue;
#pragma GCC ivdep
#pragma GCC unroll 1
    for (int k = 0; k < kTogether; ++k) {
      Storage<T> value = Put<T>(f(first + k));
      d[first + k] = (mask >> k) & 1 ? value : d[first + k];
    }
  }
}

// dst predicate bit[lane] = f(lane) for the lanes of the mask.
template <typename F>
inline uint32_t PredicateOf(F f) {
  // Fills a row of truth values first, which the compiler turns into vector comparisons, and then collects their sign
  // bits.
  alignas(64) int32_t truth[kLanes];
#pragma GCC ivdep
  for (int lane = 0; lane < kLanes; ++lane) truth[lane] = f(lane) ? -1 : 0;
#if defined(__AVX512DQ__)
  return static_cast<uint32_t>(_mm512_movepi32_mask(_mm512_load_si512(truth))) |
         static_cast<uint32_t>(_mm512_movepi32_mask(_mm512_load_si512(truth + 16))) << 16;
#else
  uint32_t bits = 0;
#if defined(__AVX2__)
  for (int k = 0; k < kLanes; k += 8) {
    __m256i eight = _mm256_load_si256(reinterpret_cast<const __m256i*>(truth + k));
    bits |= static_cast<uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(eight))) << k;
  }
#else
  for (int lane = 0; lane < kLanes; ++lane) bits |= static_cast<uint32_t>(truth[lane] & 1) << lane;
#endif
  return bits;
#endif
}
inline void SetPredicate(const Exec& x, uint32_t dst, uint32_t bits) {
  uint32_t* d = Row<uint32_t>(x, dst);
  *d = (*d & ~x.mask) | (bits & x.mask);
}

template <typename Op>
void Unary(Exec& x, const Inst& i) {
  using A = typename Op::A;
  const Storage<A>* a = Row<Storage<A>>(x, i.a);
  ForLanes<typename Op::D>(x, i.dst, [=](int l) { return Op::F(Get<A>(a[l])); });
}

template <typename Op>
void Binary(Exec& x, const Inst& i) {
  using A = typename Op::A;
  using B = typename Op::B;
  const Storage<A>* a = Row<Storage<A>>(x, i.a);
  const Storage<B>* b = Row<Storage<B>>(x, i.b);
  ForLanes<typename Op::D>(x, i.dst, [=](int l) { return Op::F(Get<A>(a[l]), Get<B>(b[l])); });
}

template <typename Op>
void Ternary(Exec& x, const Inst& i) {
  using A = typename Op::A;
  using B = typename Op::B;
  using C = typename Op::C;
  const Storage<A>* a = Row<Storage<A>>(x, i.a);
  const Storage<B>* b = Row<Storage<B>>(x, i.b);
  const Storage<C>* c = Row<Storage<C>>(x, i.c);
  ForLanes<typename Op::D>(x, i.dst, [=](int l) { return Op::F(Get<A>(a[l]), Get<B>(b[l]), Get<C>(c[l])); });
}

}  // namespace
}  // namespace warpgrade::emulator
