// Video instructions (scalar, and SIMD within a word) and other integer instructions that few programs use: fns, szext,
// cvt.pack, mul24.hi. PTX ISA "Video Instructions", "Integer Arithmetic Instructions". Tested by
// tests/emulator/exec/video_test.cc.
#include "grader/emulator/machine/handlers/lanes.h"
#include "grader/emulator/program/video_form.h"

namespace warpgrade::emulator::WARPGRADE_ISA {
namespace {

inline int64_t Extended(uint32_t v, int bits, bool is_signed) {
  if (bits == 32) return is_signed ? int64_t{static_cast<int32_t>(v)} : int64_t{v};
  uint32_t mask = (1u << bits) - 1;
  v &= mask;
  return is_signed && (v >> (bits - 1)) ? int64_t{v} - (int64_t{1} << bits) : int64_t{v};
}
inline int PartBits(int part) { return part == 0 ? 32 : part <= 4 ? 8 : 16; }
inline int PartShift(int part) { return part == 0 ? 0 : part <= 4 ? 8 * (part - 1) : 16 * (part - 5); }
inline int64_t Clamp(int64_t v, int bits, bool is_signed) {
  int64_t low = is_signed ? -(int64_t{1} << (bits - 1)) : 0;
  int64_t high = (int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  return v < low ? low : v > high ? high : v;
}
inline bool Holds(VideoCompare c, int64_t a, int64_t b) {
  switch (c) {
    case VideoCompare::kEq:
      return a == b;
    case VideoCompare::kNe:
      return a != b;
    case VideoCompare::kLt:
      return a < b;
    case VideoCompare::kLe:
      return a <= b;
    case VideoCompare::kGt:
      return a > b;
    default:
      return a >= b;
  }
}
inline int64_t Primary(const VideoForm& f, int64_t a, int64_t b) {
  switch (f.op) {
    case VideoOp::kAdd:
      return a + b;
    case VideoOp::kSub:
      return a - b;
    case VideoOp::kAbsDiff:
      return a > b ? a - b : b - a;
    case VideoOp::kMin:
      return a < b ? a : b;
    case VideoOp::kMax:
      return a > b ? a : b;
    case VideoOp::kSet:
      return Holds(f.compare, a, b) ? 1 : 0;
    case VideoOp::kAverage:
      return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;  // ties away from zero
    default: {
      int64_t amount = f.wrap ? b & 31 : b > 32 ? 32 : b;
      // A GPU keeps 34 bits of a shift to the left, the highest of which is the sign (seen on an H100).
      return f.op == VideoOp::kShl ? static_cast<int64_t>(static_cast<uint64_t>(a) << amount) << 30 >> 30 : a >> amount;
    }
  }
}
inline uint32_t Second(const VideoForm& f, int64_t v, uint32_t c) {
  uint32_t r = static_cast<uint32_t>(v);
  bool less = f.d_signed ? static_cast<int32_t>(r) < static_cast<int32_t>(c) : r < c;
  switch (f.second) {
    case VideoSecond::kAdd:
      return r + c;
    case VideoSecond::kMin:
      return less ? r : c;
    case VideoSecond::kMax:
      return less ? c : r;
    default:
      break;
  }
  if (f.d_part == 0) return r;
  uint32_t mask = ((1u << PartBits(f.d_part)) - 1) << PartShift(f.d_part);
  return (c & ~mask) | ((r << PartShift(f.d_part)) & mask);
}
inline uint32_t Scalar(const VideoForm& f, uint32_t a, uint32_t b, uint32_t c) {
  int64_t ta = Extended(a >> PartShift(f.a_part), PartBits(f.a_part), f.a_signed);
  int64_t tb = Extended(b >> PartShift(f.b_part), PartBits(f.b_part), f.b_signed);
  int64_t v = Primary(f, ta, tb);
  if (f.saturate) v = Clamp(v, PartBits(f.d_part), f.d_signed);
  return Second(f, v, c);
}
// d = (a * b + c) >> scale, where one of the terms may be negated and .po adds one before the shift.
inline uint32_t MultiplyAdd(const VideoForm& f, uint32_t a, uint32_t b, uint32_t c) {
  __int128 v = static_cast<__int128>(Extended(a >> PartShift(f.a_part), PartBits(f.a_part), f.a_signed)) *
               Extended(b >> PartShift(f.b_part), PartBits(f.b_part), f.b_signed);
  const bool negate_product = f.negate_a != f.negate_b;
  const bool is_signed = f.a_signed || f.b_signed || negate_product || f.negate_c;
  __int128 addend = Extended(c, 32, is_signed);
  if (negate_product) v = -v;
  if (f.negate_c) addend = -addend;
  v += addend + (f.plus_one ? 1 : 0);
  v >>= f.scale;
  if (f.saturate) {
    __int128 low = is_signed ? -(__int128{1} << 31) : __int128{0}, high = (__int128{1} << (is_signed ? 31 : 32)) - 1;
    v = v < low ? low : v > high ? high : v;
  }
  return static_cast<uint32_t>(v);
}
inline uint32_t Simd(const VideoForm& f, uint32_t a, uint32_t b, uint32_t c) {
  const int bits = 32 / f.lanes;
  const uint32_t part = bits == 16 ? 0xFFFF : 0xFF;
  const uint64_t both = (uint64_t{b} << 32) | a;
  uint32_t r = c;
  for (int k = 0; k < f.lanes; ++k) {
    if (!((f.mask >> k) & 1)) continue;
    uint32_t pa = static_cast<uint32_t>(both >> (bits * ((f.a_select >> (3 * k)) & 7))) & part;
    uint32_t pb = static_cast<uint32_t>(both >> (bits * ((f.b_select >> (3 * k)) & 7))) & part;
    int64_t v = Primary(f, Extended(pa, bits, f.a_signed), Extended(pb, bits, f.b_signed));
    if (f.saturate) v = Clamp(v, bits, f.d_signed);
    if (f.second == VideoSecond::kAdd) {
      r += static_cast<uint32_t>(v);  // all of it: 200 + 200 in bytes adds 400
    } else {
      r = (r & ~(part << (bits * k))) | ((static_cast<uint32_t>(v) & part) << (bits * k));
    }
  }
  return r;
}

template <uint32_t (*kCompute)(const VideoForm&, uint32_t, uint32_t, uint32_t)>
void Video(Exec& x, const Inst& i) {
  const uint32_t* a = Row<uint32_t>(x, i.a);
  const uint32_t* b = Row<uint32_t>(x, i.b);
  const uint32_t* c = Row<uint32_t>(x, i.c);
  VideoForm form;
  __builtin_memcpy(&form, &x.vectors[i.vectors], sizeof(form));
  ForLanes<uint32_t>(x, i.dst, [=](int l) { return kCompute(form, a[l], b[l], c[l]); });
}

struct Words2 {
  using D = uint32_t;
  using A = uint32_t;
  using B = uint32_t;
};
struct Words3 {
  using D = uint32_t;
  using A = uint32_t;
  using B = uint32_t;
  using C = uint32_t;
};
// The position of the n-th set bit of a mask, counted from a base upwards (n > 0) or downwards (n < 0).
struct Fns : Words3 {
  static uint32_t F(uint32_t mask, uint32_t base, uint32_t offset) {
    const int32_t n = static_cast<int32_t>(offset);
    if (base > 31) return 0xFFFFFFFFu;
    if (n == 0) return (mask >> base) & 1 ? base : 0xFFFFFFFFu;
    int64_t left = n < 0 ? -int64_t{n} : int64_t{n};
    for (int at = static_cast<int>(base); at >= 0 && at<32; at += n> 0 ? 1 : -1) {
      if (((mask >> at) & 1) && --left == 0) return static_cast<uint32_t>(at);
    }
    return 0xFFFFFFFFu;
  }
};
template <bool kSigned, bool kWrap>
struct Szext {
  using D = uint32_t;
  using A = uint32_t;
  using B = uint32_t;
  static uint32_t F(uint32_t a, uint32_t b) {
    if (!kWrap && b >= 32) return a;
    const uint32_t bits = b & 31;
    if (bits == 0) return 0;
    return static_cast<uint32_t>(Extended(a, static_cast<int>(bits), kSigned));
  }
};
// cvt.pack saturates a and b and puts them side by side, b lowest. c, shifted up, fills the rest of the word.
template <int kBits, bool kSigned>
struct CvtPack : Words3 {
  static uint32_t F(uint32_t a, uint32_t b, uint32_t c) {
    constexpr uint32_t kMask = (1u << kBits) - 1;
    uint32_t pa = static_cast<uint32_t>(Clamp(static_cast<int32_t>(a), kBits, kSigned)) & kMask;
    uint32_t pb = static_cast<uint32_t>(Clamp(static_cast<int32_t>(b), kBits, kSigned)) & kMask;
    uint32_t pair = (pa << kBits) | pb;
    return kBits == 16 ? pair : pair | (c << (2 * kBits));
  }
};
template <typename T>
inline int64_t Product24(T a, T b) {
  const bool is_signed = T(-1) < T(0);
  return Extended(static_cast<uint32_t>(a), 24, is_signed) * Extended(static_cast<uint32_t>(b), 24, is_signed);
}
template <typename T>
struct Mul24Hi {
  using D = T;
  using A = T;
  using B = T;
  static T F(T a, T b) { return static_cast<T>(Product24(a, b) >> 16); }
};
template <typename T, bool kSat>
struct Mad24Hi {
  using D = T;
  using A = T;
  using B = T;
  using C = T;
  static T F(T a, T b, T c) {
    int64_t high = static_cast<int32_t>(Product24(a, b) >> 16);
    if (kSat) return static_cast<T>(Clamp(high + static_cast<int64_t>(c), 32, true));
    return static_cast<T>(static_cast<uint32_t>(high) + static_cast<uint32_t>(c));
  }
};
// mad.hi.sat.s32 adds c to the high half of the product and clamps the sum.
struct MadHiSat : Words3 {
  static uint32_t F(uint32_t a, uint32_t b, uint32_t c) {
    int64_t high = (int64_t{static_cast<int32_t>(a)} * static_cast<int32_t>(b)) >> 32;
    return static_cast<uint32_t>(Clamp(high + static_cast<int32_t>(c), 32, true));
  }
};

// Pairs of 16-bit integers in one word: add, min and max. With .relu, negative results become 0.
enum class Paired { kAdd, kMin, kMax };
template <typename T, Paired kOp, bool kRelu>
struct Pair : Words2 {
  static uint32_t F(uint32_t a, uint32_t b) {
    uint32_t r = 0;
    for (int shift = 0; shift < 32; shift += 16) {
      T p = static_cast<T>(a >> shift), q = static_cast<T>(b >> shift);
      T v = kOp == Paired::kAdd ? static_cast<T>(p + q) : kOp == Paired::kMin ? (p < q ? p : q) : (p > q ? p : q);
      if (kRelu && v < T(0)) v = 0;
      r |= static_cast<uint32_t>(static_cast<uint16_t>(v)) << shift;
    }
    return r;
  }
};
template <Paired kOp>
struct Relu32 {
  using D = int32_t;
  using A = int32_t;
  using B = int32_t;
  static int32_t F(int32_t a, int32_t b) {
    int32_t v = (kOp == Paired::kMin) == (a < b) ? a : b;
    return v < 0 ? 0 : v;
  }
};

const HandlerEntry kHandlers[] = {
    {"video", Video<Scalar>},
    {"video.mad", Video<MultiplyAdd>},
    {"video.simd", Video<Simd>},
    {"add.u16x2", Binary<Pair<uint16_t, Paired::kAdd, false>>},
    {"min.u16x2", Binary<Pair<uint16_t, Paired::kMin, false>>},
    {"min.s16x2", Binary<Pair<int16_t, Paired::kMin, false>>},
    {"min.relu.s16x2", Binary<Pair<int16_t, Paired::kMin, true>>},
    {"max.u16x2", Binary<Pair<uint16_t, Paired::kMax, false>>},
    {"max.s16x2", Binary<Pair<int16_t, Paired::kMax, false>>},
    {"max.relu.s16x2", Binary<Pair<int16_t, Paired::kMax, true>>},
    {"min.relu.s32", Binary<Relu32<Paired::kMin>>},
    {"max.relu.s32", Binary<Relu32<Paired::kMax>>},
    {"fns.b32", Ternary<Fns>},
    {"szext.clamp.s32", Binary<Szext<true, false>>},
    {"szext.clamp.u32", Binary<Szext<false, false>>},
    {"szext.wrap.s32", Binary<Szext<true, true>>},
    {"szext.wrap.u32", Binary<Szext<false, true>>},
    {"cvt.pack.s16", Ternary<CvtPack<16, true>>},
    {"cvt.pack.u16", Ternary<CvtPack<16, false>>},
    {"cvt.pack.s8", Ternary<CvtPack<8, true>>},
    {"cvt.pack.u8", Ternary<CvtPack<8, false>>},
    {"cvt.pack.s4", Ternary<CvtPack<4, true>>},
    {"cvt.pack.u4", Ternary<CvtPack<4, false>>},
    {"cvt.pack.s2", Ternary<CvtPack<2, true>>},
    {"cvt.pack.u2", Ternary<CvtPack<2, false>>},
    {"mul24.hi.u32", Binary<Mul24Hi<uint32_t>>},
    {"mul24.hi.s32", Binary<Mul24Hi<int32_t>>},
    {"mad24.hi.u32", Ternary<Mad24Hi<uint32_t, false>>},
    {"mad24.hi.s32", Ternary<Mad24Hi<int32_t, false>>},
    {"mad24.hi.sat.s32", Ternary<Mad24Hi<int32_t, true>>},
    {"mad.hi.sat.s32", Ternary<MadHiSat>},
};

}  // namespace

HandlerSpan VideoHandlers() { return {kHandlers, sizeof(kHandlers) / sizeof(kHandlers[0])}; }

}  // namespace warpgrade::emulator::WARPGRADE_ISA
