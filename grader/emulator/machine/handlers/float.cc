// Single and double precision arithmetic: PTX ISA "Floating Point Instructions". IEEE operations round to nearest even;
// the directed rounding modes are in machine/rounding.cc. Approximate instructions are computed in a higher precision,
// so their error is within the ISA's limit. Tested by tests/emulator/exec/float_test.cc.
#include <cmath>

#include "grader/emulator/machine/handlers/lanes.h"

namespace warpgrade::emulator::WARPGRADE_ISA {
namespace {

inline float QuietNan(float) { return __builtin_bit_cast(float, 0x7FFFFFFFu); }
inline double QuietNan(double) { return __builtin_bit_cast(double, uint64_t{0xFFF8000000000000}); }

// .ftz: subnormal inputs and results become zero of the same sign (single precision only).
template <bool kFtz>
inline float Flush(float v) {
  uint32_t u = __builtin_bit_cast(uint32_t, v);
  uint32_t flushed = (u & 0x7F800000u) == 0 ? u & 0x80000000u : u;
  return __builtin_bit_cast(float, kFtz ? flushed : u);
}
template <bool kFtz>
inline double Flush(double v) {
  return v;
}
// .sat: clamp to [0, 1]; NaN becomes 0.
template <bool kSat, typename T>
inline T Saturate(T v) {
  if (!kSat) return v;
  return v > T(0) ? (v < T(1) ? v : T(1)) : T(0);
}

template <typename T, bool kFtz, bool kSat>
struct Add {
  using D = T;
  using A = T;
  using B = T;
  static T F(T a, T b) { return Saturate<kSat>(Flush<kFtz>(Flush<kFtz>(a) + Flush<kFtz>(b))); }
};
// Two singles in 64 bits, each added to its partner.
template <bool kFtz>
struct AddPair {
  using D = uint64_t;
  using A = uint64_t;
  using B = uint64_t;
  static uint64_t Half(uint64_t a, uint64_t b) {
    return Put<float>(
        Add<float, kFtz, false>::F(Get<float>(static_cast<uint32_t>(a)), Get<float>(static_cast<uint32_t>(b))));
  }
  static uint64_t F(uint64_t a, uint64_t b) { return Half(a, b) | Half(a >> 32, b >> 32) << 32; }
};
template <typename T, bool kFtz, bool kSat>
struct Sub {
  using D = T;
  using A = T;
  using B = T;
  static T F(T a, T b) { return Saturate<kSat>(Flush<kFtz>(Flush<kFtz>(a) - Flush<kFtz>(b))); }
};
template <typename T, bool kFtz, bool kSat>
struct Mul {
  using D = T;
  using A = T;
  using B = T;
  static T F(T a, T b) { return Saturate<kSat>(Flush<kFtz>(Flush<kFtz>(a) * Flush<kFtz>(b))); }
};
inline float FusedMulAdd(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double FusedMulAdd(double a, double b, double c) { return __builtin_fma(a, b, c); }
template <typename T, bool kFtz, bool kSat>
struct Fma {
  using D = T;
  using A = T;
  using B = T;
  using C = T;
  static T F(T a, T b, T c) {
    return Saturate<kSat>(Flush<kFtz>(FusedMulAdd(Flush<kFtz>(a), Flush<kFtz>(b), Flush<kFtz>(c))));
  }
};
template <typename T, bool kFtz>
struct Div {
  using D = T;
  using A = T;
  using B = T;
  static T F(T a, T b) { return Flush<kFtz>(Flush<kFtz>(a) / Flush<kFtz>(b)); }
};
template <typename T, bool kFtz>
struct Rcp {
  using D = T;
  using A = T;
  static T F(T a) { return Flush<kFtz>(T(1) / Flush<kFtz>(a)); }
};
inline float Root(float v) { return __builtin_sqrtf(v); }
inline double Root(double v) { return __builtin_sqrt(v); }
template <typename T, bool kFtz>
struct Sqrt {
  using D = T;
  using A = T;
  static T F(T a) { return Flush<kFtz>(Root(Flush<kFtz>(a))); }
};
template <typename T, bool kFtz>
struct Rsqrt {
  using D = T;
  using A = T;
  static T F(T a) { return Flush<kFtz>(static_cast<T>(1.0 / Root(static_cast<double>(Flush<kFtz>(a))))); }
};
// rcp.approx.ftz.f64 uses only the high word of its operand, and the low 32 bits of the result are zero. Subnormal
// operands and results become zeros.
inline double HighWord(double v) {
  uint64_t u = __builtin_bit_cast(uint64_t, v);
  bool subnormal = (u & 0x7FF0000000000000ull) == 0;
  return __builtin_bit_cast(double, u&(subnormal ? 0x8000000000000000ull : 0xFFFFFFFF00000000ull));
}
struct Rcp64High {
  using D = double;
  using A = double;
  static double F(double a) { return HighWord(1.0 / HighWord(a)); }
};
struct Rsqrt64High {
  using D = double;
  using A = double;
  static double F(double a) { return HighWord(1.0 / Root(HighWord(a))); }
};
template <typename T, bool kFtz>
struct Neg {
  using D = T;
  using A = T;
  static T F(T a) { return -Flush<kFtz>(a); }
};
inline float Magnitude(float v) { return __builtin_fabsf(v); }
inline double Magnitude(double v) { return __builtin_fabs(v); }
template <typename T, bool kFtz>
struct Abs {
  using D = T;
  using A = T;
  static T F(T a) { return Magnitude(Flush<kFtz>(a)); }
};
// If one operand is NaN, the result is the other one, unless .NaN is set. -0 is less than +0.
template <typename T>
inline bool Less(T a, T b) {
  return a < b || (a == b && __builtin_signbit(a) && !__builtin_signbit(b));
}
template <typename T, bool kFtz, bool kNan>
struct Min {
  using D = T;
  using A = T;
  using B = T;
  static T F(T a, T b) {
    a = Flush<kFtz>(a);
    b = Flush<kFtz>(b);
    if (a != a || b != b) return (kNan || (a != a && b != b)) ? QuietNan(a) : (a != a ? b : a);
    return Less(a, b) ? a : b;
  }
};
template <typename T, bool kFtz, bool kNan>
struct Max {
  using D = T;
  using A = T;
  using B = T;
  static T F(T a, T b) {
    a = Flush<kFtz>(a);
    b = Flush<kFtz>(b);
    if (a != a || b != b) return (kNan || (a != a && b != b)) ? QuietNan(a) : (a != a ? b : a);
    return Less(a, b) ? b : a;
  }
};
// .xorsign.abs compares magnitudes; the sign of the result is the exclusive or of the operands' signs.
template <bool kMax>
void MinMaxXorSign(Exec& x, const Inst& i) {
  const uint32_t* a = Row<uint32_t>(x, i.a);
  const uint32_t* b = Row<uint32_t>(x, i.b);
  const bool flush = i.floats.flush, nan_wins = i.floats.nan_wins;
  ForLanes<uint32_t>(x, i.dst, [=](int l) {
    uint32_t p = a[l] & 0x7FFFFFFFu, q = b[l] & 0x7FFFFFFFu, sign = (a[l] ^ b[l]) & 0x80000000u;
    if (flush) {
      p = p < 0x00800000u ? 0 : p;
      q = q < 0x00800000u ? 0 : q;
    }
    const bool p_nan = p > 0x7F800000u, q_nan = q > 0x7F800000u;
    if ((nan_wins && (p_nan || q_nan)) || (p_nan && q_nan)) return uint32_t{0x7FFFFFFF};
    // The bits of magnitudes compare like integers. A NaN has larger bits than all numbers, so it is handled first.
    uint32_t r = p_nan ? q : q_nan ? p : (p < q) != kMax ? p : q;
    return r | sign;
  });
}
template <typename T>
struct CopySign {  // the sign of a, and the magnitude of b
  using D = T;
  using A = T;
  using B = T;
  static T F(T a, T b) {
    Bits<T> sign = Bits<T>{1} << (sizeof(T) * 8 - 1);
    return __builtin_bit_cast(
        T, static_cast<Bits<T>>((__builtin_bit_cast(Bits<T>, a) & sign) | (__builtin_bit_cast(Bits<T>, b) & ~sign)));
  }
};

enum class Function { kSin, kCos, kLg2, kEx2, kTanh };
template <Function kFunction, bool kFtz>
struct Approximate {
  using D = float;
  using A = float;
  static float F(float a) {
    double v = Flush<kFtz>(a), r = 0;
    switch (kFunction) {
      case Function::kSin:
        r = ::sin(v);
        break;
      case Function::kCos:
        r = ::cos(v);
        break;
      case Function::kLg2:
        r = ::log2(v);
        break;
      case Function::kEx2:
        r = ::exp2(v);
        break;
      case Function::kTanh:
        r = ::tanh(v);
        break;
    }
    return Flush<kFtz>(static_cast<float>(r));
  }
};

enum class Test { kFinite, kInfinite, kNumber, kNotANumber, kNormal, kSubnormal };
template <typename T, Test kTest>
void TestProperty(Exec& x, const Inst& i) {
  const Storage<T>* a = Row<Storage<T>>(x, i.a);
  SetPredicate(x, i.dst, PredicateOf([=](int l) {
                 T v = Get<T>(a[l]), m = Magnitude(v);
                 constexpr T kMin =
                     sizeof(T) == 8 ? static_cast<T>(2.2250738585072014e-308) : static_cast<T>(1.17549435e-38f);
                 switch (kTest) {
                   case Test::kFinite:
                     return m < static_cast<T>(__builtin_inf());
                   case Test::kInfinite:
                     return m == static_cast<T>(__builtin_inf());
                   case Test::kNumber:
                     return v == v;
                   case Test::kNotANumber:
                     return v != v;
                   case Test::kNormal:
                     return m >= kMin && m < static_cast<T>(__builtin_inf());
                   case Test::kSubnormal:
                     return m > 0 && m < kMin;
                 }
                 return false;
               }));
}

#define FTZ_SAT(name, arity, Op)                                                                               \
  {name ".f32", arity<Op<float, false, false>>}, {name ".ftz.f32", arity<Op<float, true, false>>},             \
      {name ".sat.f32", arity<Op<float, false, true>>}, {name ".ftz.sat.f32", arity<Op<float, true, true>>}, { \
    name ".f64", arity<Op<double, false, false>>                                                               \
  }
#define FTZ(name, arity, Op)                                                           \
  {name ".f32", arity<Op<float, false>>}, {name ".ftz.f32", arity<Op<float, true>>}, { \
    name ".f64", arity<Op<double, false>>                                              \
  }
#define APPROXIMATE(name, function)                                      \
  {name ".approx.f32", Unary<Approximate<Function::function, false>>}, { \
    name ".approx.ftz.f32", Unary<Approximate<Function::function, true>> \
  }
#define TESTP(name, test) \
  {"testp." name ".f32", TestProperty<float, Test::test>}, { "testp." name ".f64", TestProperty<double, Test::test> }

const HandlerEntry kHandlers[] = {
    FTZ_SAT("add", Binary, Add),
    {"add.f32x2", Binary<AddPair<false>>},
    {"add.ftz.f32x2", Binary<AddPair<true>>},
    FTZ_SAT("sub", Binary, Sub),
    FTZ_SAT("mul", Binary, Mul),
    FTZ_SAT("fma", Ternary, Fma),
    FTZ("div", Binary, Div),
    FTZ("rcp", Unary, Rcp),
    FTZ("sqrt", Unary, Sqrt),
    FTZ("neg", Unary, Neg),
    FTZ("abs", Unary, Abs),
    {"div.approx.f32", Binary<Div<float, false>>},
    {"div.approx.ftz.f32", Binary<Div<float, true>>},
    {"div.full.f32", Binary<Div<float, false>>},
    {"div.full.ftz.f32", Binary<Div<float, true>>},
    {"rcp.approx.f32", Unary<Rcp<float, false>>},
    {"rcp.approx.ftz.f32", Unary<Rcp<float, true>>},
    {"rcp.approx.ftz.f64", Unary<Rcp64High>},
    {"rsqrt.approx.ftz.f64", Unary<Rsqrt64High>},
    {"sqrt.approx.f32", Unary<Sqrt<float, false>>},
    {"sqrt.approx.ftz.f32", Unary<Sqrt<float, true>>},
    {"rsqrt.approx.f32", Unary<Rsqrt<float, false>>},
    {"rsqrt.approx.ftz.f32", Unary<Rsqrt<float, true>>},
    {"rsqrt.approx.f64", Unary<Rsqrt<double, false>>},
    {"min.f32", Binary<Min<float, false, false>>},
    {"min.ftz.f32", Binary<Min<float, true, false>>},
    {"min.NaN.f32", Binary<Min<float, false, true>>},
    {"min.ftz.NaN.f32", Binary<Min<float, true, true>>},
    {"min.f64", Binary<Min<double, false, false>>},
    {"max.f32", Binary<Max<float, false, false>>},
    {"max.ftz.f32", Binary<Max<float, true, false>>},
    {"max.NaN.f32", Binary<Max<float, false, true>>},
    {"max.ftz.NaN.f32", Binary<Max<float, true, true>>},
    {"max.f64", Binary<Max<double, false, false>>},
    {"min.xorsign.f32", MinMaxXorSign<false>},
    {"max.xorsign.f32", MinMaxXorSign<true>},
    {"copysign.f32", Binary<CopySign<float>>},
    {"copysign.f64", Binary<CopySign<double>>},
    APPROXIMATE("sin", kSin),
    APPROXIMATE("cos", kCos),
    APPROXIMATE("lg2", kLg2),
    APPROXIMATE("ex2", kEx2),
    {"tanh.approx.f32", Unary<Approximate<Function::kTanh, false>>},
    TESTP("finite", kFinite),
    TESTP("infinite", kInfinite),
    TESTP("number", kNumber),
    TESTP("notanumber", kNotANumber),
    TESTP("normal", kNormal),
    TESTP("subnormal", kSubnormal),
};

}  // namespace

HandlerSpan FloatHandlers() { return {kHandlers, sizeof(kHandlers) / sizeof(kHandlers[0])}; }

}  // namespace warpgrade::emulator::WARPGRADE_ISA
