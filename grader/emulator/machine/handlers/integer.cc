// Integer arithmetic: PTX ISA "Integer Arithmetic Instructions" and "Extended-Precision Integer Arithmetic". Tested by
// tests/emulator/exec/integer_test.cc.
#include "grader/emulator/machine/handlers/lanes.h"

namespace warpgrade::emulator::WARPGRADE_ISA {
namespace {

template <typename T>
struct Wider;
template <>
struct Wider<uint16_t> {
  using Type = uint32_t;
};
template <>
struct Wider<int16_t> {
  using Type = int32_t;
};
template <>
struct Wider<uint32_t> {
  using Type = uint64_t;
};
template <>
struct Wider<int32_t> {
  using Type = int64_t;
};
template <>
struct Wider<uint64_t> {
  using Type = unsigned __int128;
};
template <>
struct Wider<int64_t> {
  using Type = __int128;
};
template <typename T>
using Wide = typename Wider<T>::Type;

// Both operands have the type of the result. Arithmetic that wraps is computed unsigned.
template <typename T>
struct Same2 {
  using D = T;
  using A = T;
  using B = T;
};
template <typename T>
struct Same1 {
  using D = T;
  using A = T;
};
template <typename T>
struct Same3 {
  using D = T;
  using A = T;
  using B = T;
  using C = T;
};

template <typename T>
struct Add : Same2<T> {
  static T F(T a, T b) { return static_cast<T>(a + b); }
};
template <typename T>
struct Sub : Same2<T> {
  static T F(T a, T b) { return static_cast<T>(a - b); }
};
template <typename T>
struct MulLo : Same2<T> {
  static T F(T a, T b) { return static_cast<T>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b)); }
};
template <>
struct MulLo<uint32_t> : Same2<uint32_t> {
  static uint32_t F(uint32_t a, uint32_t b) { return a * b; }
};
template <>
struct MulLo<uint64_t> : Same2<uint64_t> {
  static uint64_t F(uint64_t a, uint64_t b) { return a * b; }
};
template <typename T>
struct MulHi : Same2<T> {
  static T F(T a, T b) {
    return static_cast<T>((static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b)) >> (sizeof(T) * 8));
  }
};
template <typename T>
struct MulWide {
  using D = Wide<T>;
  using A = T;
  using B = T;
  static D F(T a, T b) { return static_cast<D>(static_cast<D>(a) * static_cast<D>(b)); }
};
template <typename T>
struct MadLo : Same3<T> {
  static T F(T a, T b, T c) { return static_cast<T>(MulLo<T>::F(a, b) + c); }
};
template <typename T>
struct MadHi : Same3<T> {
  using U = Bits<T>;
  static T F(T a, T b, T c) { return static_cast<T>(static_cast<U>(MulHi<T>::F(a, b)) + static_cast<U>(c)); }
};
template <typename T>
struct MadWide {
  using D = Wide<T>;
  using A = T;
  using B = T;
  using C = Wide<T>;
  using U = Bits<D>;
  static D F(T a, T b, C c) { return static_cast<D>(static_cast<U>(MulWide<T>::F(a, b)) + static_cast<U>(c)); }
};
// A division by zero gives all ones, as on the GPU. The smallest value divided by -1 wraps.
template <typename T>
struct Div : Same2<T> {
  static T F(T a, T b) {
    if (b == 0) return static_cast<T>(~T{0});
    if (T(-1) < T(0) && b == T(-1)) return static_cast<T>(Bits<T>(0) - static_cast<Bits<T>>(a));
    return static_cast<T>(a / b);
  }
};
template <typename T>
struct Rem : Same2<T> {
  static T F(T a, T b) {
    if (b == 0) return a;
    if (T(-1) < T(0) && b == T(-1)) return T{0};
    return static_cast<T>(a % b);
  }
};
template <typename T>
struct Min : Same2<T> {
  static T F(T a, T b) { return a < b ? a : b; }
};
template <typename T>
struct Max : Same2<T> {
  static T F(T a, T b) { return a > b ? a : b; }
};
template <typename T>
struct Abs : Same1<T> {
  static T F(T a) { return a < 0 ? static_cast<T>(Bits<T>(0) - static_cast<Bits<T>>(a)) : a; }
};
template <typename T>
struct Neg : Same1<T> {
  static T F(T a) { return static_cast<T>(Bits<T>(0) - static_cast<Bits<T>>(a)); }
};
template <typename T>
struct Sad : Same3<T> {
  using U = Bits<T>;
  static T F(T a, T b, T c) {
    U d = a < b ? static_cast<U>(b) - static_cast<U>(a) : static_cast<U>(a) - static_cast<U>(b);
    return static_cast<T>(static_cast<U>(c) + d);
  }
};
inline int32_t Clamp32(int64_t v) {
  return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : static_cast<int32_t>(v);
}
struct AddSat : Same2<int32_t> {
  static int32_t F(int32_t a, int32_t b) { return Clamp32(int64_t{a} + b); }
};
struct SubSat : Same2<int32_t> {
  static int32_t F(int32_t a, int32_t b) { return Clamp32(int64_t{a} - b); }
};
template <typename T>
inline T Low24(T a) {
  return T(-1) < T(0) ? static_cast<T>(static_cast<T>(static_cast<uint32_t>(a) << 8) >> 8) : (a & T(0xFFFFFF));
}
template <typename T>
struct Mul24Lo : Same2<T> {
  static T F(T a, T b) { return static_cast<T>(static_cast<Wide<T>>(Low24(a)) * Low24(b)); }
};
template <typename T>
struct Mad24Lo : Same3<T> {
  static T F(T a, T b, T c) {
    return static_cast<T>(static_cast<uint32_t>(Mul24Lo<T>::F(a, b)) + static_cast<uint32_t>(c));
  }
};

