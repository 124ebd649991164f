// cvt to f16, bf16 and tf32 in every rounding mode, with .sat, .relu, .ftz and .satfinite, from every type. The oracle
// holds each source exactly in a long double. PTX ISA 9.0, "cvt".
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/emulator/exec/form.h"
#include "tests/emulator/exec/narrow_float.h"

namespace warpgrade::emulator {
namespace {

constexpr Narrow kTf32{"tf32", 8, 10, Operand::kF32, Operand::kF32};

struct Modifiers {
  std::string mode;  // "rn", "rz", "rm", "rp", "rna"
  bool sat = false, relu = false, ftz = false, satfinite = false;
  std::string Spelling() const {
    return "." + mode + (ftz ? ".ftz" : "") + (relu ? ".relu" : "") + (satfinite ? ".satfinite" : "") +
           (sat ? ".sat" : "");
  }
};

// The number that the bits of a magnitude stand for; what follows the largest is the next power of two.
long double Magnitude(uint64_t bits, const Narrow& n) {
  const int bias = (1 << (n.exponent_bits - 1)) - 1, exponent = static_cast<int>(bits >> n.mantissa_bits);
  const uint64_t mantissa = (bits & ((1u << n.mantissa_bits) - 1)) | (exponent > 0 ? 1u << n.mantissa_bits : 0);
  return std::ldexp(static_cast<long double>(mantissa), std::max(exponent, 1) - bias - n.mantissa_bits);
}

// The two neighbours of the magnitude, and which of them the mode takes.
uint64_t RoundAs(const Narrow& n, long double v, const Modifiers& m) {
  const bool tf32 = std::string(n.name) == "tf32";
  const uint64_t infinity = uint64_t((1 << n.exponent_bits) - 1) << n.mantissa_bits;
  if (std::isnan(v)) return m.sat ? 0 : tf32 ? 0x7FFFFFFF : 0x7FFF;
  if (m.sat) v = !(v > 0) ? 0 : v > 1 ? 1 : v;
  if (m.relu && v < 0) v = 0;
  const bool negative = std::signbit(v);
  const long double magnitude = std::fabs(v);
  uint64_t bits = infinity;
  if (std::isfinite(magnitude)) {
    bits = RoundTo(n, magnitude, 0, true);
    const long double below = magnitude - Magnitude(bits, n), above = Magnitude(bits + 1, n) - magnitude;
    const bool lost = below > 0;
    bool up = false;
    if (m.mode == "rn") up = above < below || (above == below && (bits & 1));
    if (m.mode == "rna") up = above <= below;
    if (m.mode == "rp") up = lost && !negative;
    if (m.mode == "rm") up = lost && negative;
    bits += up ? 1 : 0;
  }
  if (m.satfinite && bits >= infinity) bits = infinity - 1;
  return (negative ? (tf32 ? 0x80000000 : 0x8000) : 0) | bits << (tf32 ? 13 : 0);
}

struct SourceType {
  const char* name;
  Operand operand;
};
long double Value(uint64_t bits, const std::string& type, bool ftz) {
  if (type == "u8") return static_cast<uint8_t>(bits);
  if (type == "s8") return static_cast<int8_t>(bits);
  if (type == "u16") return static_cast<uint16_t>(bits);
  if (type == "s16") return static_cast<int16_t>(bits);
  if (type == "u32") return static_cast<uint32_t>(bits);
  if (type == "s32") return static_cast<int32_t>(bits);
  if (type == "u64") return bits;
  if (type == "s64") return static_cast<int64_t>(bits);
  if (type == "f16") return Widen(bits, kHalf);
  if (type == "bf16") return Widen(bits, kBFloat);
  if (type == "f64") return Cast<double>(bits);
  float f = Cast<float>(bits);
  return ftz && std::fpclassify(f) == FP_SUBNORMAL ? std::copysign(0.0f, f) : f;
}

Form Convert(const Narrow& n, const SourceType& s, const Modifiers& m) {
  const std::string type = s.name;
  return {std::string("cvt.narrow.") + n.name + "." + (type == "bf16" ? "f32" : type),
          "cvt" + m.Spelling() + "." + n.name + "." + type + " %d, %a;",
          n.one,
          s.operand,
          Operand::kNone,
          Operand::kNone,
          [=](uint64_t a, uint64_t, uint64_t) { return RoundAs(n, Value(a, type, m.ftz), m); }};
}

// Whole numbers of bf16, and bf16 to integers: they go through a single.
void AddFromBFloat(std::vector<Form>* forms) {
  const std::pair<const char*, long double (*)(long double)> modes[] = {
      {"rni", std::nearbyint}, {"rzi", std::trunc}, {"rmi", std::floor}, {"rpi", std::ceil}};
  for (const auto& [mode, function] : modes) {
    auto f = function;
    forms->push_back({"cvt.narrow.bf16.f32", std::string("cvt.") + mode + ".sat.bf16.bf16 %d, %a;", Operand::kBF16,
                      Operand::kBF16, Operand::kNone, Operand::kNone, [f](uint64_t a, uint64_t, uint64_t) {
                        long double v = f(Widen(a, kBFloat));
                        return RoundTo(kBFloat, !(v > 0) ? 0 : v > 1 ? 1 : v);
                      }});
    forms->push_back({std::string("cvt.") + mode + ".s32.f32", std::string("cvt.") + mode + ".s32.bf16 %d, %a;",
                      Operand::kInt32, Operand::kBF16, Operand::kNone, Operand::kNone,
                      [f](uint64_t a, uint64_t, uint64_t) -> uint64_t {
                        long double v = f(Widen(a, kBFloat));
                        if (std::isnan(v)) return 0;
                        return static_cast<uint32_t>(static_cast<int32_t>(std::clamp<long double>(
                            v, std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max())));
                      }});
  }
}

}  // namespace

std::vector<Form> NarrowForms() {
  std::vector<Form> forms;
  const SourceType sources[] = {{"u8", Operand::kInt32},  {"s8", Operand::kInt32},  {"u16", Operand::kInt16},
                                {"s16", Operand::kInt16}, {"u32", Operand::kInt32}, {"s32", Operand::kInt32},
                                {"u64", Operand::kInt64}, {"s64", Operand::kInt64}, {"f64", Operand::kF64}};
  for (const Narrow& n : {kHalf, kBFloat}) {
    for (const SourceType& s : sources) {
      for (const char* mode : {"rz", "rm", "rp"}) forms.push_back(Convert(n, s, {.mode = mode}));
      if (std::string(n.name) == "bf16") forms.push_back(Convert(n, s, {.mode = "rn"}));
    }
    const SourceType single{"f32", Operand::kF32};
    for (const char* mode : {"rm", "rp"}) forms.push_back(Convert(n, single, {.mode = mode}));
    for (const char* mode : {"rn", "rz"}) {
      forms.push_back(Convert(n, single, {.mode = mode, .relu = true}));
      forms.push_back(Convert(n, single, {.mode = mode, .satfinite = true}));
      forms.push_back(Convert(n, single, {.mode = mode, .relu = true, .satfinite = true}));
    }
    forms.push_back(Convert(n, single, {.mode = "rz", .ftz = true}));
    forms.push_back(Convert(n, single, {.mode = "rp", .sat = true}));
  }
  for (const char* mode : {"rn", "rz", "rm"}) {
    forms.push_back(Convert(kHalf, {"bf16", Operand::kBF16}, {.mode = mode, .relu = std::string(mode) == "rn"}));
    forms.push_back(Convert(kBFloat, {"f16", Operand::kF16}, {.mode = mode}));
  }
  forms.push_back(Convert(kHalf, {"f16", Operand::kF16}, {.mode = "rz", .relu = true}));
  const SourceType single{"f32", Operand::kF32};
  for (const char* mode : {"rn", "rz"}) {
    forms.push_back(Convert(kTf32, single, {.mode = mode}));
    forms.push_back(Convert(kTf32, single, {.mode = mode, .relu = true}));
  }
  forms.push_back(Convert(kTf32, single, {.mode = "rna", .satfinite = true}));
  for (const Narrow& n : {kHalf, kBFloat}) {
    for (const Modifiers& m :
         {Modifiers{.mode = "rz"}, Modifiers{.mode = "rn", .relu = true}, Modifiers{.mode = "rn", .satfinite = true}}) {
      forms.push_back({std::string("cvt.narrow.") + n.name + "x2.f32",
                       "cvt" + m.Spelling() + "." + n.name + "x2.f32 %d, %a, %b;", n.two, Operand::kF32, Operand::kF32,
                       Operand::kNone, [=](uint64_t a, uint64_t b, uint64_t) {
                         return RoundAs(n, Value(a, "f32", false), m) << 16 | RoundAs(n, Value(b, "f32", false), m);
                       }});
    }
  }
  AddFromBFloat(&forms);
  return forms;
}

namespace {

TEST(NarrowTest, EveryFormRoundsOnceAsItsModeSays) { CheckForms(NarrowForms()); }

}  // namespace
}  // namespace warpgrade::emulator
