// cvt: PTX ISA 9.0, "Data Movement and Conversion Instructions: cvt". Compiled with -frounding-math.
#include <algorithm>
#include <cfenv>
#include <cmath>

#include "tests/emulator/oracle/rules.h"

namespace warpgrade::oracle {
namespace {

using ptx::Type;
using Wide = __int128;

int RoundingMode(const ptx::Instruction& i) {
  return Has(i, "rz") ? FE_TOWARDZERO : Has(i, "rm") ? FE_DOWNWARD : Has(i, "rp") ? FE_UPWARD : FE_TONEAREST;
}

double FloatValue(Type t, uint64_t bits, bool ftz) {
  if (t == Type::kF64) return Double(bits);
  if (t == Type::kF16) return Widen(bits, kHalf);
  if (t == Type::kBF16) return Widen(bits, kBFloat);
  return ftz ? Flush(Single(bits)) : Single(bits);
}

double ToWhole(const ptx::Instruction& i, double v) {
  if (Has(i, "rzi")) return std::trunc(v);
  if (Has(i, "rmi")) return std::floor(v);
  if (Has(i, "rpi")) return std::ceil(v);
  return std::nearbyint(v);
}

// Extended to 64 bits by the sign of the destination type, so that a wider register holds the right number.
uint64_t Clamped(Wide v, Type to) {
  int width = BitsOf(to);
  Wide low = IsSigned(to) ? -(Wide{1} << (width - 1)) : 0;
  Wide high = (Wide{1} << (IsSigned(to) ? width - 1 : width)) - 1;
  return static_cast<uint64_t>(std::clamp(v, low, high));
}
uint64_t Truncated(Wide v, Type to) {
  return static_cast<uint64_t>(Number(static_cast<uint64_t>(v), BitsOf(to), IsSigned(to)));
}

uint64_t FloatToInteger(const ptx::Instruction& i, double v, Type to, Type from) {
  if (std::isnan(v)) {
    bool wide = from == Type::kF64 || BitsOf(to) == 64;
    return wide ? Truncated(Wide{1} << (BitsOf(to) - 1), to) : 0;
  }
  v = ToWhole(i, v);
  if (v > 1e30) return Clamped(Wide{1} << 100, to);
  if (v < -1e30) return Clamped(-(Wide{1} << 100), to);
  return Clamped(static_cast<Wide>(v), to);
}

template <typename T>
uint64_t IntegerToFloat(Wide v, int mode) {
  // volatile: nothing moves across the changes of mode.
  volatile int64_t negative = static_cast<int64_t>(v);
  volatile uint64_t positive = static_cast<uint64_t>(v);
  std::fesetround(mode);
  volatile T r = v < 0 ? static_cast<T>(negative) : static_cast<T>(positive);
  std::fesetround(FE_TONEAREST);
  return Bits(static_cast<T>(r));
}

uint64_t FloatToFloat(const ptx::Instruction& i, double v, Type to, Type from) {
  bool whole = Has(i, "rni") || Has(i, "rzi") || Has(i, "rmi") || Has(i, "rpi"), ftz = Has(i, "ftz");
  if (whole) v = ToWhole(i, v);
  if (Has(i, "sat")) v = !(v > 0) ? 0 : v > 1 ? 1 : v;
  if (to == Type::kF64) return Bits(v);
  if (to == Type::kF16) return Narrow(v, kHalf);
  if (to == Type::kBF16 && Has(i, "rz")) return std::isnan(v) ? 0x7FFF : Bits(static_cast<float>(v)) >> 16;
  if (to == Type::kBF16) return Narrow(v, kBFloat);
  volatile double exact = v;
  std::fesetround(from == Type::kF64 ? RoundingMode(i) : FE_TONEAREST);
  volatile float r = static_cast<float>(exact);
  std::fesetround(FE_TONEAREST);
  return Bits(ftz ? Flush(r) : static_cast<float>(r));
}

}  // namespace

Rule ConvertRule(const ptx::Instruction& i) {
  if (i.opcode != "cvt") return nullptr;
  Type to = TypeFromEnd(i, 1), from = TypeFromEnd(i, 0);
  bool ftz = Has(i, "ftz"), sat = Has(i, "sat");
  if (to == Type::kF16x2 || to == Type::kBF16x2) {
    NarrowFormat format = to == Type::kF16x2 ? kHalf : kBFloat;
    return [=](Step& s) { s.out = Narrow(Single(s.in[0]), format) << 16 | Narrow(Single(s.in[1]), format); };
  }
  if (IsInteger(to) && IsInteger(from)) {
    return [=](Step& s) {
      Wide v = Number(s.in[0], BitsOf(from), IsSigned(from));
      s.out = sat ? Clamped(v, to) : Truncated(v, to);
    };
  }
  if (IsInteger(to)) {
    return [=](Step& s) { s.out = FloatToInteger(i, FloatValue(from, s.in[0], ftz), to, from); };
  }
  if (IsInteger(from)) {
    int mode = RoundingMode(i);
    return [=](Step& s) {
      Wide v = Number(s.in[0], BitsOf(from), IsSigned(from));
      s.out = to == Type::kF64   ? IntegerToFloat<double>(v, mode)
              : to == Type::kF32 ? IntegerToFloat<float>(v, mode)
                                 : RoundTo(kHalf, v, 0, false);
    };
  }
  return [=](Step& s) { s.out = FloatToFloat(i, FloatValue(from, s.in[0], ftz), to, from); };
}

}  // namespace warpgrade::oracle
