// cvt between all types. PTX ISA 9.0, "Data Movement and Conversion Instructions: cvt": floats out of an integer's
// range clamp; NaN gives 0, or 1 << (width - 1) where the source is f64 or the destination has 64 bits.
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>

#include "tests/emulator/exec/form.h"
#include "tests/emulator/exec/kernel_harness.h"
#include "tests/emulator/exec/narrow_float.h"

namespace warpgrade::emulator {
namespace {

using Wide = __int128;

struct IntType {
  const char* name;
  int bits;
  bool is_signed;
  Operand operand;  // 8-bit values live in wider registers; their upper bits must not matter
};
constexpr IntType kIntegers[] = {{"u8", 8, false, Operand::kInt32},   {"s8", 8, true, Operand::kInt32},
                                 {"u16", 16, false, Operand::kInt16}, {"s16", 16, true, Operand::kInt16},
                                 {"u32", 32, false, Operand::kInt32}, {"s32", 32, true, Operand::kInt32},
                                 {"u64", 64, false, Operand::kInt64}, {"s64", 64, true, Operand::kInt64}};

Wide Value(uint64_t bits, const IntType& t) {
  Wide low = static_cast<Wide>(bits) & ((Wide{1} << t.bits) - 1);
  return t.is_signed && ((low >> (t.bits - 1)) & 1) ? low - (Wide{1} << t.bits) : low;
}
Wide Lowest(const IntType& t) { return t.is_signed ? -(Wide{1} << (t.bits - 1)) : 0; }
Wide Highest(const IntType& t) { return (Wide{1} << (t.bits - (t.is_signed ? 1 : 0))) - 1; }

float FlushSingle(float v) { return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0f, v) : v; }

// A floating operand as a number, and a number as a floating result.
struct FloatType {
  const char* name;
  Operand operand;
  long double Number(uint64_t bits) const {
    return operand == Operand::kF16   ? Widen(bits, kHalf)
           : operand == Operand::kF32 ? Cast<float>(bits)
                                      : Cast<double>(bits);
  }
  uint64_t Nearest(long double v) const {
    if (operand == Operand::kF16) return RoundTo(kHalf, v);
    return operand == Operand::kF32 ? Cast<uint32_t>(static_cast<float>(v)) : Cast<uint64_t>(static_cast<double>(v));
  }
};
constexpr FloatType kF16{"f16", Operand::kF16}, kF32{"f32", Operand::kF32}, kF64{"f64", Operand::kF64};

Form Convert(const std::string& key, Operand d, Operand a, Oracle oracle, const std::string& spelling = "") {
  return {
      key, (spelling.empty() ? key : spelling) + " %d, %a;", d, a, Operand::kNone, Operand::kNone, std::move(oracle)};
}

void AddIntegers(std::vector<Form>* forms) {
  for (const IntType& d : kIntegers) {
    for (const IntType& s : kIntegers) {
      std::string types = std::string(d.name) + "." + s.name;
      // The result is extended to its register by its own sign.
      auto plain = [d, s](uint64_t a, uint64_t, uint64_t) {
        return static_cast<uint64_t>(Value(static_cast<uint64_t>(Value(a, s)), d));
      };
      forms->push_back(Convert("cvt." + types, d.operand, s.operand, plain));
      forms->push_back(Convert("cvt.sat." + types, d.operand, s.operand, [d, s](uint64_t a, uint64_t, uint64_t) {
        return static_cast<uint64_t>(std::clamp(Value(a, s), Lowest(d), Highest(d)));
      }));
      if (d.bits < 64) forms->push_back(Convert("cvt." + types, Operand::kInt64, s.operand, plain));
    }
  }
}

long double ToIntegral(const std::string& mode, long double v) {
  if (mode == "rni") return std::nearbyint(v);
  if (mode == "rzi") return std::trunc(v);
  return mode == "rmi" ? std::floor(v) : std::ceil(v);
}

void AddFloatToInteger(std::vector<Form>* forms) {
  for (const IntType& d : kIntegers) {
    for (const FloatType& s : {kF16, kF32, kF64}) {
      for (const char* mode : {"rni", "rzi", "rmi", "rpi"}) {
        for (bool ftz : {false, true}) {
          if (ftz && s.operand != Operand::kF32) continue;
          std::string key = std::string("cvt.") + mode + (ftz ? ".ftz." : ".") + d.name + "." + s.name, m = mode;
          forms->push_back(
              Convert(key, d.operand, s.operand, [d, s, m, ftz](uint64_t a, uint64_t, uint64_t) -> uint64_t {
                long double v = ftz ? FlushSingle(Cast<float>(a)) : s.Number(a);
                if (std::isnan(v)) {
                  bool high_bit = s.operand == Operand::kF64 || d.bits == 64;
                  return high_bit ? static_cast<uint64_t>(Value(uint64_t{1} << (d.bits - 1), d)) : 0;
                }
                v = ToIntegral(m, v);
                if (v <= static_cast<long double>(Lowest(d))) return static_cast<uint64_t>(Lowest(d));
                if (v >= static_cast<long double>(Highest(d))) return static_cast<uint64_t>(Highest(d));
                return static_cast<uint64_t>(static_cast<Wide>(v));
              }));
        }
      }
    }
  }
}

void AddIntegerToFloat(std::vector<Form>* forms) {
  for (const FloatType& d : {kF16, kF32, kF64}) {
    for (const IntType& s : kIntegers) {
      // A long double holds every 64-bit integer, so this rounds once.
      forms->push_back(
          Convert(std::string("cvt.rn.") + d.name + "." + s.name, d.operand, s.operand,
                  [d, s](uint64_t a, uint64_t, uint64_t) { return d.Nearest(static_cast<long double>(Value(a, s))); }));
    }
  }
}

template <typename D>
uint64_t Directed(long double v, int mode) {
  int saved = std::fegetround();
  std::fesetround(mode);
  volatile long double in = v;
  volatile D out = static_cast<D>(in);
  std::fesetround(saved);
  return Cast<std::conditional_t<sizeof(D) == 8, uint64_t, uint32_t>>(static_cast<D>(out));
}

void AddDirected(std::vector<Form>* forms) {
  for (auto [name, mode] : {std::pair{"rz", FE_TOWARDZERO}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}}) {
    std::string prefix = std::string("cvt.") + name + ".";
    forms->push_back(
        Convert(prefix + "f32.f64", Operand::kF32, Operand::kF64,
                [mode = mode](uint64_t a, uint64_t, uint64_t) { return Directed<float>(Cast<double>(a), mode); }));
    forms->push_back(
        Convert(prefix + "ftz.f32.f64", Operand::kF32, Operand::kF64, [mode = mode](uint64_t a, uint64_t, uint64_t) {
          return Cast<uint32_t>(FlushSingle(Cast<float>(Directed<float>(Cast<double>(a), mode))));
        }));
    for (size_t k = 4; k < 8; ++k) {
      IntType s = kIntegers[k];
      forms->push_back(
          Convert(prefix + "f32." + s.name, Operand::kF32, s.operand, [mode = mode, s](uint64_t a, uint64_t, uint64_t) {
            return Directed<float>(static_cast<long double>(Value(a, s)), mode);
          }));
      if (s.bits < 64) continue;
      forms->push_back(
          Convert(prefix + "f64." + s.name, Operand::kF64, s.operand, [mode = mode, s](uint64_t a, uint64_t, uint64_t) {
            return Directed<double>(static_cast<long double>(Value(a, s)), mode);
          }));
    }
  }
}

