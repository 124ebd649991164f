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
              if (std::isnan(want) || (std::isinf(out) && want >= 65520)) continue;
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
    }
  }
  for (bool packed : {false, true}) {
    forms.push_back(Approximate("ex2", packed));
    forms.push_back(Approximate("tanh", packed));
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
