// Half precision and bfloat16. The oracle rounds an exact double (or long double) to the narrow type by its own hand.
// PTX ISA 9.0, "Half Precision Floating Point Instructions".
#include <gtest/gtest.h>

#include <cmath>

#include "tests/emulator/exec/kernel_harness.h"
#include "tests/emulator/exec/narrow_float.h"

namespace warpgrade::emulator {
namespace {

// a * b + c with the rounding error of the sum (products of narrow numbers are exact in a long double).
uint64_t Fused(long double a, long double b, long double c, bool relu, const Narrow& n) {
  volatile long double p = a * b, s = p + c;
  volatile long double bb = s - p, error = (p - (s - bb)) + (c - bb);  // TwoSum
  if (relu && s < 0) return 0;
  return RoundTo(n, s, std::isfinite(static_cast<long double>(s)) ? static_cast<long double>(error) : 0.0L);
}

uint64_t Apply(const std::string& op, uint64_t a, uint64_t b, uint64_t c, const Narrow& n) {
  long double x = Widen(a, n), y = Widen(b, n), z = Widen(c, n);
  if (op == "add") return Fused(x, 1, y, false, n);
  if (op == "sub") return Fused(x, 1, -y, false, n);
  if (op == "mul") return RoundTo(n, x * y);
  if (op == "fma") return Fused(x, y, z, false, n);
  if (op == "fma.relu") return Fused(x, y, z, true, n);
  if (op == "neg") return a ^ 0x8000;
  if (op == "abs") return a & 0x7FFF;
  bool want_max = op == "max";
  if (std::isnan(x) && std::isnan(y)) return 0x7FFF;
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) ? b : a;
  if (x == 0 && y == 0) return std::signbit(x) != want_max ? a : b;
  return (x < y) != want_max ? a : b;
}

Form Make(const std::string& op, const Narrow& n, bool packed) {
  std::string type = std::string(n.name) + (packed ? "x2" : "");
  bool fused = op.starts_with("fma"), unary = op == "neg" || op == "abs";
  Operand o = packed ? n.two : n.one;
  std::string spelling = op == "fma" ? "fma.rn." + type : op == "fma.relu" ? "fma.rn.relu." + type : op + "." + type;
  return {op + "." + type,
          spelling + (unary   ? " %d, %a;"
                      : fused ? " %d, %a, %b, %c;"
                              : " %d, %a, %b;"),
          o,
          o,
          unary ? Operand::kNone : o,
          fused ? o : Operand::kNone,
          [=](uint64_t a, uint64_t b, uint64_t c) {
            uint64_t low = Apply(op, a & 0xFFFF, b & 0xFFFF, c & 0xFFFF, n);
            return packed ? low | Apply(op, a >> 16 & 0xFFFF, b >> 16 & 0xFFFF, c >> 16 & 0xFFFF, n) << 16 : low;
          }};
}

struct Modifiers {
  const char* spelling;  // ".ftz.sat"
  bool sat, ftz, relu, nan, xorsign;
};

uint64_t Flushed(uint64_t bits, const Narrow& n) {
  uint64_t exponent = 0x7FFFu & ~((1u << n.mantissa_bits) - 1);
  return (bits & exponent) == 0 ? bits & 0x8000 : bits;
}

uint64_t ApplyModified(const std::string& op, uint64_t a, uint64_t b, uint64_t c, const Modifiers& m, const Narrow& n) {
  if (m.ftz) a = Flushed(a, n), b = Flushed(b, n), c = Flushed(c, n);
  const bool select = op == "min" || op == "max";
  if (select && m.nan && (std::isnan(Widen(a, n)) || std::isnan(Widen(b, n)))) return 0x7FFF;
  uint64_t sign = (a ^ b) & 0x8000;
  // .relu clamps before rounding: what would round to -0 is 0.
  uint64_t r = m.xorsign ? Apply(op, a & 0x7FFF, b & 0x7FFF, c, n) : Apply(m.relu ? op + ".relu" : op, a, b, c, n);
  long double v = Widen(r, n);
  if (m.xorsign && !std::isnan(v)) r |= sign;
  if (m.relu && v < 0) r = 0;
  if (m.sat) r = !(v > 0) ? 0 : v > 1 ? RoundTo(n, 1) : r;
  return m.ftz ? Flushed(r, n) : r;
}

Form MakeModified(const std::string& op, const Modifiers& m, const Narrow& n, bool packed) {
  std::string type = std::string(n.name) + (packed ? "x2" : "");
  Operand o = packed ? n.two : n.one;
  return {
      op + ".modified." + type,
      op + (op == "fma" ? ".rn" : "") + m.spelling + "." + type + (op == "fma" ? " %d, %a, %b, %c;" : " %d, %a, %b;"),
      o,
      o,
      o,
      op == "fma" ? o : Operand::kNone,
      [=](uint64_t a, uint64_t b, uint64_t c) {
        uint64_t low = ApplyModified(op, a & 0xFFFF, b & 0xFFFF, c & 0xFFFF, m, n);
        if (!packed) return low;
        return low | ApplyModified(op, a >> 16 & 0xFFFF, b >> 16 & 0xFFFF, c >> 16 & 0xFFFF, m, n) << 16;
      }};
}

void AddModified(std::vector<Form>* forms, const Narrow& n, bool packed) {
  const Modifiers sat{".sat", true, false, false, false, false}, ftz{".ftz", false, true, false, false, false},
      both{".ftz.sat", true, true, false, false, false}, nan{".NaN", false, false, false, true, false},
      ftz_nan{".ftz.NaN", false, true, false, true, false}, sign{".xorsign.abs", false, false, false, false, true},
      nan_sign{".NaN.xorsign.abs", false, false, false, true, true}, relu{".ftz.relu", false, true, true, false, false};
  for (const char* op : {"add", "sub", "mul", "fma"}) {
    for (const Modifiers& m : {sat, ftz, both}) forms->push_back(MakeModified(op, m, n, packed));
  }
  forms->push_back(MakeModified("fma", relu, n, packed));
  for (const char* op : {"min", "max"}) {
    for (const Modifiers& m : {ftz, nan, ftz_nan, sign, nan_sign}) forms->push_back(MakeModified(op, m, n, packed));
  }
}

Form ApproximateBFloat(const std::string& op, bool packed) {
  const bool is_tanh = op == "tanh";
  std::string key = op + (is_tanh ? ".approx.bf16" : ".approx.ftz.bf16") + (packed ? "x2" : "");
  Operand o = packed ? Operand::kBF16x2 : Operand::kBF16;
  return {key,
          key + " %d, %a;",
          o,
          o,
          Operand::kNone,
          Operand::kNone,
          {},
          [=](uint64_t a, uint64_t, uint64_t, uint64_t got) {
            for (int k = 0; k < (packed ? 2 : 1); ++k) {
              long double in = Widen(a >> (16 * k) & 0xFFFF, kBFloat), out = Widen(got >> (16 * k) & 0xFFFF, kBFloat);
              long double want = is_tanh ? std::tanh(in) : std::exp2(in);
              if (std::isnan(want) != std::isnan(out)) return false;
              if (std::isnan(want)) continue;
              if (std::isinf(want) || std::isinf(out)) {  // or the largest number, when it is within the bound
                if (!(want >= 0x1.FCp127L && (std::isinf(out) || out >= 0x1.FCp127L))) return false;
                continue;
              }
              // The ISA: 2^-8 absolute for tanh, 2^-7 relative for ex2, subnormal results are zeros.
              long double bound = is_tanh ? std::exp2(-8.0L) : std::exp2(-7.0L) * want + 0x1p-126L;
              if (std::fabs(out - want) > bound) return false;
            }
            return true;
          }};
}

Form Approximate(const std::string& op, bool packed) {
  std::string key = op + (packed ? ".approx.f16x2" : ".approx.f16");
  Operand o = packed ? Operand::kF16x2 : Operand::kF16;
  bool is_tanh = op == "tanh";
  return {key,
          key + " %d, %a;",
          o,
          o,
          Operand::kNone,
          Operand::kNone,
          {},
          [=](uint64_t a, uint64_t, uint64_t, uint64_t got) {
            for (int k = 0; k < (packed ? 2 : 1); ++k) {
              long double in = Widen(a >> (16 * k) & 0xFFFF, kHalf), out = Widen(got >> (16 * k) & 0xFFFF, kHalf);
              long double want = is_tanh ? std::tanh(in) : std::exp2(in);
              if (std::isnan(want) != std::isnan(out)) return false;
              if (std::isnan(want)) continue;
              if (std::isinf(want) || std::isinf(out)) {
                if (!(want >= 65472 && std::isinf(out))) return false;
                continue;
              }
              // The ISA: 2^-10.987 absolute for tanh, 2^-9.9 relative for ex2 (half an ulp more where the result is
              // subnormal).
              long double bound = is_tanh ? std::exp2(-10.987L) : std::exp2(-9.9L) * want + 0x1p-25L;
              if (std::fabs(out - want) > bound) return false;
            }
            return true;
          }};
}

}  // namespace

