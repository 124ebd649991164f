#include "tests/emulator/oracle/rules.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace warpgrade::oracle {

using ptx::Type;

bool Has(const ptx::Instruction& i, const char* modifier) {
  return std::find(i.modifiers.begin(), i.modifiers.end(), modifier) != i.modifiers.end();
}

Type TypeFromEnd(const ptx::Instruction& i, int k) {
  for (auto m = i.modifiers.rbegin(); m != i.modifiers.rend(); ++m) {
    Type t = ptx::TypeFromName(m->c_str(), m->size());
    if (t != Type::kNone && k-- == 0) return t;
  }
  return Type::kNone;
}

bool IsSigned(Type t) { return t == Type::kS8 || t == Type::kS16 || t == Type::kS32 || t == Type::kS64; }
bool IsInteger(Type t) {
  return IsSigned(t) || t == Type::kU8 || t == Type::kU16 || t == Type::kU32 || t == Type::kU64 || t == Type::kB8 ||
         t == Type::kB16 || t == Type::kB32 || t == Type::kB64;
}
int BitsOf(Type t) { return 8 * ptx::SizeOf(t); }

__int128 Number(uint64_t bits, int width, bool is_signed) {
  unsigned __int128 low = bits & (width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1);
  bool negative = is_signed && ((low >> (width - 1)) & 1) != 0;
  return static_cast<__int128>(low) - (negative ? __int128{1} << width : 0);
}

float Single(uint64_t bits) {
  float v;
  uint32_t low = static_cast<uint32_t>(bits);
  std::memcpy(&v, &low, sizeof(v));
  return v;
}
double Double(uint64_t bits) {
  double v;
  std::memcpy(&v, &bits, sizeof(v));
  return v;
}
uint64_t Bits(float v) {
  uint32_t bits;
  std::memcpy(&bits, &v, sizeof(bits));
  return bits;
}
uint64_t Bits(double v) {
  uint64_t bits;
  std::memcpy(&bits, &v, sizeof(bits));
  return bits;
}
float Flush(float v) { return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0f, v) : v; }

double Widen(uint64_t bits, const NarrowFormat& f) {
  int exponent_bits = 15 - f.mantissa_bits;
  uint64_t mantissa = bits & ((uint64_t{1} << f.mantissa_bits) - 1);
  uint64_t exponent = bits >> f.mantissa_bits & ((uint64_t{1} << exponent_bits) - 1);
  double sign = (bits >> 15 & 1) != 0 ? -1.0 : 1.0;
  if (exponent == (uint64_t{1} << exponent_bits) - 1) return mantissa != 0 ? NAN : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(static_cast<double>(mantissa), f.minimum_exponent - f.mantissa_bits);
  return sign * std::ldexp(static_cast<double>(mantissa | uint64_t{1} << f.mantissa_bits),
                           static_cast<int>(exponent) - f.bias - f.mantissa_bits);
}

uint64_t RoundTo(const NarrowFormat& f, __int128 mantissa, int exponent, bool sign_of_zero) {
  bool negative = mantissa < 0 || (mantissa == 0 && sign_of_zero);
  const uint64_t sign = negative ? 0x8000 : 0;
  unsigned __int128 m = static_cast<unsigned __int128>(mantissa < 0 ? -mantissa : mantissa);
  if (m == 0) return sign;
  int leading = 0;  // the number's leading bit is worth 2^leading
  for (unsigned __int128 rest = m; rest > 1; rest >>= 1) ++leading;
  leading += exponent;
  // The weight of the last bit that the format keeps.
  int unit = std::max(leading, f.minimum_exponent) - (f.precision - 1);
  int drop = unit - exponent;
  unsigned __int128 kept = m;
  if (drop > 120) {
    kept = 0;
  } else if (drop > 0) {
    kept = m >> drop;
    unsigned __int128 rest = m & ((static_cast<unsigned __int128>(1) << drop) - 1);
    unsigned __int128 half = static_cast<unsigned __int128>(1) << (drop - 1);
    if (rest > half || (rest == half && (kept & 1) != 0)) ++kept;
  } else {
    kept = m << -drop;
  }
  uint64_t k = static_cast<uint64_t>(kept);
  if (k >> f.precision != 0) {  // rounding carried into a new bit
    k >>= 1;
    ++unit;
  }
  uint64_t infinity = ((uint64_t{1} << (15 - f.mantissa_bits)) - 1) << f.mantissa_bits;
  if (k < uint64_t{1} << (f.precision - 1)) return sign | k;  // subnormal or zero
  int biased = unit + (f.precision - 1) + f.bias;
  uint64_t bits = (static_cast<uint64_t>(biased) << f.mantissa_bits) | (k & ((uint64_t{1} << f.mantissa_bits) - 1));
  return sign | std::min(bits, infinity);
}

uint64_t Narrow(double v, const NarrowFormat& f) {
  if (std::isnan(v)) return 0x7FFF;
  uint64_t infinity = ((uint64_t{1} << (15 - f.mantissa_bits)) - 1) << f.mantissa_bits;
  if (std::isinf(v)) return infinity | (v < 0 ? 0x8000 : 0);
  int exponent = 0;
  double fraction = std::frexp(v, &exponent);
  return RoundTo(f, static_cast<int64_t>(std::ldexp(fraction, 53)), exponent - 53, std::signbit(v));
}

Rule FindRule(const ptx::Instruction& i) {
  for (Rule (*find)(const ptx::Instruction&) :
       {VideoRule, ConvertRule, CompareRule, HalfRule, FloatRule, BitRule, IntegerRule}) {
    if (Rule rule = find(i)) return rule;
  }
  return nullptr;
}

}  // namespace warpgrade::oracle