// The carry flag of add.cc and its relatives is a lane mask at offset 0 of the frame. The ISA says that a subtraction
// sets the flag to its borrow. But ptxas computes a subtraction as a + ~b + 1 and keeps the carry, which is the
// opposite of the borrow. A chain of subtractions gives the same results either way, but nvcc's 128-bit division reads
// the flag of a subtraction with addc.
template <typename T, bool kUseCarry, bool kSetCarry, bool kSubtract>
void AddCarry(Exec& x, const Inst& i) {
  const T* a = Row<T>(x, i.a);
  const T* b = Row<T>(x, i.b);
  T* d = Row<T>(x, i.dst);
  uint32_t* flags = Row<uint32_t>(x, 0);
  uint32_t in = kUseCarry ? *flags : 0, out = 0;
  for (int l = 0; l < kLanes; ++l) {
    if (!((x.mask >> l) & 1)) continue;
    const T addend = kSubtract ? static_cast<T>(~b[l]) : b[l];
    const unsigned carry = kSubtract && !kUseCarry ? 1 : (in >> l) & 1;
    unsigned __int128 wide = static_cast<unsigned __int128>(a[l]) + addend + carry;
    d[l] = static_cast<T>(wide);
    out |= static_cast<uint32_t>((wide >> (sizeof(T) * 8)) & 1) << l;
  }
  if (kSetCarry) *flags = (*flags & ~x.mask) | out;
}

template <typename T, bool kHigh, bool kUseCarry, bool kSetCarry>
void MadCarry(Exec& x, const Inst& i) {
  const T* a = Row<T>(x, i.a);
  const T* b = Row<T>(x, i.b);
  const T* c = Row<T>(x, i.c);
  T* d = Row<T>(x, i.dst);
  uint32_t* flags = Row<uint32_t>(x, 0);
  uint32_t in = kUseCarry ? *flags : 0, out = 0;
  for (int l = 0; l < kLanes; ++l) {
    if (!((x.mask >> l) & 1)) continue;
    unsigned __int128 product = static_cast<unsigned __int128>(a[l]) * b[l];
    T part = kHigh ? static_cast<T>(product >> (sizeof(T) * 8)) : static_cast<T>(product);
    unsigned __int128 wide = static_cast<unsigned __int128>(part) + c[l] + ((in >> l) & 1);
    d[l] = static_cast<T>(wide);
    out |= static_cast<uint32_t>((wide >> (sizeof(T) * 8)) & 1) << l;
  }
  if (kSetCarry) *flags = (*flags & ~x.mask) | out;
}