std::vector<Form> HalfForms() {
  std::vector<Form> forms;
  for (const Narrow& n : {kHalf, kBFloat}) {
    for (bool packed : {false, true}) {
      for (const char* op : {"add", "sub", "mul", "min", "max", "fma", "fma.relu", "neg", "abs"})
        forms.push_back(Make(op, n, packed));
      AddModified(&forms, n, packed);
    }
  }
  for (bool packed : {false, true}) {
    forms.push_back(Approximate("ex2", packed));
    forms.push_back(Approximate("tanh", packed));
    forms.push_back(ApproximateBFloat("ex2", packed));
    forms.push_back(ApproximateBFloat("tanh", packed));
  }
  return forms;
}

namespace {

TEST(HalfTest, EveryFormRoundsOnce) { CheckForms(HalfForms()); }

TEST(HalfTest, BFloatFusedTieIsBrokenByATinyAddend) {
  // (1 + 2^-7)(1.5) = 1.5 + 1.5 * 2^-7 lies halfway between two bfloats; 2^-100 more must round it up.
  std::vector<uint32_t> got = OutputOf(Kernel(R"(
    mov.b16 %h1, 0x3F81; mov.b16 %h2, 0x3FC0; mov.b16 %h3, 0x0D80; mov.b16 %h4, 0x8D80;
    fma.rn.bf16 %h5, %h1, %h2, %h3; cvt.u32.u16 %r1, %h5; st.global.u32 [%rd0], %r1;
    fma.rn.bf16 %h5, %h1, %h2, %h4; cvt.u32.u16 %r1, %h5; st.global.u32 [%rd0+4], %r1;
  )"),
                                       {1}, {1}, 2);
  EXPECT_EQ(got, (std::vector<uint32_t>{0x3FC2, 0x3FC1}));
}

}  // namespace
}  // namespace warpgrade::emulator