void AddRoundings(std::vector<Form>* forms) {
  for (const FloatType& t : {kF16, kF32, kF64}) {
    for (const char* mode : {"rni", "rzi", "rmi", "rpi"}) {
      for (bool ftz : {false, true}) {
        if (ftz && t.operand != Operand::kF32) continue;
        std::string m = mode;
        forms->push_back(Convert(std::string("cvt.") + mode + (ftz ? ".ftz." : ".") + t.name + "." + t.name, t.operand,
                                 t.operand, [=](uint64_t a, uint64_t, uint64_t) {
                                   return t.Nearest(ToIntegral(m, ftz ? FlushSingle(Cast<float>(a)) : t.Number(a)));
                                 }));
      }
    }
  }
}

void AddFloatToFloat(std::vector<Form>* forms) {
  struct Row {
    const char* mods;  // "rn.ftz"
    FloatType d, s;
  };
  for (const Row& r : {Row{"", kF32, kF32}, Row{"sat", kF32, kF32}, Row{"ftz", kF32, kF32}, Row{"ftz.sat", kF32, kF32},
                       Row{"", kF64, kF64}, Row{"sat", kF64, kF64}, Row{"", kF64, kF32}, Row{"ftz", kF64, kF32},
                       Row{"rn", kF32, kF64}, Row{"rn.sat", kF32, kF64}, Row{"rn.ftz", kF32, kF64}, Row{"", kF32, kF16},
                       Row{"ftz", kF32, kF16}, Row{"", kF64, kF16}, Row{"rn", kF16, kF32}, Row{"rn.ftz", kF16, kF32},
                       Row{"rn.sat", kF16, kF32}, Row{"rn", kF16, kF64}, Row{"", kF16, kF16}}) {
    std::string mods = r.mods;
    bool ftz = mods.find("ftz") != std::string::npos, sat = mods.find("sat") != std::string::npos;
    forms->push_back(
        Convert("cvt." + mods + (mods.empty() ? "" : ".") + r.d.name + "." + r.s.name, r.d.operand, r.s.operand,
                [=](uint64_t a, uint64_t, uint64_t) {
                  long double v = ftz && r.s.operand == Operand::kF32 ? FlushSingle(Cast<float>(a)) : r.s.Number(a);
                  if (sat) v = std::isnan(v) || v <= 0 ? 0.0L : std::min(v, 1.0L);
                  uint64_t bits = r.d.Nearest(v);
                  return ftz && r.d.operand == Operand::kF32 ? Cast<uint32_t>(FlushSingle(Cast<float>(bits))) : bits;
                }));
  }
}