// madc.hi of signed operands: the high half of the signed product.
template <bool kUseCarry, bool kSetCarry>
void MadHiCarrySigned32(Exec& x, const Inst& i) {
  const int32_t* a = Row<int32_t>(x, i.a);
  const int32_t* b = Row<int32_t>(x, i.b);
  const uint32_t* c = Row<uint32_t>(x, i.c);
  uint32_t* d = Row<uint32_t>(x, i.dst);
  uint32_t* flags = Row<uint32_t>(x, 0);
  uint32_t in = kUseCarry ? *flags : 0, out = 0;
  for (int l = 0; l < kLanes; ++l) {
    if (!((x.mask >> l) & 1)) continue;
    uint32_t part = static_cast<uint32_t>((int64_t{a[l]} * b[l]) >> 32);
    uint64_t wide = uint64_t{part} + c[l] + ((in >> l) & 1);
    d[l] = static_cast<uint32_t>(wide);
    out |= static_cast<uint32_t>(wide >> 32) << l;
  }
  if (kSetCarry) *flags = (*flags & ~x.mask) | out;
}

template <bool kASigned, bool kBSigned>
struct Dp4a {
  using D = uint32_t;
  using A = uint32_t;
  using B = uint32_t;
  using C = uint32_t;
  static uint32_t F(uint32_t a, uint32_t b, uint32_t c) {
    for (int k = 0; k < 32; k += 8) {
      int32_t p = kASigned ? int32_t{static_cast<int8_t>(a >> k)} : int32_t{static_cast<uint8_t>(a >> k)};
      int32_t q = kBSigned ? int32_t{static_cast<int8_t>(b >> k)} : int32_t{static_cast<uint8_t>(b >> k)};
      c += static_cast<uint32_t>(p * q);
    }
    return c;
  }
};
template <bool kASigned, bool kBSigned, bool kHigh>
struct Dp2a {
  using D = uint32_t;
  using A = uint32_t;
  using B = uint32_t;
  using C = uint32_t;
  static uint32_t F(uint32_t a, uint32_t b, uint32_t c) {
    for (int k = 0; k < 2; ++k) {
      int32_t p =
          kASigned ? int32_t{static_cast<int16_t>(a >> (16 * k))} : int32_t{static_cast<uint16_t>(a >> (16 * k))};
      int shift = 8 * k + (kHigh ? 16 : 0);
      int32_t q = kBSigned ? int32_t{static_cast<int8_t>(b >> shift)} : int32_t{static_cast<uint8_t>(b >> shift)};
      c += static_cast<uint32_t>(p * q);
    }
    return c;
  }
};

#define ALL_WIDTHS(name, arity, Op) \
  {name ".u16", arity<Op<uint16_t>>}, {name ".u32", arity<Op<uint32_t>>}, { name ".u64", arity<Op<uint64_t>> }
#define ALL_SIGNED(name, arity, Op) \
  {name ".s16", arity<Op<int16_t>>}, {name ".s32", arity<Op<int32_t>>}, { name ".s64", arity<Op<int64_t>> }
#define CARRY(T, t)                                                                                        \
  {"add.cc." t, AddCarry<T, false, true, false>}, {"addc." t, AddCarry<T, true, false, false>},            \
      {"addc.cc." t, AddCarry<T, true, true, false>}, {"sub.cc." t, AddCarry<T, false, true, true>},       \
      {"subc." t, AddCarry<T, true, false, true>}, {"subc.cc." t, AddCarry<T, true, true, true>},          \
      {"mad.lo.cc." t, MadCarry<T, false, false, true>}, {"mad.hi.cc." t, MadCarry<T, true, false, true>}, \
      {"madc.lo." t, MadCarry<T, false, true, false>}, {"madc.hi." t, MadCarry<T, true, true, false>},     \
      {"madc.lo.cc." t, MadCarry<T, false, true, true>}, {                                                 \
    "madc.hi.cc." t, MadCarry<T, true, true, true>                                                         \
  }

