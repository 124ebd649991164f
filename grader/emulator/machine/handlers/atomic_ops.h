// The read-modify-write functions of atom and red, and the list of their keys.
#pragma once

#include "grader/emulator/machine/handlers/lanes.h"

namespace warpgrade::emulator {
namespace {

template <typename V>
struct AtomicAdd {
  using T = V;
  static T F(T o, T b, T) { return static_cast<T>(o + b); }
};
template <typename V>
struct AtomicMin {
  using T = V;
  static T F(T o, T b, T) { return b < o ? b : o; }
};
template <typename V>
struct AtomicMax {
  using T = V;
  static T F(T o, T b, T) { return b > o ? b : o; }
};
template <typename V>
struct AtomicAnd {
  using T = V;
  static T F(T o, T b, T) { return o & b; }
};
template <typename V>
struct AtomicOr {
  using T = V;
  static T F(T o, T b, T) { return o | b; }
};
template <typename V>
struct AtomicXor {
  using T = V;
  static T F(T o, T b, T) { return o ^ b; }
};
template <typename V>
struct AtomicExchange {
  using T = V;
  static T F(T, T b, T) { return b; }
};
template <typename V>
struct AtomicCas {
  using T = V;
  static T F(T o, T b, T c) { return o == b ? c : o; }
};
template <typename V>
struct AtomicInc {
  using T = V;
  static T F(T o, T b, T) { return o >= b ? T{0} : o + 1; }
};
template <typename V>
struct AtomicDec {
  using T = V;
  static T F(T o, T b, T) { return o == 0 || o > b ? b : o - 1; }
};
struct AtomicAddHalf2 {
  using T = uint32_t;
  static uint32_t One(uint32_t a, uint32_t b) {
    _Float16 p = __builtin_bit_cast(_Float16, static_cast<uint16_t>(a));
    _Float16 q = __builtin_bit_cast(_Float16, static_cast<uint16_t>(b));
    return __builtin_bit_cast(uint16_t, static_cast<_Float16>(static_cast<float>(p) + static_cast<float>(q)));
  }
  static T F(T o, T b, T) { return One(o, b) | (One(o >> 16, b >> 16) << 16); }
};
struct AtomicAddHalf {
  using T = uint16_t;
  static T F(T o, T b, T) { return static_cast<T>(AtomicAddHalf2::One(o, b)); }
};

// Adds in single precision, then rounds to nearest even on the half that bfloat drops. The single holds the sum exactly
// enough. If the exponents differ by more than a single's mantissa, the smaller operand is too small to change the
// rounding.
struct AtomicAddBFloat2 {
  using T = uint32_t;
  static uint32_t One(uint32_t a, uint32_t b) {
    float s = __builtin_bit_cast(float, a << 16) + __builtin_bit_cast(float, b << 16);
    uint32_t u = __builtin_bit_cast(uint32_t, s);
    return s != s ? 0x7FFF : (u + 0x7FFF + ((u >> 16) & 1)) >> 16;
  }
  static T F(T o, T b, T) { return One(o & 0xFFFF, b & 0xFFFF) | (One(o >> 16, b >> 16) << 16); }
};
struct AtomicAddBFloat {
  using T = uint16_t;
  static T F(T o, T b, T) { return static_cast<T>(AtomicAddBFloat2::One(o, b)); }
};

#define WARPGRADE_ATOMICS(prefix, Handle)                                                                             \
  {prefix ".add.u32", Handle<AtomicAdd<uint32_t>>}, {prefix ".add.u64", Handle<AtomicAdd<uint64_t>>},                 \
      {prefix ".add.f32", Handle<AtomicAdd<float>>}, {prefix ".add.f64", Handle<AtomicAdd<double>>},                  \
      {prefix ".add.f16x2", Handle<AtomicAddHalf2>}, {prefix ".add.f16", Handle<AtomicAddHalf>},                      \
      {prefix ".add.bf16x2", Handle<AtomicAddBFloat2>}, {prefix ".add.bf16", Handle<AtomicAddBFloat>},                \
      {prefix ".min.u32", Handle<AtomicMin<uint32_t>>}, {prefix ".min.s32", Handle<AtomicMin<int32_t>>},              \
      {prefix ".min.u64", Handle<AtomicMin<uint64_t>>}, {prefix ".min.s64", Handle<AtomicMin<int64_t>>},              \
      {prefix ".max.u32", Handle<AtomicMax<uint32_t>>}, {prefix ".max.s32", Handle<AtomicMax<int32_t>>},              \
      {prefix ".max.u64", Handle<AtomicMax<uint64_t>>}, {prefix ".max.s64", Handle<AtomicMax<int64_t>>},              \
      {prefix ".and.b32", Handle<AtomicAnd<uint32_t>>}, {prefix ".and.b64", Handle<AtomicAnd<uint64_t>>},             \
      {prefix ".or.b32", Handle<AtomicOr<uint32_t>>}, {prefix ".or.b64", Handle<AtomicOr<uint64_t>>},                 \
      {prefix ".xor.b32", Handle<AtomicXor<uint32_t>>}, {prefix ".xor.b64", Handle<AtomicXor<uint64_t>>},             \
      {prefix ".exch.b32", Handle<AtomicExchange<uint32_t>>}, {prefix ".exch.b64", Handle<AtomicExchange<uint64_t>>}, \
      {prefix ".cas.b16", Handle<AtomicCas<uint16_t>>}, {prefix ".cas.b32", Handle<AtomicCas<uint32_t>>},             \
      {prefix ".cas.b64", Handle<AtomicCas<uint64_t>>}, {prefix ".inc.u32", Handle<AtomicInc<uint32_t>>}, {           \
    prefix ".dec.u32", Handle<AtomicDec<uint32_t>>                                                                    \
  }

}  // namespace
}  // namespace warpgrade::emulator
