// f32 and f64 arithmetic with rounding modes, flushing and saturation, and f16/bf16: PTX ISA 9.0, "Floating-Point" and
// "Half Precision Floating-Point Instructions". Compiled with -frounding-math.
#include <cfenv>
#include <cmath>

#include "tests/emulator/oracle/rules.h"

namespace warpgrade::oracle {
namespace {

using ptx::Type;

int RoundingMode(const ptx::Instruction& i) {
  return Has(i, "rz") ? FE_TOWARDZERO : Has(i, "rm") ? FE_DOWNWARD : Has(i, "rp") ? FE_UPWARD : FE_TONEAREST;
}

template <typename T>
T Compute(const std::string& op, T a, T b, T c) {
  if (op == "add") return a + b;
  if (op == "sub") return a - b;
  if (op == "mul") return a * b;
  if (op == "div") return a / b;
  if (op == "rcp") return T(1) / a;
  if (op == "sqrt") return std::sqrt(a);
  return std::fma(a, b, c);
}

template <typename T>
T Smaller(T a, T b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? a : b;  // -0 is less than +0
  return a < b ? a : b;
}
template <typename T>
T Larger(T a, T b) {
  return -Smaller(-a, -b);
}

template <typename T>
T Saturate(T v) {
  if (!(v > T(0))) return T(0);  // NaN too
  return v > T(1) ? T(1) : v;
}

template <typename T>
Rule ExtremeRule(const ptx::Instruction& i, T (*get)(uint64_t)) {
  bool smaller = i.opcode == "min", keep_nan = Has(i, "NaN"), ftz = Has(i, "ftz");
  return [=](Step& s) {
    T a = get(s.in[0]), b = get(s.in[1]);
    if constexpr (sizeof(T) == 4) {
      if (ftz) a = Flush(a), b = Flush(b);
    }
    T r = keep_nan && (std::isnan(a) || std::isnan(b)) ? T(NAN) : smaller ? Smaller(a, b) : Larger(a, b);
    s.out = Bits(r);
  };
}

template <typename T>
Rule FloatRuleOf(const ptx::Instruction& i, T (*get)(uint64_t)) {
  const std::string op = i.opcode;
  const bool ftz = Has(i, "ftz"), sat = Has(i, "sat");
  auto flush = [ftz](T v) {
    if constexpr (sizeof(T) == 4) return ftz ? Flush(v) : v;
    return v;
  };
  if (op == "add" || op == "sub" || op == "mul" || op == "div" || op == "rcp" || op == "sqrt" || op == "fma" ||
      op == "mad") {
    if (Has(i, "approx") || Has(i, "full")) return nullptr;
    int mode = RoundingMode(i);
    return [=](Step& s) {
      volatile T a = flush(get(s.in[0])), b = flush(get(s.in[1])), c = flush(get(s.in[2]));
      std::fesetround(mode);
      volatile T r = Compute<T>(op, a, b, c);
      std::fesetround(FE_TONEAREST);
      T flushed = flush(r);
      s.out = Bits(sat ? Saturate(flushed) : flushed);
    };
  }
  if (op == "min" || op == "max") return ExtremeRule<T>(i, get);
  if (op == "abs") return [=](Step& s) { s.out = Bits(std::fabs(flush(get(s.in[0])))); };
  if (op == "neg") return [=](Step& s) { s.out = Bits(-flush(get(s.in[0]))); };
  if (op == "copysign") return [=](Step& s) { s.out = Bits(std::copysign(get(s.in[1]), get(s.in[0]))); };
  if (op == "testp") {
    int kind = Has(i, "finite")       ? 0
               : Has(i, "infinite")   ? 1
               : Has(i, "number")     ? 2
               : Has(i, "notanumber") ? 3
               : Has(i, "normal")     ? 4
                                      : 5;
    return [=](Step& s) {
      T v = get(s.in[0]);
      bool answers[] = {std::isfinite(v) != 0, std::isinf(v) != 0,    std::isnan(v) == 0,
                        std::isnan(v) != 0,    std::isnormal(v) != 0, std::fpclassify(v) == FP_SUBNORMAL};
      s.out = answers[kind] ? 1 : 0;
    };
  }
  return nullptr;
}

// mantissa * 2^exponent of a finite value.
struct Exact {
  __int128 mantissa = 0;
  int exponent = 0;
};
Exact Take(double v) {
  int exponent = 0;
  double fraction = std::frexp(v, &exponent);
  int64_t mantissa = static_cast<int64_t>(std::ldexp(fraction, 53));
  while (mantissa != 0 && mantissa % 2 == 0) {
    mantissa /= 2;
    ++exponent;
  }
  return {mantissa, exponent - 53};
}
// The exact sum, but for an addend more than 2^80 smaller: it only says to which side of the other the sum lies.
Exact Add(Exact x, Exact y) {
  if (x.mantissa == 0) return y;
  if (y.mantissa == 0) return x;
  if (x.exponent < y.exponent) std::swap(x, y);
  int distance = x.exponent - y.exponent;
  if (distance > 80) {
    // Values of the narrow formats have short mantissas, so y is smaller than 2^-40 units of x.
    y.mantissa = y.mantissa < 0 ? -1 : 1;
    distance = 80;
    y.exponent = x.exponent - 80;
  }
  return {(x.mantissa << distance) + y.mantissa, y.exponent};
}

uint64_t NarrowFma(const NarrowFormat& f, uint64_t a_bits, uint64_t b_bits, uint64_t c_bits) {
  double a = Widen(a_bits, f), b = Widen(b_bits, f), c = Widen(c_bits, f);
  double nearly = std::fma(a, b, c);  // right about infinities, NaN and the sign of zero
  if (!std::isfinite(nearly)) return Narrow(nearly, f);
  Exact x = Take(a), y = Take(b);
  Exact sum = Add({x.mantissa * y.mantissa, x.exponent + y.exponent}, Take(c));
  return RoundTo(f, sum.mantissa, sum.exponent, std::signbit(nearly));
}

uint64_t NarrowOperation(const std::string& op, const NarrowFormat& f, uint64_t a, uint64_t b, uint64_t c) {
  constexpr uint64_t kSign = 0x8000;
  const uint64_t one = Narrow(1.0, f);
  // One rounding of an exact value each: sums and products are fused ones with a factor of 1 or an addend of -0.
  if (op == "add") return NarrowFma(f, a, one, b);
  if (op == "sub") return NarrowFma(f, a, one, b ^ kSign);
  if (op == "mul") {
    double sign = Widen(a, f) * Widen(b, f);
    return NarrowFma(f, a, b, std::signbit(sign) ? kSign : 0);
  }
  if (op == "fma") return NarrowFma(f, a, b, c);
  if (op == "min") return Narrow(Smaller(Widen(a, f), Widen(b, f)), f);
  if (op == "max") return Narrow(Larger(Widen(a, f), Widen(b, f)), f);
  if (op == "neg") return a ^ kSign;
  return a & ~kSign;
}

}  // namespace

Rule HalfRule(const ptx::Instruction& i) {
  Type t = TypeFromEnd(i, 0);
  bool bfloat = t == Type::kBF16 || t == Type::kBF16x2, packed = t == Type::kF16x2 || t == Type::kBF16x2;
  if (!bfloat && t != Type::kF16 && t != Type::kF16x2) return nullptr;
  const std::string op = i.opcode;
  bool known = false;
  for (const char* name : {"add", "sub", "mul", "fma", "min", "max", "neg", "abs"}) known = known || op == name;
  if (!known) return nullptr;
  const NarrowFormat format = bfloat ? kBFloat : kHalf;
  return [=](Step& s) {
    auto half = [&](int k) {
      return NarrowOperation(op, format, s.in[0] >> (16 * k) & 0xFFFF, s.in[1] >> (16 * k) & 0xFFFF,
                             s.in[2] >> (16 * k) & 0xFFFF);
    };
    s.out = half(0) | (packed ? half(1) << 16 : 0);
  };
}

Rule FloatRule(const ptx::Instruction& i) {
  Type t = TypeFromEnd(i, 0);
  if (t == Type::kF32) return FloatRuleOf<float>(i, Single);
  if (t == Type::kF64) return FloatRuleOf<double>(i, Double);
  if (t == Type::kF32x2) {
    const Rule one = FloatRuleOf<float>(i, Single);
    if (!one) return nullptr;
    return [one](Step& s) {
      Step high;
      for (int k = 0; k < 3; ++k) high.in[k] = s.in[k] >> 32;
      one(s);
      one(high);
      s.out |= high.out << 32;
    };
  }
  return nullptr;
}

}  // namespace warpgrade::oracle