const HandlerEntry kHandlers[] = {
    ALL_WIDTHS("add", Binary, Add),
    ALL_WIDTHS("sub", Binary, Sub),
    ALL_WIDTHS("mul.lo", Binary, MulLo),
    ALL_WIDTHS("mul.hi", Binary, MulHi),
    ALL_SIGNED("mul.hi", Binary, MulHi),
    ALL_WIDTHS("mad.lo", Ternary, MadLo),
    ALL_WIDTHS("mad.hi", Ternary, MadHi),
    ALL_SIGNED("mad.hi", Ternary, MadHi),
    {"mul.wide.u16", Binary<MulWide<uint16_t>>},
    {"mul.wide.s16", Binary<MulWide<int16_t>>},
    {"mul.wide.u32", Binary<MulWide<uint32_t>>},
    {"mul.wide.s32", Binary<MulWide<int32_t>>},
    {"mad.wide.u16", Ternary<MadWide<uint16_t>>},
    {"mad.wide.s16", Ternary<MadWide<int16_t>>},
    {"mad.wide.u32", Ternary<MadWide<uint32_t>>},
    {"mad.wide.s32", Ternary<MadWide<int32_t>>},
    ALL_WIDTHS("div", Binary, Div),
    ALL_SIGNED("div", Binary, Div),
    ALL_WIDTHS("rem", Binary, Rem),
    ALL_SIGNED("rem", Binary, Rem),
    ALL_WIDTHS("min", Binary, Min),
    ALL_SIGNED("min", Binary, Min),
    ALL_WIDTHS("max", Binary, Max),
    ALL_SIGNED("max", Binary, Max),
    ALL_SIGNED("abs", Unary, Abs),
    ALL_SIGNED("neg", Unary, Neg),
    ALL_WIDTHS("sad", Ternary, Sad),
    ALL_SIGNED("sad", Ternary, Sad),
    {"add.sat.s32", Binary<AddSat>},
    {"sub.sat.s32", Binary<SubSat>},
    {"mul24.lo.u32", Binary<Mul24Lo<uint32_t>>},
    {"mul24.lo.s32", Binary<Mul24Lo<int32_t>>},
    {"mad24.lo.u32", Ternary<Mad24Lo<uint32_t>>},
    {"mad24.lo.s32", Ternary<Mad24Lo<int32_t>>},
    CARRY(uint32_t, "u32"),
    CARRY(uint64_t, "u64"),
    {"mad.hi.cc.s32", MadHiCarrySigned32<false, true>},
    {"madc.hi.s32", MadHiCarrySigned32<true, false>},
    {"madc.hi.cc.s32", MadHiCarrySigned32<true, true>},
    {"dp4a.u32.u32", Ternary<Dp4a<false, false>>},
    {"dp4a.u32.s32", Ternary<Dp4a<false, true>>},
    {"dp4a.s32.u32", Ternary<Dp4a<true, false>>},
    {"dp4a.s32.s32", Ternary<Dp4a<true, true>>},
    {"dp2a.lo.u32.u32", Ternary<Dp2a<false, false, false>>},
    {"dp2a.lo.u32.s32", Ternary<Dp2a<false, true, false>>},
    {"dp2a.lo.s32.u32", Ternary<Dp2a<true, false, false>>},
    {"dp2a.lo.s32.s32", Ternary<Dp2a<true, true, false>>},
    {"dp2a.hi.u32.u32", Ternary<Dp2a<false, false, true>>},
    {"dp2a.hi.u32.s32", Ternary<Dp2a<false, true, true>>},
    {"dp2a.hi.s32.u32", Ternary<Dp2a<true, false, true>>},
    {"dp2a.hi.s32.s32", Ternary<Dp2a<true, true, true>>},
};

}  // namespace

HandlerSpan IntegerHandlers() { return {kHandlers, sizeof(kHandlers) / sizeof(kHandlers[0])}; }

}  // namespace warpgrade::emulator::WARPGRADE_ISA
