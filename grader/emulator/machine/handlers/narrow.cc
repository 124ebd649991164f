// cvt to f16, bf16 and tf32 in every rounding mode, from every type: PTX ISA "cvt". Each source is converted to a
// double that keeps everything that rounding needs, and is then rounded once by its bits. The common conversions to
// nearest have their own handlers in convert.cc. Tested by tests/emulator/exec/narrow_test.cc.
#include "grader/emulator/machine/handlers/lanes.h"

namespace warpgrade::emulator::WARPGRADE_ISA {
namespace {

template <int kMantissaBits, int kLowestExponent, int kShift, uint32_t kNanBits, uint32_t kSignBit>
struct Format {
  static constexpr int kMantissa = kMantissaBits, kLowest = kLowestExponent, kPlace = kShift;
  static constexpr uint32_t kNan = kNanBits, kSign = kSignBit;
  static constexpr uint32_t kInfinity = static_cast<uint32_t>(2 - 2 * kLowestExponent + 1) << kMantissaBits;
};
using HalfFormat = Format<10, -14, 0, 0x7FFF, 0x8000>;
using BFloatFormat = Format<7, -126, 0, 0x7FFF, 0x8000>;
using Tf32Format = Format<10, -126, 13, 0x7FFFFFFF, 0x80000000>;  // a single without its low 13 bits

template <typename F>
inline uint32_t Round(double v, NarrowFlags flags) {
  if (v != v) return flags.saturate ? 0 : F::kNan;
  if (flags.saturate) v = v > 0 ? (v < 1 ? v : 1) : 0;
  if (flags.relu && v < 0) v = 0;
  const uint64_t bits = __builtin_bit_cast(uint64_t, v);
  const bool negative = bits >> 63;
  const uint32_t sign = negative ? F::kSign : 0;
  const int biased = static_cast<int>((bits >> 52) & 0x7FF), exponent = biased - 1023;
  uint64_t mantissa = bits & 0xFFFFFFFFFFFFFull;
  const int mode = flags.rounding;
  if (biased == 0x7FF) {
    return sign | ((flags.finite ? F::kInfinity - 1 : F::kInfinity) << F::kPlace);
  }
  if (biased != 0) mantissa |= uint64_t{1} << 52;
  // A subnormal double is too small for every format, so all of its bits are dropped. The limit keeps the shift
  // defined.
  int drop = 52 - F::kMantissa;
  if (exponent < F::kLowest) drop += F::kLowest - exponent;
  if (drop > 60) drop = 60;
  uint64_t kept = mantissa >> drop, lost = mantissa & ((uint64_t{1} << drop) - 1), half = uint64_t{1} << (drop - 1);
  bool up = false;
  switch (mode) {
    case kToNearest:
      up = lost > half || (lost == half && (kept & 1) != 0);
      break;
    case kToNearestAway:
      up = lost >= half;
      break;
    case kDownward:
      up = negative && lost != 0;
      break;
    case kUpward:
      up = !negative && lost != 0;
      break;
    default:
      break;
  }
  // The hidden bit of a normal number adds one to the exponent field, and so does a carry out of the mantissa.
  uint64_t field = exponent > F::kLowest ? static_cast<uint64_t>(exponent - F::kLowest) << F::kMantissa : 0;
  uint64_t magnitude = field + kept + (up ? 1 : 0);
  if (magnitude >= F::kInfinity) {
    bool to_infinity = mode == kToNearest || mode == kToNearestAway || (mode == kUpward && !negative) ||
                       (mode == kDownward && negative);
    magnitude = to_infinity && !flags.finite ? F::kInfinity : F::kInfinity - 1;
  }
  return sign | static_cast<uint32_t>(magnitude << F::kPlace);
}

// Converts the source to a double. An integer of more than 53 bits keeps a sticky bit, which is enough to round to 11
// bits.
inline double ToDouble(uint64_t v) {
  if (v >> 53) v = (v & ~uint64_t{0xFFF}) | ((v & 0xFFF) != 0 ? 0x800 : 0);
  return static_cast<double>(v);
}
inline double ToDouble(int64_t v) {
  return v < 0 ? -ToDouble(uint64_t{0} - static_cast<uint64_t>(v)) : ToDouble(static_cast<uint64_t>(v));
}
inline double ToDouble(uint32_t v) { return v; }
inline double ToDouble(int32_t v) { return v; }
inline double ToDouble(uint16_t v) { return v; }
inline double ToDouble(int16_t v) { return v; }
inline double ToDouble(uint8_t v) { return v; }
inline double ToDouble(int8_t v) { return v; }
inline double ToDouble(double v) { return v; }
inline double ToDouble(float v) { return v; }
inline double ToDouble(_Float16 v) { return static_cast<double>(v); }

template <typename S>
inline double Read(Storage<S> cell, NarrowFlags flags) {
  if constexpr (sizeof(S) == 4) {
    constexpr bool kSingle = S(0.5) != S(0);
    if (kSingle && flags.flush && (cell & 0x7F800000u) == 0) cell &= 0x80000000u;
  }
  return ToDouble(Get<S>(cell));
}

template <typename F, typename S>
void Cvt(Exec& x, const Inst& i) {
  const Storage<S>* a = Row<Storage<S>>(x, i.a);
  const NarrowFlags flags = i.narrow;
  ForLanes<uint32_t>(x, i.dst, [=](int l) { return Round<F>(Read<S>(a[l], flags), flags); });
}
// Converts two singles into a pair: the first operand goes to the high half.
template <typename F>
void CvtPair(Exec& x, const Inst& i) {
  const uint32_t* a = Row<uint32_t>(x, i.a);
  const uint32_t* b = Row<uint32_t>(x, i.b);
  const NarrowFlags flags = i.narrow;
  ForLanes<uint32_t>(x, i.dst, [=](int l) {
    return (Round<F>(Read<float>(a[l], flags), flags) << 16) | Round<F>(Read<float>(b[l], flags), flags);
  });
}

#define FROM_ALL(name, F)                                                                          \
  {"cvt.narrow." name ".u8", Cvt<F, uint8_t>}, {"cvt.narrow." name ".s8", Cvt<F, int8_t>},         \
      {"cvt.narrow." name ".u16", Cvt<F, uint16_t>}, {"cvt.narrow." name ".s16", Cvt<F, int16_t>}, \
      {"cvt.narrow." name ".u32", Cvt<F, uint32_t>}, {"cvt.narrow." name ".s32", Cvt<F, int32_t>}, \
      {"cvt.narrow." name ".u64", Cvt<F, uint64_t>}, {"cvt.narrow." name ".s64", Cvt<F, int64_t>}, \
      {"cvt.narrow." name ".f16", Cvt<F, _Float16>}, {"cvt.narrow." name ".f32", Cvt<F, float>}, { \
    "cvt.narrow." name ".f64", Cvt<F, double>                                                      \
  }

const HandlerEntry kHandlers[] = {
    FROM_ALL("f16", HalfFormat),
    FROM_ALL("bf16", BFloatFormat),
    {"cvt.narrow.tf32.f32", Cvt<Tf32Format, float>},
    {"cvt.narrow.f16x2.f32", CvtPair<HalfFormat>},
    {"cvt.narrow.bf16x2.f32", CvtPair<BFloatFormat>},
};

}  // namespace

HandlerSpan NarrowHandlers() { return {kHandlers, sizeof(kHandlers) / sizeof(kHandlers[0])}; }

}  // namespace warpgrade::emulator::WARPGRADE_ISA
