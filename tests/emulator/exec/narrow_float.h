// f16 and bf16 written out: how their bits become numbers, and how a number is rounded to them, once.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "tests/emulator/exec/form.h"

namespace warpgrade::emulator {

struct Narrow {
  const char* name;
  int exponent_bits, mantissa_bits;
  Operand one, two;  // a single value, a packed pair
};
inline constexpr Narrow kHalf{"f16", 5, 10, Operand::kF16, Operand::kF16x2};
inline constexpr Narrow kBFloat{"bf16", 8, 7, Operand::kBF16, Operand::kBF16x2};

inline long double Widen(uint64_t bits, const Narrow& n) {
  int bias = (1 << (n.exponent_bits - 1)) - 1;
  int exponent = static_cast<int>(bits >> n.mantissa_bits) & ((1 << n.exponent_bits) - 1);
  uint64_t mantissa = bits & ((1u << n.mantissa_bits) - 1);
  long double v;
  if (exponent == (1 << n.exponent_bits) - 1) {
    v = mantissa != 0 ? NAN : INFINITY;
  } else if (exponent == 0) {
    v = std::ldexp(static_cast<long double>(mantissa), 1 - bias - n.mantissa_bits);
  } else {
    v = std::ldexp(static_cast<long double>(mantissa | (1u << n.mantissa_bits)), exponent - bias - n.mantissa_bits);
  }
  return bits & 0x8000 ? -v : v;
}

// To nearest, ties to even. The exact value is v + residue, where residue is too small to matter but to break a tie.
// toward_zero: drops what does not fit instead.
inline uint64_t RoundTo(const Narrow& n, long double v, long double residue = 0, bool toward_zero = false) {
  if (std::isnan(v)) return 0x7FFF;
  uint64_t sign = std::signbit(v) ? 0x8000 : 0;
  if (std::signbit(v)) v = -v, residue = -residue;
  int bias = (1 << (n.exponent_bits - 1)) - 1;
  uint64_t infinity = static_cast<uint64_t>((1 << n.exponent_bits) - 1) << n.mantissa_bits;
  if (std::isinf(v)) return sign | infinity;
  if (v == 0) return sign;
  int exponent;
  std::frexp(v, &exponent);  // v = m * 2^exponent, m in [0.5, 1)
  int lowest = 1 - bias - n.mantissa_bits, scale = std::max(exponent - 1 - n.mantissa_bits, lowest);
  long double units = std::ldexp(v, -scale), whole = std::floor(units), rest = units - whole;
  bool up = rest > 0.5L || (rest == 0.5L && (residue > 0 || (residue == 0 && std::fmod(whole, 2.0L) == 1)));
  if (toward_zero) up = false;
  // The exponent field and the mantissa are one number, so a carry out of the mantissa is right. For normal numbers
  // `whole` includes the leading one, which is one step of the exponent field.
  uint64_t bits =
      static_cast<uint64_t>(whole) + (up ? 1 : 0) + (static_cast<uint64_t>(scale - lowest) << n.mantissa_bits);
  return sign | std::min(bits, toward_zero ? infinity - 1 : infinity);
}

}  // namespace warpgrade::emulator
