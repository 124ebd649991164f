// Half precision (f16, f16x2) and bfloat16 arithmetic: PTX ISA "Half Precision Floating Point Instructions". Each
// operation is computed in a wider precision, wide enough that rounding its result again gives the correctly rounded
// narrow result. Tested by tests/emulator/exec/half_test.cc.
#include <cmath>

#include "grader/emulator/machine/handlers/lanes.h"

namespace warpgrade::emulator::WARPGRADE_ISA {
namespace {

struct HalfFormat {
  static constexpr uint32_t kExponent = 0x7C00;
  static double Widen(uint16_t bits) { return static_cast<double>(__builtin_bit_cast(_Float16, bits)); }
  static uint16_t Narrow(double v) {
    if (v != v) return 0x7FFF;
    return __builtin_bit_cast(uint16_t, static_cast<_Float16>(v));
  }
};

struct BFloatFormat {
  static constexpr uint32_t kExponent = 0x7F80;
  static double Widen(uint16_t bits) { return __builtin_bit_cast(float, static_cast<uint32_t>(bits) << 16); }
  // Rounds a double to 8 significant bits, ties to even. It avoids double rounding.
  static uint16_t Narrow(double v) {
    if (v != v) return 0x7FFF;
    float f = static_cast<float>(v);
    uint32_t u = __builtin_bit_cast(uint32_t, f);
    // Rounds the conversion to single precision to odd, so that the second rounding is correct.
    if (static_cast<double>(f) != v && f - f == 0) {
      bool away = (v > 0) == (static_cast<double>(f) > v);
      if (away) u -= 1;
      u |= 1;
    }
    uint32_t rounded = u + 0x7FFF + ((u >> 16) & 1);
    return static_cast<uint16_t>(rounded >> 16);
  }
};

struct OpAdd {
  static double F(double a, double b) { return a + b; }
};
struct OpSub {
  static double F(double a, double b) { return a - b; }
};
struct OpMul {
  static double F(double a, double b) { return a * b; }
};
struct OpMin {
  static double F(double a, double b) {
    if (a != a) return b;
    if (b != b) return a;
    return a < b || (a == b && __builtin_signbit(a)) ? a : b;
  }
};
struct OpMax {
  static double F(double a, double b) {
    if (a != a) return b;
    if (b != b) return a;
    return a > b || (a == b && __builtin_signbit(b)) ? a : b;
  }
};

// NaN wins if the instruction says .NaN. .xorsign.abs compares magnitudes; the result's sign is the exclusive or of
// those of a and b.
template <bool kMax>
struct OpSelect {
  static double F(double a, double b, FloatFlags flags) {
    const bool sign = __builtin_signbit(a) != __builtin_signbit(b), by_magnitude = flags.xor_sign;
    if (by_magnitude) {
      a = __builtin_fabs(a);
      b = __builtin_fabs(b);
    }
    if (flags.nan_wins && (a != a || b != b)) return a + b;
    double r = kMax ? OpMax::F(a, b) : OpMin::F(a, b);
    return by_magnitude ? (sign ? -r : r) : r;
  }
};
template <typename Op>
struct Unmodified {
  static double F(double a, double b, FloatFlags) { return Op::F(a, b); }
};

template <typename Format>
inline double FlushedIn(uint16_t bits, bool flush) {
  double v = Format::Widen(bits);
  return flush && (bits & Format::kExponent) == 0 ? v * 0 : v;
}
// Applies the modifiers to a result: .sat clamps it to [0, 1], .relu replaces negative values by 0, and NaN becomes 0
// under .sat.
template <typename Format>
inline uint32_t Modified(double v, FloatFlags flags) {
  if (flags.saturate) v = v > 0 ? (v < 1 ? v : 1) : 0;
  if (flags.relu && v < 0) v = 0;
  uint32_t bits = Format::Narrow(v);
  return flags.flush && (bits & Format::kExponent) == 0 ? bits & 0x8000 : bits;
}

template <typename Format, bool kPacked, typename Op>
void HalfBinaryModified(Exec& x, const Inst& i) {
  const uint32_t* a = Row<uint32_t>(x, i.a);
  const uint32_t* b = Row<uint32_t>(x, i.b);
  const FloatFlags flags = i.floats;
  ForLanes<uint32_t>(x, i.dst, [=](int l) {
    auto one = [flags](uint32_t p, uint32_t q) {
      const bool flush = flags.flush;
      return Modified<Format>(Op::F(FlushedIn<Format>(static_cast<uint16_t>(p), flush),
                                    FlushedIn<Format>(static_cast<uint16_t>(q), flush), flags),
                              flags);
    };
    uint32_t low = one(a[l], b[l]);
    return kPacked ? low | (one(a[l] >> 16, b[l] >> 16) << 16) : low;
  });
}

// kPacked: a 32-bit cell holds two values.
template <typename Format, bool kPacked, typename Op>
void HalfBinary(Exec& x, const Inst& i) {
  const uint32_t* a = Row<uint32_t>(x, i.a);
  const uint32_t* b = Row<uint32_t>(x, i.b);
  ForLanes<uint32_t>(x, i.dst, [=](int l) {
    auto one = [](uint32_t p, uint32_t q) {
      return static_cast<uint32_t>(
          Format::Narrow(Op::F(Format::Widen(static_cast<uint16_t>(p)), Format::Widen(static_cast<uint16_t>(q)))));
    };
    uint32_t low = one(a[l], b[l]);
    return kPacked ? low | (one(a[l] >> 16, b[l] >> 16) << 16) : low;
  });
}

// a * b + c, where the product is exact. It rounds the sum to odd, so that rounding again is correct even when a double
// cannot hold a very small c beside the product (bf16 has the exponent range of a single).
inline double FusedToOdd(double a, double b, double c) {
  double p = a * b, s = p + c, d = s - p, error = (p - (s - d)) + (c - d);
  if (error == 0 || s - s != 0 || error != error) return s;
  uint64_t u = __builtin_bit_cast(uint64_t, s);
  if ((error < 0) == (s > 0)) u -= 1;  // towards zero, before the last bit is set
  return __builtin_bit_cast(double, u | 1);
}

template <typename Format, bool kPacked>
void HalfFmaModified(Exec& x, const Inst& i) {
  const uint32_t* a = Row<uint32_t>(x, i.a);
  const uint32_t* b = Row<uint32_t>(x, i.b);
  const uint32_t* c = Row<uint32_t>(x, i.c);
  const FloatFlags flags = i.floats;
  ForLanes<uint32_t>(x, i.dst, [=](int l) {
    auto one = [flags](uint32_t p, uint32_t q, uint32_t r) {
      const bool flush = flags.flush;
      return Modified<Format>(FusedToOdd(FlushedIn<Format>(static_cast<uint16_t>(p), flush),
                                         FlushedIn<Format>(static_cast<uint16_t>(q), flush),
                                         FlushedIn<Format>(static_cast<uint16_t>(r), flush)),
                              flags);
    };
    uint32_t low = one(a[l], b[l], c[l]);
    return kPacked ? low | (one(a[l] >> 16, b[l] >> 16, c[l] >> 16) << 16) : low;
  });
}

template <typename Format, bool kPacked, bool kRelu>
void HalfFma(Exec& x, const Inst& i) {
  const uint32_t* a = Row<uint32_t>(x, i.a);
  const uint32_t* b = Row<uint32_t>(x, i.b);
  const uint32_t* c = Row<uint32_t>(x, i.c);
  ForLanes<uint32_t>(x, i.dst, [=](int l) {
    auto one = [](uint32_t p, uint32_t q, uint32_t r) {
      double v = FusedToOdd(Format::Widen(static_cast<uint16_t>(p)), Format::Widen(static_cast<uint16_t>(q)),
                            Format::Widen(static_cast<uint16_t>(r)));
      if (kRelu && v < 0) v = 0;
      return static_cast<uint32_t>(Format::Narrow(v));
    };
    uint32_t low = one(a[l], b[l], c[l]);
    return kPacked ? low | (one(a[l] >> 16, b[l] >> 16, c[l] >> 16) << 16) : low;
  });
}

template <bool kPacked>
void HalfNeg(Exec& x, const Inst& i) {
  const uint32_t* a = Row<uint32_t>(x, i.a);
  ForLanes<uint32_t>(x, i.dst, [=](int l) { return a[l] ^ (kPacked ? 0x80008000u : 0x8000u); });
}
template <bool kPacked>
void HalfAbs(Exec& x, const Inst& i) {
  const uint32_t* a = Row<uint32_t>(x, i.a);
  ForLanes<uint32_t>(x, i.dst, [=](int l) { return a[l] & (kPacked ? 0x7FFF7FFFu : 0x7FFFu); });
}
template <typename Format, bool kPacked, bool kTanh>
void HalfFunction(Exec& x, const Inst& i) {
  const uint32_t* a = Row<uint32_t>(x, i.a);
  ForLanes<uint32_t>(x, i.dst, [=](int l) {
    auto one = [](uint32_t p) {
      double v = Format::Widen(static_cast<uint16_t>(p));
      return static_cast<uint32_t>(Format::Narrow(kTanh ? ::tanh(v) : ::exp2(v)));
    };
    uint32_t low = one(a[l]);
    return kPacked ? low | (one(a[l] >> 16) << 16) : low;
  });
}

#define HALF(name, Op)                                                                                 \
  {name ".f16", HalfBinary<HalfFormat, false, Op>}, {name ".f16x2", HalfBinary<HalfFormat, true, Op>}, \
      {name ".bf16", HalfBinary<BFloatFormat, false, Op>}, {                                           \
    name ".bf16x2", HalfBinary<BFloatFormat, true, Op>                                                 \
  }

#define HALF_MODIFIED(name, ...)                                              \
  {name ".f16", HalfBinaryModified<HalfFormat, false, __VA_ARGS__>},          \
      {name ".f16x2", HalfBinaryModified<HalfFormat, true, __VA_ARGS__>},     \
      {name ".bf16", HalfBinaryModified<BFloatFormat, false, __VA_ARGS__>}, { \
    name ".bf16x2", HalfBinaryModified<BFloatFormat, true, __VA_ARGS__>       \
  }

const HandlerEntry kHandlers[] = {
    HALF("add", OpAdd),
    HALF("sub", OpSub),
    HALF("mul", OpMul),
    HALF("min", OpMin),
    HALF("max", OpMax),
    {"fma.f16", HalfFma<HalfFormat, false, false>},
    {"fma.f16x2", HalfFma<HalfFormat, true, false>},
    {"fma.bf16", HalfFma<BFloatFormat, false, false>},
    {"fma.bf16x2", HalfFma<BFloatFormat, true, false>},
    {"fma.relu.f16", HalfFma<HalfFormat, false, true>},
    {"fma.relu.f16x2", HalfFma<HalfFormat, true, true>},
    {"fma.relu.bf16", HalfFma<BFloatFormat, false, true>},
    {"fma.relu.bf16x2", HalfFma<BFloatFormat, true, true>},
    {"neg.f16", HalfNeg<false>},
    {"neg.f16x2", HalfNeg<true>},
    {"neg.bf16", HalfNeg<false>},
    {"neg.bf16x2", HalfNeg<true>},
    {"abs.f16", HalfAbs<false>},
    {"abs.f16x2", HalfAbs<true>},
    {"abs.bf16", HalfAbs<false>},
    {"abs.bf16x2", HalfAbs<true>},
    {"ex2.approx.f16", HalfFunction<HalfFormat, false, false>},
    {"ex2.approx.f16x2", HalfFunction<HalfFormat, true, false>},
    {"tanh.approx.f16", HalfFunction<HalfFormat, false, true>},
    {"tanh.approx.f16x2", HalfFunction<HalfFormat, true, true>},
    {"ex2.approx.ftz.bf16", HalfFunction<BFloatFormat, false, false>},
    {"ex2.approx.ftz.bf16x2", HalfFunction<BFloatFormat, true, false>},
    {"tanh.approx.bf16", HalfFunction<BFloatFormat, false, true>},
    {"tanh.approx.bf16x2", HalfFunction<BFloatFormat, true, true>},
    HALF_MODIFIED("add.modified", Unmodified<OpAdd>),
    HALF_MODIFIED("sub.modified", Unmodified<OpSub>),
    HALF_MODIFIED("mul.modified", Unmodified<OpMul>),
    HALF_MODIFIED("min.modified", OpSelect<false>),
    HALF_MODIFIED("max.modified", OpSelect<true>),
    {"fma.modified.f16", HalfFmaModified<HalfFormat, false>},
    {"fma.modified.f16x2", HalfFmaModified<HalfFormat, true>},
    {"fma.modified.bf16", HalfFmaModified<BFloatFormat, false>},
    {"fma.modified.bf16x2", HalfFmaModified<BFloatFormat, true>},
};

}  // namespace

HandlerSpan HalfHandlers() { return {kHandlers, sizeof(kHandlers) / sizeof(kHandlers[0])}; }

}  // namespace warpgrade::emulator::WARPGRADE_ISA
