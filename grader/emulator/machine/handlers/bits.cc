// Logic, shifts and bit-field instructions: PTX ISA "Logic and Shift Instructions" and the bit operations of "Integer
// Arithmetic Instructions". Tested by tests/emulator/exec/integer_test.cc.
#include "grader/emulator/machine/handlers/lanes.h"

namespace warpgrade::emulator::WARPGRADE_ISA {
namespace {

template <typename T>
struct Same2 {
  using D = T;
  using A = T;
  using B = T;
};
template <typename T>
struct Shift2 {
  using D = T;
  using A = T;
  using B = uint32_t;
};
template <typename T>
struct Same1 {
  using D = T;
  using A = T;
};
template <typename T>
struct Count1 {
  using D = uint32_t;
  using A = T;
};

template <typename T>
struct And : Same2<T> {
  static T F(T a, T b) { return a & b; }
};
template <typename T>
struct Or : Same2<T> {
  static T F(T a, T b) { return a | b; }
};
template <typename T>
struct Xor : Same2<T> {
  static T F(T a, T b) { return a ^ b; }
};
template <typename T>
struct Not : Same1<T> {
  static T F(T a) { return static_cast<T>(~a); }
};
template <typename T>
struct Cnot : Same1<T> {
  static T F(T a) { return a == 0 ? T{1} : T{0}; }
};
// Shift amounts above the width count as the width.
template <typename T>
struct Shl : Shift2<T> {
  static T F(T a, uint32_t b) { return b >= sizeof(T) * 8 ? T{0} : static_cast<T>(a << b); }
};
template <typename T>
struct Shr : Shift2<T> {
  static T F(T a, uint32_t b) {
    constexpr uint32_t kWidth = sizeof(T) * 8;
    if (T(-1) < T(0)) return static_cast<T>(a >> (b >= kWidth ? kWidth - 1 : b));
    return b >= kWidth ? T{0} : static_cast<T>(a >> b);
  }
};
struct Words3 {
  using D = uint32_t;
  using A = uint32_t;
  using B = uint32_t;
  using C = uint32_t;
};
template <bool kWrap>
inline uint32_t ShiftAmount(uint32_t c) {
  return kWrap ? (c & 31) : (c > 32 ? 32 : c);
}
template <bool kWrap>
struct ShfL : Words3 {
  static uint32_t F(uint32_t low, uint32_t high, uint32_t c) {
    uint64_t both = (uint64_t{high} << 32) | low;
    return static_cast<uint32_t>((both << ShiftAmount<kWrap>(c)) >> 32);
  }
};
template <bool kWrap>
struct ShfR : Words3 {
  static uint32_t F(uint32_t low, uint32_t high, uint32_t c) {
    uint64_t both = (uint64_t{high} << 32) | low;
    return static_cast<uint32_t>(both >> ShiftAmount<kWrap>(c));
  }
};
template <typename T>
struct Popc : Count1<T> {
  static uint32_t F(T a) { return static_cast<uint32_t>(__builtin_popcountll(a)); }
};
template <typename T>
struct Clz : Count1<T> {
  static uint32_t F(T a) {
    return a == 0 ? sizeof(T) * 8 : static_cast<uint32_t>(__builtin_clzll(a)) - (64 - sizeof(T) * 8);
  }
};
template <typename T>
struct Brev : Same1<T> {
  static T F(T a) {
    T r = 0;
    for (unsigned k = 0; k < sizeof(T) * 8; ++k) r = static_cast<T>((r << 1) | ((a >> k) & 1));
    return r;
  }
};
// The position of the most significant bit that differs from the sign bit; all ones if there is none.
template <typename T, bool kShiftAmount>
struct Bfind : Count1<T> {
  static uint32_t F(T a) {
    using U = Bits<T>;
    U u = static_cast<U>(a);
    if (T(-1) < T(0) && a < 0) u = static_cast<U>(~u);
    if (u == 0) return 0xFFFFFFFFu;
    uint32_t position = 63u - static_cast<uint32_t>(__builtin_clzll(u));
    return kShiftAmount ? sizeof(T) * 8 - 1 - position : position;
  }
};
template <typename T>
struct Bfe {
  using D = T;
  using A = T;
  using B = uint32_t;
  using C = uint32_t;
  static T F(T a, uint32_t b, uint32_t c) {
    constexpr uint32_t kWidth = sizeof(T) * 8;
    using U = Bits<T>;
    uint32_t position = b & 0xFF, length = c & 0xFF;
    if (length == 0) return T{0};
    U u = static_cast<U>(a);
    bool is_signed = T(-1) < T(0);
    uint32_t last = position + length - 1;
    bool sign = is_signed && ((u >> (last < kWidth ? last : kWidth - 1)) & 1);
    U field = position < kWidth ? static_cast<U>(u >> position) : U{0};
    uint32_t present = position < kWidth ? kWidth - position : 0;
    uint32_t keep = length < present ? length : present;
    U mask = keep >= kWidth ? static_cast<U>(~U{0}) : static_cast<U>((U{1} << keep) - 1);
    return static_cast<T>(sign ? static_cast<U>((field & mask) | static_cast<U>(~mask)) : static_cast<U>(field & mask));
  }
};

template <typename T>
void Bfi(Exec& x, const Inst& i) {  // d = b with the low bits of a inserted at bit c; the length is operand d
  const T* a = Row<T>(x, i.a);
  const T* b = Row<T>(x, i.b);
  const uint32_t* c = Row<uint32_t>(x, i.c);
  const uint32_t* length_row = Row<uint32_t>(x, i.d);
  ForLanes<T>(x, i.dst, [=](int l) {
    constexpr uint32_t kWidth = sizeof(T) * 8;
    uint32_t position = c[l] & 0xFF, length = length_row[l] & 0xFF;
    if (length == 0 || position >= kWidth) return b[l];
    T mask = length >= kWidth ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << length) - 1);
    mask = static_cast<T>(mask << position);
    return static_cast<T>((b[l] & ~mask) | ((a[l] << position) & mask));
  });
}