void AddNarrow(std::vector<Form>* forms) {
  auto number = [](uint64_t a) { return static_cast<long double>(Cast<float>(a)); };
  forms->push_back(Convert("cvt.rn.bf16.f32", Operand::kBF16, Operand::kF32,
                           [=](uint64_t a, uint64_t, uint64_t) { return RoundTo(kBFloat, number(a)); }));
  forms->push_back(Convert("cvt.rz.bf16.f32", Operand::kBF16, Operand::kF32,
                           [=](uint64_t a, uint64_t, uint64_t) { return RoundTo(kBFloat, number(a), 0, true); }));
  forms->push_back(Convert("cvt.f32.bf16", Operand::kF32, Operand::kBF16, [=](uint64_t a, uint64_t, uint64_t) {
    return Cast<uint32_t>(static_cast<float>(Widen(a, kBFloat)));
  }));
  forms->push_back({"cvt.rn.f16x2.f32", "cvt.rn.f16x2.f32 %d, %a, %b;", Operand::kF16x2, Operand::kF32, Operand::kF32,
                    Operand::kNone, [=](uint64_t a, uint64_t b, uint64_t) {
                      return RoundTo(kHalf, number(a)) << 16 | RoundTo(kHalf, number(b));
                    }});
  forms->push_back({"cvt.rn.bf16x2.f32", "cvt.rn.bf16x2.f32 %d, %a, %b;", Operand::kBF16x2, Operand::kF32,
                    Operand::kF32, Operand::kNone, [=](uint64_t a, uint64_t b, uint64_t) {
                      return RoundTo(kBFloat, number(a)) << 16 | RoundTo(kBFloat, number(b));
                    }});
  // tf32 keeps 10 bits of mantissa, ties away from zero.
  forms->push_back(
      Convert("cvt.rna.tf32.f32", Operand::kF32, Operand::kF32, [](uint64_t a, uint64_t, uint64_t) -> uint64_t {
        float v = Cast<float>(a);
        if (!std::isfinite(v)) return a;
        int exponent;
        std::frexp(v, &exponent);
        int scale = std::max(exponent - 11, -136);
        return Cast<uint32_t>(
            static_cast<float>(std::ldexp(std::round(std::ldexp(static_cast<double>(v), -scale)), scale)));
      }));
}

}  // namespace

std::vector<Form> ConvertForms() {
  std::vector<Form> forms;
  AddIntegers(&forms);
  AddFloatToInteger(&forms);
  AddIntegerToFloat(&forms);
  AddDirected(&forms);
  AddRoundings(&forms);
  AddFloatToFloat(&forms);
  AddNarrow(&forms);
  return forms;
}

namespace {

TEST(ConvertTest, EveryFormGivesTheNearestOrTheClampedValue) { CheckForms(ConvertForms()); }

}  // namespace
}  // namespace warpgrade::emulator
