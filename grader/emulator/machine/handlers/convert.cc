// cvt between all integer and floating types: PTX ISA "Data Movement and Conversion Instructions: cvt". Tested by
// tests/emulator/exec/convert_test.cc.
#include <cmath>

#include "grader/emulator/machine/handlers/lanes.h"

namespace warpgrade::emulator::WARPGRADE_ISA {
namespace {

template <typename T>
inline constexpr bool kFloating = T(0.5) != T(0);
template <typename T>
inline constexpr bool kSigned = T(-1) < T(0);

// Sources narrower than a register are read from its low bits.
template <typename T>
inline T Source(Storage<T> cell) {
  return Get<T>(cell);
}
// Results narrower than a register are extended to it, with sign extension if they are signed.
template <typename T>
inline Storage<T> Result(T v) {
  if constexpr (!kFloating<T> && kSigned<T> && sizeof(T) < 4) {
    return static_cast<uint32_t>(static_cast<int32_t>(v));
  } else {
    return Put<T>(v);
  }
}

template <typename D, typename S, bool kSat>
inline D IntToInt(S v) {
  if constexpr (!kSat) {
    return static_cast<D>(v);
  } else {
    __int128 wide = static_cast<__int128>(v);  // NOLINT(bugprone-signed-char-misuse): an s8 is a number
    __int128 low = kSigned<D> ? -(__int128{1} << (sizeof(D) * 8 - 1)) : __int128{0};
    __int128 high = (__int128{1} << (sizeof(D) * 8 - (kSigned<D> ? 1 : 0))) - 1;
    return static_cast<D>(wide < low ? low : wide > high ? high : wide);
  }
}

enum class To { kNearest, kZero, kDown, kUp };
template <To kTo, typename T>
inline T RoundToInteger(T v) {
  if constexpr (sizeof(T) == 8) {
    return kTo == To::kNearest ? __builtin_nearbyint(v)
           : kTo == To::kZero  ? __builtin_trunc(v)
           : kTo == To::kDown  ? __builtin_floor(v)
                               : __builtin_ceil(v);
  } else {
    float f = static_cast<float>(v);
    return static_cast<T>(kTo == To::kNearest ? __builtin_nearbyintf(f)
                          : kTo == To::kZero  ? __builtin_truncf(f)
                          : kTo == To::kDown  ? __builtin_floorf(f)
                                              : __builtin_ceilf(f));
  }
}

// Floats out of range clamp. NaN gives 0, except that it gives only the top bit set if the source is f64 or the
// destination has 64 bits.
template <typename D, typename S, To kTo>
inline D FloatToInt(S v) {
  if (v != v) return sizeof(D) == 8 || sizeof(S) == 8 ? static_cast<D>(uint64_t{1} << (sizeof(D) * 8 - 1)) : D{0};
  double r = RoundToInteger<kTo>(static_cast<double>(v));
  constexpr double kLow = kSigned<D> ? -static_cast<double>(uint64_t{1} << (sizeof(D) * 8 - 1)) : 0.0;
  constexpr double kHigh = 2.0 * static_cast<double>(uint64_t{1} << (sizeof(D) * 8 - 1)) / (kSigned<D> ? 2 : 1);
  if (r <= kLow) return static_cast<D>(kSigned<D> ? uint64_t{1} << (sizeof(D) * 8 - 1) : 0);
  if (r >= kHigh) return static_cast<D>(~uint64_t{0} >> (64 - sizeof(D) * 8 + (kSigned<D> ? 1 : 0)));
  return static_cast<D>(r);
}

template <bool kSat, typename T>
inline T Saturate(T v) {
  if (!kSat) return v;
  return v > T(0) ? (v < T(1) ? v : T(1)) : T(0);
}
inline float FlushSingle(float v) {
  uint32_t u = __builtin_bit_cast(uint32_t, v);
  return __builtin_bit_cast(float, (u & 0x7F800000u) == 0 ? u & 0x80000000u : u);
}

template <typename D, typename S, bool kSat>
void CvtInt(Exec& x, const Inst& i) {
  const Storage<S>* a = Row<Storage<S>>(x, i.a);
  ForLanes<Storage<D>>(x, i.dst, [=](int l) { return Result<D>(IntToInt<D, S, kSat>(Source<S>(a[l]))); });
}
template <typename D, typename S, To kTo, bool kFtz>
void CvtFloatToInt(Exec& x, const Inst& i) {
  const Storage<S>* a = Row<Storage<S>>(x, i.a);
  ForLanes<Storage<D>>(x, i.dst, [=](int l) {
    S v = Source<S>(a[l]);
    if constexpr (kFtz) v = FlushSingle(v);
    return Result<D>(FloatToInt<D, S, kTo>(v));
  });
}
template <typename D, typename S>
void CvtIntToFloat(Exec& x, const Inst& i) {
  const Storage<S>* a = Row<Storage<S>>(x, i.a);
  ForLanes<D>(x, i.dst, [=](int l) { return static_cast<D>(Source<S>(a[l])); });
}
template <typename D, typename S, bool kSat, bool kFtz>
void CvtFloat(Exec& x, const Inst& i) {
  const Storage<S>* a = Row<Storage<S>>(x, i.a);
  ForLanes<D>(x, i.dst, [=](int l) {
    S v = Source<S>(a[l]);
    if constexpr (kFtz && sizeof(S) == 4) v = FlushSingle(v);
    D d = static_cast<D>(v);
    if constexpr (kFtz && sizeof(D) == 4) d = FlushSingle(d);
    if constexpr (sizeof(D) == 2) {
      if (d != d) d = __builtin_bit_cast(_Float16, static_cast<uint16_t>(0x7FFF));
    }
    return Saturate<kSat>(d);
  });
}
template <typename T, To kTo, bool kSat, bool kFtz>
void CvtRoundFloat(Exec& x, const Inst& i) {
  const Storage<T>* a = Row<Storage<T>>(x, i.a);
  ForLanes<T>(x, i.dst, [=](int l) {
    T v = Source<T>(a[l]);
    if constexpr (kFtz) v = FlushSingle(v);
    return Saturate<kSat>(RoundToInteger<kTo>(v));
  });
}

// A bf16 is the high half of a single. This rounds to nearest even on the dropped half.
inline uint32_t ToBFloat(float v) {
  uint32_t u = __builtin_bit_cast(uint32_t, v);
  if (v != v) return 0x7FFF;
  return (u + 0x7FFF + ((u >> 16) & 1)) >> 16;
}
inline uint32_t ToBFloatZero(float v) { return v != v ? 0x7FFF : __builtin_bit_cast(uint32_t, v) >> 16; }
template <bool kZero>
void CvtBFloatFromSingle(Exec& x, const Inst& i) {
  const uint32_t* a = Row<uint32_t>(x, i.a);
  ForLanes<uint32_t>(x, i.dst, [=](int l) {
    float v = __builtin_bit_cast(float, a[l]);
    return kZero ? ToBFloatZero(v) : ToBFloat(v);
  });
}
void CvtSingleFromBFloat(Exec& x, const Inst& i) {
  const uint32_t* a = Row<uint32_t>(x, i.a);
  ForLanes<uint32_t>(x, i.dst, [=](int l) { return a[l] << 16; });
}
// Converts two singles into one packed pair: the first operand goes to the high half.
void CvtPackHalf(Exec& x, const Inst& i) {
  const uint32_t* a = Row<uint32_t>(x, i.a);
  const uint32_t* b = Row<uint32_t>(x, i.b);
  ForLanes<uint32_t>(x, i.dst, [=](int l) {
    auto half = [](uint32_t u) {
      float f = __builtin_bit_cast(float, u);
      if (f != f) return uint32_t{0x7FFF};
      return static_cast<uint32_t>(__builtin_bit_cast(uint16_t, static_cast<_Float16>(f)));
    };
    return (half(a[l]) << 16) | half(b[l]);
  });
}
void CvtPackBFloat(Exec& x, const Inst& i) {
  const uint32_t* a = Row<uint32_t>(x, i.a);
  const uint32_t* b = Row<uint32_t>(x, i.b);
  ForLanes<uint32_t>(x, i.dst, [=](int l) {
    return (ToBFloat(__builtin_bit_cast(float, a[l])) << 16) | ToBFloat(__builtin_bit_cast(float, b[l]));
  });
}
// tf32 is a single without its low 13 mantissa bits. This rounds them to nearest, with ties away from zero.
void CvtTf32(Exec& x, const Inst& i) {
  const uint32_t* a = Row<uint32_t>(x, i.a);
  ForLanes<uint32_t>(x, i.dst, [=](int l) {
    uint32_t u = a[l];
    if ((u & 0x7F800000u) == 0x7F800000u) return (u & 0x007FFFFFu) ? 0x7FFFFFFFu : u;
    return (u + 0x1000u) & 0xFFFFE000u;
  });
}

#define INT_FROM(d, D, s, S) \
  {"cvt." d "." s, CvtInt<D, S, false>}, { "cvt.sat." d "." s, CvtInt<D, S, true> }
#define INT_FROM_ALL(d, D)                                                                             \
  INT_FROM(d, D, "u8", uint8_t), INT_FROM(d, D, "s8", int8_t), INT_FROM(d, D, "u16", uint16_t),        \
      INT_FROM(d, D, "s16", int16_t), INT_FROM(d, D, "u32", uint32_t), INT_FROM(d, D, "s32", int32_t), \
      INT_FROM(d, D, "u64", uint64_t), INT_FROM(d, D, "s64", int64_t)
#define ROUND_ALL(d, D, s, S)                                        \
  {"cvt.rni." d "." s, CvtFloatToInt<D, S, To::kNearest, false>},    \
      {"cvt.rzi." d "." s, CvtFloatToInt<D, S, To::kZero, false>},   \
      {"cvt.rmi." d "." s, CvtFloatToInt<D, S, To::kDown, false>}, { \
    "cvt.rpi." d "." s, CvtFloatToInt<D, S, To::kUp, false>          \
  }
#define ROUND_FTZ(d, D)                                                      \
  {"cvt.rni.ftz." d ".f32", CvtFloatToInt<D, float, To::kNearest, true>},    \
      {"cvt.rzi.ftz." d ".f32", CvtFloatToInt<D, float, To::kZero, true>},   \
      {"cvt.rmi.ftz." d ".f32", CvtFloatToInt<D, float, To::kDown, true>}, { \
    "cvt.rpi.ftz." d ".f32", CvtFloatToInt<D, float, To::kUp, true>          \
  }
#define INT_FROM_FLOAT(d, D) \
  ROUND_ALL(d, D, "f16", _Float16), ROUND_ALL(d, D, "f32", float), ROUND_ALL(d, D, "f64", double), ROUND_FTZ(d, D)
#define FLOAT_FROM_INT(d, D)                                                                             \
  {"cvt.rn." d ".u8", CvtIntToFloat<D, uint8_t>}, {"cvt.rn." d ".s8", CvtIntToFloat<D, int8_t>},         \
      {"cvt.rn." d ".u16", CvtIntToFloat<D, uint16_t>}, {"cvt.rn." d ".s16", CvtIntToFloat<D, int16_t>}, \
      {"cvt.rn." d ".u32", CvtIntToFloat<D, uint32_t>}, {"cvt.rn." d ".s32", CvtIntToFloat<D, int32_t>}, \
      {"cvt.rn." d ".u64", CvtIntToFloat<D, uint64_t>}, {                                                \
    "cvt.rn." d ".s64", CvtIntToFloat<D, int64_t>                                                        \
  }
#define ROUND_FLOAT(t, T)                                                \
  {"cvt.rni." t "." t, CvtRoundFloat<T, To::kNearest, false, false>},    \
      {"cvt.rzi." t "." t, CvtRoundFloat<T, To::kZero, false, false>},   \
      {"cvt.rmi." t "." t, CvtRoundFloat<T, To::kDown, false, false>}, { \
    "cvt.rpi." t "." t, CvtRoundFloat<T, To::kUp, false, false>          \
  }

const HandlerEntry kHandlers[] = {
    INT_FROM_ALL("u8", uint8_t),
    INT_FROM_ALL("s8", int8_t),
    INT_FROM_ALL("u16", uint16_t),
    INT_FROM_ALL("s16", int16_t),
    INT_FROM_ALL("u32", uint32_t),
    INT_FROM_ALL("s32", int32_t),
    INT_FROM_ALL("u64", uint64_t),
    INT_FROM_ALL("s64", int64_t),
    INT_FROM_FLOAT("u8", uint8_t),
    INT_FROM_FLOAT("s8", int8_t),
    INT_FROM_FLOAT("u16", uint16_t),
    INT_FROM_FLOAT("s16", int16_t),
    INT_FROM_FLOAT("u32", uint32_t),
    INT_FROM_FLOAT("s32", int32_t),
    INT_FROM_FLOAT("u64", uint64_t),
    INT_FROM_FLOAT("s64", int64_t),
    FLOAT_FROM_INT("f16", _Float16),
    FLOAT_FROM_INT("f32", float),
    FLOAT_FROM_INT("f64", double),
    ROUND_FLOAT("f32", float),
    ROUND_FLOAT("f64", double),
    ROUND_FLOAT("f16", _Float16),
    {"cvt.rni.ftz.f32.f32", CvtRoundFloat<float, To::kNearest, false, true>},
    {"cvt.rzi.ftz.f32.f32", CvtRoundFloat<float, To::kZero, false, true>},
    {"cvt.rmi.ftz.f32.f32", CvtRoundFloat<float, To::kDown, false, true>},
    {"cvt.rpi.ftz.f32.f32", CvtRoundFloat<float, To::kUp, false, true>},
    {"cvt.f32.f32", CvtFloat<float, float, false, false>},
    {"cvt.sat.f32.f32", CvtFloat<float, float, true, false>},
    {"cvt.ftz.f32.f32", CvtFloat<float, float, false, true>},
    {"cvt.ftz.sat.f32.f32", CvtFloat<float, float, true, true>},
    {"cvt.f64.f64", CvtFloat<double, double, false, false>},
    {"cvt.sat.f64.f64", CvtFloat<double, double, true, false>},
    {"cvt.f64.f32", CvtFloat<double, float, false, false>},
    {"cvt.ftz.f64.f32", CvtFloat<double, float, false, true>},
    {"cvt.rn.f32.f64", CvtFloat<float, double, false, false>},
    {"cvt.rn.sat.f32.f64", CvtFloat<float, double, true, false>},
    {"cvt.rn.ftz.f32.f64", CvtFloat<float, double, false, true>},
    {"cvt.f32.f16", CvtFloat<float, _Float16, false, false>},
    {"cvt.ftz.f32.f16", CvtFloat<float, _Float16, false, true>},
    {"cvt.f64.f16", CvtFloat<double, _Float16, false, false>},
    {"cvt.rn.f16.f32", CvtFloat<_Float16, float, false, false>},
    {"cvt.rn.ftz.f16.f32", CvtFloat<_Float16, float, false, true>},
    {"cvt.rn.sat.f16.f32", CvtFloat<_Float16, float, true, false>},
    {"cvt.rn.f16.f64", CvtFloat<_Float16, double, false, false>},
    {"cvt.f16.f16", CvtFloat<_Float16, _Float16, false, false>},
    {"cvt.rn.bf16.f32", CvtBFloatFromSingle<false>},
    {"cvt.rz.bf16.f32", CvtBFloatFromSingle<true>},
    {"cvt.f32.bf16", CvtSingleFromBFloat},
    {"cvt.rn.f16x2.f32", CvtPackHalf},
    {"cvt.rn.bf16x2.f32", CvtPackBFloat},
    {"cvt.rna.tf32.f32", CvtTf32},
};

}  // namespace

HandlerSpan ConvertHandlers() { return {kHandlers, sizeof(kHandlers) / sizeof(kHandlers[0])}; }

}  // namespace warpgrade::emulator::WARPGRADE_ISA