void Lop3(Exec& x, const Inst& i) {
  const uint32_t* a = Row<uint32_t>(x, i.a);
  const uint32_t* b = Row<uint32_t>(x, i.b);
  const uint32_t* c = Row<uint32_t>(x, i.c);
  const uint32_t lut = static_cast<uint32_t>(i.imm);
  ForLanes<uint32_t>(x, i.dst, [=](int l) {
    uint32_t r = 0;
    for (uint32_t k = 0; k < 8; ++k) {
      if (!((lut >> k) & 1)) continue;
      r |= (k & 4 ? a[l] : ~a[l]) & (k & 2 ? b[l] : ~b[l]) & (k & 1 ? c[l] : ~c[l]);
    }
    return r;
  });
}

inline uint32_t PermuteByte(uint64_t source, uint32_t selector) {
  uint32_t byte = static_cast<uint32_t>(source >> (8 * (selector & 7))) & 0xFF;
  return selector & 8 ? (byte & 0x80 ? 0xFF : 0) : byte;
}
struct Prmt : Words3 {
  static uint32_t F(uint32_t a, uint32_t b, uint32_t c) {
    uint64_t source = (uint64_t{b} << 32) | a;
    uint32_t r = 0;
    for (int k = 0; k < 4; ++k) r |= PermuteByte(source, (c >> (4 * k)) & 0xF) << (8 * k);
    return r;
  }
};
// In the special modes, the two low bits of c select a row; the row gives the source byte of each result byte.
template <int kMode>
struct PrmtMode : Words3 {
  static uint32_t F(uint32_t a, uint32_t b, uint32_t c) {
    static const uint8_t kSelect[6][4][4] = {
        {{0, 1, 2, 3}, {1, 2, 3, 4}, {2, 3, 4, 5}, {3, 4, 5, 6}},  // f4e
        {{0, 7, 6, 5}, {1, 0, 7, 6}, {2, 1, 0, 7}, {3, 2, 1, 0}},  // b4e
        {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}},  // rc8
        {{0, 1, 2, 3}, {1, 1, 2, 3}, {2, 2, 2, 3}, {3, 3, 3, 3}},  // ecl
        {{0, 0, 0, 0}, {0, 1, 1, 1}, {0, 1, 2, 2}, {0, 1, 2, 3}},  // ecr
        {{0, 1, 0, 1}, {2, 3, 2, 3}, {0, 1, 0, 1}, {2, 3, 2, 3}},  // rc16
    };
    uint64_t source = (uint64_t{b} << 32) | a;
    uint32_t r = 0;
    for (int k = 0; k < 4; ++k) r |= PermuteByte(source, kSelect[kMode][c & 3][k]) << (8 * k);
    return r;
  }
};
// szext and bmsk, wrap and clamp.
template <bool kWrap>
struct Bmsk : Same2<uint32_t> {
  static uint32_t F(uint32_t a, uint32_t b) {
    uint32_t start = kWrap ? a & 31 : (a > 32 ? 32 : a), length = kWrap ? b & 31 : (b > 32 ? 32 : b);
    uint64_t mask = ((uint64_t{1} << length) - 1) << start;
    return static_cast<uint32_t>(mask);
  }
};

// Predicates are lane masks, so one word operation handles all lanes.
void PredAnd(Exec& x, const Inst& i) { SetPredicate(x, i.dst, *Row<uint32_t>(x, i.a) & *Row<uint32_t>(x, i.b)); }
void PredOr(Exec& x, const Inst& i) { SetPredicate(x, i.dst, *Row<uint32_t>(x, i.a) | *Row<uint32_t>(x, i.b)); }
void PredXor(Exec& x, const Inst& i) { SetPredicate(x, i.dst, *Row<uint32_t>(x, i.a) ^ *Row<uint32_t>(x, i.b)); }
void PredNot(Exec& x, const Inst& i) { SetPredicate(x, i.dst, ~*Row<uint32_t>(x, i.a)); }
void PredMov(Exec& x, const Inst& i) { SetPredicate(x, i.dst, *Row<uint32_t>(x, i.a)); }

#define BITS(name, arity, Op) \
  {name ".b16", arity<Op<uint16_t>>}, {name ".b32", arity<Op<uint32_t>>}, { name ".b64", arity<Op<uint64_t>> }

const HandlerEntry kHandlers[] = {
    BITS("and", Binary, And),
    BITS("or", Binary, Or),
    BITS("xor", Binary, Xor),
    BITS("not", Unary, Not),
    BITS("cnot", Unary, Cnot),
    BITS("shl", Binary, Shl),
    {"shr.u16", Binary<Shr<uint16_t>>},
    {"shr.u32", Binary<Shr<uint32_t>>},
    {"shr.u64", Binary<Shr<uint64_t>>},
    {"shr.s16", Binary<Shr<int16_t>>},
    {"shr.s32", Binary<Shr<int32_t>>},
    {"shr.s64", Binary<Shr<int64_t>>},
    {"shf.l.wrap.b32", Ternary<ShfL<true>>},
    {"shf.l.clamp.b32", Ternary<ShfL<false>>},
    {"shf.r.wrap.b32", Ternary<ShfR<true>>},
    {"shf.r.clamp.b32", Ternary<ShfR<false>>},
    {"popc.b32", Unary<Popc<uint32_t>>},
    {"popc.b64", Unary<Popc<uint64_t>>},
    {"clz.b32", Unary<Clz<uint32_t>>},
    {"clz.b64", Unary<Clz<uint64_t>>},
    {"brev.b32", Unary<Brev<uint32_t>>},
    {"brev.b64", Unary<Brev<uint64_t>>},
    {"bfind.u32", Unary<Bfind<uint32_t, false>>},
    {"bfind.s32", Unary<Bfind<int32_t, false>>},
    {"bfind.u64", Unary<Bfind<uint64_t, false>>},
    {"bfind.s64", Unary<Bfind<int64_t, false>>},
    {"bfind.shiftamt.u32", Unary<Bfind<uint32_t, true>>},
    {"bfind.shiftamt.s32", Unary<Bfind<int32_t, true>>},
    {"bfind.shiftamt.u64", Unary<Bfind<uint64_t, true>>},
    {"bfind.shiftamt.s64", Unary<Bfind<int64_t, true>>},
    {"bfe.u32", Ternary<Bfe<uint32_t>>},
    {"bfe.s32", Ternary<Bfe<int32_t>>},
    {"bfe.u64", Ternary<Bfe<uint64_t>>},
    {"bfe.s64", Ternary<Bfe<int64_t>>},
    {"bfi.b32", Bfi<uint32_t>},
    {"bfi.b64", Bfi<uint64_t>},
    {"lop3.b32", Lop3},
    {"prmt.b32", Ternary<Prmt>},
    {"prmt.b32.f4e", Ternary<PrmtMode<0>>},
    {"prmt.b32.b4e", Ternary<PrmtMode<1>>},
    {"prmt.b32.rc8", Ternary<PrmtMode<2>>},
    {"prmt.b32.ecl", Ternary<PrmtMode<3>>},
    {"prmt.b32.ecr", Ternary<PrmtMode<4>>},
    {"prmt.b32.rc16", Ternary<PrmtMode<5>>},
    {"bmsk.clamp.b32", Binary<Bmsk<false>>},
    {"bmsk.wrap.b32", Binary<Bmsk<true>>},
    {"and.pred", PredAnd},
    {"or.pred", PredOr},
    {"xor.pred", PredXor},
    {"not.pred", PredNot},
    {"mov.pred", PredMov},
};

}  // namespace

HandlerSpan BitHandlers() { return {kHandlers, sizeof(kHandlers) / sizeof(kHandlers[0])}; }

}  // namespace warpgrade::emulator::WARPGRADE_ISA
