// Video instructions, pairs of 16-bit integers, and the rare integer instructions, each against the ISA's own formula
// on wide integers. PTX ISA 9.0, "Video Instructions", "fns", "szext", "cvt.pack", "mul24".
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "tests/emulator/exec/form.h"

namespace warpgrade::emulator {
namespace {

constexpr Operand kWord = Operand::kInt32;

int64_t Part(uint64_t word, int first_bit, int bits, bool is_signed) {
  int64_t v = static_cast<int64_t>(word >> first_bit & ((uint64_t{1} << bits) - 1));
  return is_signed && v >> (bits - 1) ? v - (int64_t{1} << bits) : v;
}
int64_t Saturated(int64_t v, int bits, bool is_signed) {
  if (is_signed) return std::clamp<int64_t>(v, -(int64_t{1} << (bits - 1)), (int64_t{1} << (bits - 1)) - 1);
  return std::clamp<int64_t>(v, 0, (int64_t{1} << bits) - 1);
}
uint64_t Replaced(uint64_t word, uint64_t value, int first_bit, int bits) {
  uint64_t mask = ((uint64_t{1} << bits) - 1) << first_bit;
  return (word & ~mask) | (value << first_bit & mask);
}

using Operation = std::function<int64_t(int64_t, int64_t)>;
const std::pair<const char*, Operation> kOperations[] = {
    {"add", [](int64_t a, int64_t b) { return a + b; }},
    {"sub", [](int64_t a, int64_t b) { return a - b; }},
    {"absdiff", [](int64_t a, int64_t b) { return std::abs(a - b); }},
    {"min", [](int64_t a, int64_t b) { return std::min(a, b); }},
    {"max", [](int64_t a, int64_t b) { return std::max(a, b); }},
};

Form Scalar(const std::string& spelling, Oracle oracle, const char* key = "video") {
  return {key, spelling, kWord, kWord, kWord, kWord, std::move(oracle)};
}

// Long because it is a table: one row for each form.
void AddScalar(std::vector<Form>* forms) {
  for (const auto& [name, function] : kOperations) {
    const std::string op = std::string("v") + name;
    auto f = function;
    for (const bool s : {false, true}) {
      const std::string types = s ? ".s32.s32.s32" : ".u32.u32.u32";
      forms->push_back(Scalar(op + types + " %d, %a, %b;", [=](uint64_t a, uint64_t b, uint64_t) -> uint64_t {
        return static_cast<uint32_t>(f(Part(a, 0, 32, s), Part(b, 0, 32, s)));
      }));
      forms->push_back(Scalar(op + types + ".sat %d, %a.b1, %b.h1;", [=](uint64_t a, uint64_t b, uint64_t) -> uint64_t {
        return static_cast<uint32_t>(Saturated(f(Part(a, 8, 8, s), Part(b, 16, 16, s)), 32, s));
      }));
      forms->push_back(Scalar(op + types + ".sat %d.b2, %a, %b.b3, %c;", [=](uint64_t a, uint64_t b, uint64_t c) {
        int64_t v = Saturated(f(Part(a, 0, 32, s), Part(b, 24, 8, s)), 8, s);
        return Replaced(c, static_cast<uint64_t>(v), 16, 8);
      }));
      forms->push_back(
          Scalar(op + types + ".add %d, %a.h0, %b.b0, %c;", [=](uint64_t a, uint64_t b, uint64_t c) -> uint64_t {
            return static_cast<uint32_t>(static_cast<uint64_t>(f(Part(a, 0, 16, s), Part(b, 0, 8, s))) + c);
          }));
      forms->push_back(
          Scalar(op + types + ".max %d, %a.h0, %b.b0, %c;", [=](uint64_t a, uint64_t b, uint64_t c) -> uint64_t {
            uint32_t v = static_cast<uint32_t>(f(Part(a, 0, 16, s), Part(b, 0, 8, s))), w = static_cast<uint32_t>(c);
            return s ? static_cast<uint32_t>(std::max(static_cast<int32_t>(v), static_cast<int32_t>(w)))
                     : std::max(v, w);
          }));
    }
  }
  forms->push_back(Scalar("vshl.u32.u32.u32.wrap %d, %a, %b;", [](uint64_t a, uint64_t b, uint64_t) -> uint64_t {
    return static_cast<uint32_t>(a << (b & 31));
  }));
  forms->push_back(Scalar("vshl.u32.u32.u32.clamp %d, %a, %b;", [](uint64_t a, uint64_t b, uint64_t) -> uint64_t {
    return static_cast<uint32_t>(a << std::min<uint64_t>(b, 32));
  }));
  // As an H100 computes it: bit 33 of the shifted value is its sign, and what lies above is lost.
  auto shifted = [](uint64_t a, uint64_t amount) {
    const uint64_t kept = (a << amount) & 0x3FFFFFFFFu;
    return kept >> 33 ? static_cast<int64_t>(kept) - (int64_t{1} << 34) : static_cast<int64_t>(kept);
  };
  forms->push_back(Scalar("vshl.u32.u32.u32.sat.clamp %d, %a, %b;", [=](uint64_t a, uint64_t b, uint64_t) -> uint64_t {
    return static_cast<uint32_t>(Saturated(shifted(a, std::min<uint64_t>(b, 32)), 32, false));
  }));
  forms->push_back(Scalar("vshl.s32.s32.u32.sat.wrap %d, %a, %b;", [=](uint64_t a, uint64_t b, uint64_t) -> uint64_t {
    const auto wide = static_cast<uint64_t>(int64_t{static_cast<int32_t>(a)});
    return static_cast<uint32_t>(Saturated(shifted(wide, b & 31), 32, true));
  }));
  forms->push_back(
      Scalar("vshr.s32.s32.u32.clamp.min %d, %a, %b, %c;", [](uint64_t a, uint64_t b, uint64_t c) -> uint64_t {
        int32_t v = static_cast<int32_t>(int64_t{static_cast<int32_t>(a)} >> std::min<uint64_t>(b, 32));
        return static_cast<uint32_t>(std::min(v, static_cast<int32_t>(c)));
      }));
  const std::pair<const char*, std::function<bool(int64_t, int64_t)>> compares[] = {
      {"eq", std::equal_to<>()},   {"ne", std::not_equal_to<>()}, {"lt", std::less<>()},
      {"le", std::less_equal<>()}, {"gt", std::greater<>()},      {"ge", std::greater_equal<>()}};
  for (const auto& [name, function] : compares) {
    auto f = function;
    forms->push_back(Scalar(
        std::string("vset.s32.u32.") + name + " %d, %a, %b;",
        [=](uint64_t a, uint64_t b, uint64_t) -> uint64_t { return f(Part(a, 0, 32, true), Part(b, 0, 32, false)); }));
    forms->push_back(Scalar(std::string("vset.u32.u32.") + name + ".add %d, %a.b0, %b.b1, %c;",
                            [=](uint64_t a, uint64_t b, uint64_t c) -> uint64_t {
                              return static_cast<uint32_t>(c + f(Part(a, 0, 8, false), Part(b, 8, 8, false)));
                            }));
    forms->push_back(Scalar(
        std::string("vset4.s32.s32.") + name + ".add %d, %a, %b, %c;",
        [=](uint64_t a, uint64_t b, uint64_t c) -> uint64_t {
          for (int k = 0; k < 32; k += 8) c += f(Part(a, k, 8, true), Part(b, k, 8, true));
          return static_cast<uint32_t>(c);
        },
        "video.simd"));
  }
  // vmad: the product of parts, one of the three negated, a scale.
  auto mad = [forms](const char* spelling, const std::function<__int128(uint64_t, uint64_t, uint64_t)>& f) {
    forms->push_back(Scalar(
        spelling, [f](uint64_t a, uint64_t b, uint64_t c) -> uint64_t { return static_cast<uint32_t>(f(a, b, c)); },
        "video.mad"));
  };
  mad("vmad.u32.u32.u32.shr7 %d, %a.b0, %b.b1, %c;", [](uint64_t a, uint64_t b, uint64_t c) {
    return static_cast<__int128>(Part(a, 0, 8, false) * Part(b, 8, 8, false) + Part(c, 0, 32, false)) >> 7;
  });
  mad("vmad.s32.s32.s32.shr15 %d, %a, %b, %c;", [](uint64_t a, uint64_t b, uint64_t c) {
    return (static_cast<__int128>(Part(a, 0, 32, true)) * Part(b, 0, 32, true) + Part(c, 0, 32, true)) >> 15;
  });
  mad("vmad.s32.s32.s32.sat %d, %a.h0, -%b.h1, %c;", [](uint64_t a, uint64_t b, uint64_t c) -> __int128 {
    return Saturated(-Part(a, 0, 16, true) * Part(b, 16, 16, true) + Part(c, 0, 32, true), 32, true);
  });
  mad("vmad.u32.u32.u32.po %d, %a, %b, %c;",
      [](uint64_t a, uint64_t b, uint64_t c) { return static_cast<__int128>(a) * b + c + 1; });
  mad("vmad.s32.u32.u32.sat %d, %a, %b, -%c;", [](uint64_t a, uint64_t b, uint64_t c) {
    __int128 v = static_cast<__int128>(a) * b - Part(c, 0, 32, true);
    return std::clamp<__int128>(v, -(__int128{1} << 31), (__int128{1} << 31) - 1);
  });
}

void AddSimd(std::vector<Form>* forms) {
  for (const int lanes : {2, 4}) {
    const int bits = 32 / lanes;
    auto add = [&](const std::string& op, const Operation& f) {
      for (const bool s : {false, true}) {
        const std::string types = s ? ".s32.s32.s32" : ".u32.u32.u32", opcode = "v" + op + std::to_string(lanes);
        auto each = [=](uint64_t a, uint64_t b, uint64_t c, bool saturate, bool accumulate) -> uint64_t {
          for (int k = 0; k < 32; k += bits) {
            int64_t v = f(Part(a, k, bits, s), Part(b, k, bits, s));
            if (saturate) v = Saturated(v, bits, s);
            // The sum takes the whole result, also where a part could not hold it: 200 + 200 in bytes adds 400.
            c = accumulate ? c + static_cast<uint64_t>(v) : Replaced(c, static_cast<uint64_t>(v), k, bits);
          }
          return static_cast<uint32_t>(c);
        };
        forms->push_back(Scalar(
            opcode + types + " %d, %a, %b, %c;",
            [=](uint64_t a, uint64_t b, uint64_t c) { return each(a, b, c, false, false); }, "video.simd"));
        forms->push_back(Scalar(
            opcode + types + ".sat %d, %a, %b, %c;",
            [=](uint64_t a, uint64_t b, uint64_t c) { return each(a, b, c, true, false); }, "video.simd"));
        forms->push_back(Scalar(
            opcode + types + ".add %d, %a, %b, %c;",
            [=](uint64_t a, uint64_t b, uint64_t c) { return each(a, b, c, false, true); }, "video.simd"));
      }
    };
    for (const auto& [name, function] : kOperations) add(name, function);
    add("avrg", [](int64_t a, int64_t b) { return a + b < 0 ? (a + b) >> 1 : (a + b + 1) >> 1; });
  }
  // Chosen parts of both operands, and a mask of the parts that are written.
  forms->push_back(Scalar(
      "vadd2.u32.u32.u32 %d.h1, %a.h32, %b.h01, %c;",
      [](uint64_t a, uint64_t b, uint64_t c) { return Replaced(c, (b >> 16) + (a & 0xFFFF), 16, 16); }, "video.simd"));
  forms->push_back(Scalar(
      "vmax4.u32.u32.u32 %d.b20, %a.b7531, %b.b3210, %c;",
      [](uint64_t a, uint64_t b, uint64_t c) {
        uint64_t both = b << 32 | a;
        c = Replaced(c, std::max(both >> 8 & 0xFF, both & 0xFF), 0, 8);
        return Replaced(c, std::max(both >> 40 & 0xFF, both >> 16 & 0xFF), 16, 8);
      },
      "video.simd"));
}

void AddPairs(std::vector<Form>* forms) {
  auto pair = [forms](const std::string& key, const std::string& spelling, const Operation& f, bool s) {
    forms->push_back(
        {key, spelling + " %d, %a, %b;", kWord, kWord, kWord, Operand::kNone, [=](uint64_t a, uint64_t b, uint64_t) {
           uint64_t r = Replaced(0, static_cast<uint64_t>(f(Part(a, 0, 16, s), Part(b, 0, 16, s))), 0, 16);
           return Replaced(r, static_cast<uint64_t>(f(Part(a, 16, 16, s), Part(b, 16, 16, s))), 16, 16);
         }});
  };
  pair("add.u16x2", "add.u16x2", kOperations[0].second, false);
  pair("add.u16x2", "add.s16x2", kOperations[0].second, true);
  pair("min.u16x2", "min.u16x2", kOperations[3].second, false);
  pair("min.s16x2", "min.s16x2", kOperations[3].second, true);
  pair("max.u16x2", "max.u16x2", kOperations[4].second, false);
  pair("max.s16x2", "max.s16x2", kOperations[4].second, true);
  pair(
      "min.relu.s16x2", "min.s16x2.relu", [](int64_t a, int64_t b) { return std::max<int64_t>(0, std::min(a, b)); },
      true);
  pair(
      "max.relu.s16x2", "max.s16x2.relu", [](int64_t a, int64_t b) { return std::max<int64_t>(0, std::max(a, b)); },
      true);
  for (const bool is_max : {false, true}) {
    const std::string op = is_max ? "max" : "min";
    forms->push_back({op + ".relu.s32", op + ".s32.relu %d, %a, %b;", kWord, kWord, kWord, Operand::kNone,
                      [=](uint64_t a, uint64_t b, uint64_t) {
                        int64_t x = Part(a, 0, 32, true), y = Part(b, 0, 32, true);
                        return static_cast<uint64_t>(std::max<int64_t>(0, is_max ? std::max(x, y) : std::min(x, y)));
                      }});
  }
}

// Long because it is a table: one row for each form.
void AddRare(std::vector<Form>* forms) {
  forms->push_back({"fns.b32", "{ and.b32 %r20, %b, 31; fns.b32 %d, %a, %r20, %c; }", kWord, kWord, kWord, kWord,
                    [](uint64_t a, uint64_t b, uint64_t c) -> uint64_t {
                      const uint32_t base = b & 31;
                      const int32_t n = static_cast<int32_t>(c);
                      std::vector<uint32_t> found;  // set bits from the base on, in the direction of n
                      for (uint32_t k = 0; k < 32; ++k) {
                        uint32_t at = n >= 0 ? base + k : base - k;
                        if (at < 32 && (a >> at & 1)) found.push_back(at);
                        if (n == 0) break;
                      }
                      const uint64_t wanted = n == 0  ? 1
                                              : n < 0 ? uint64_t{0} - static_cast<uint64_t>(int64_t{n})
                                                      : static_cast<uint64_t>(n);
                      return wanted <= found.size() ? found[wanted - 1] : 0xFFFFFFFF;
                    }});
  for (const bool wrap : {false, true}) {
    for (const bool s : {false, true}) {
      const std::string key = std::string("szext.") + (wrap ? "wrap" : "clamp") + (s ? ".s32" : ".u32");
      forms->push_back({key, key + " %d, %a, %b;", kWord, kWord, Operand::kAmount, Operand::kNone,
                        [=](uint64_t a, uint64_t b, uint64_t) -> uint64_t {
                          uint64_t bits = wrap ? b & 31 : std::min<uint64_t>(b & 0xFFFFFFFF, 32);
                          return bits == 0 ? 0 : static_cast<uint32_t>(Part(a, 0, static_cast<int>(bits), s));
                        }});
    }
  }
  for (const int bits : {16, 8, 4, 2}) {
    for (const bool s : {false, true}) {
      const std::string type = (s ? "s" : "u") + std::to_string(bits);
      forms->push_back({"cvt.pack." + type,
                        "cvt.pack.sat." + type + (bits == 16 ? ".s32 %d, %a, %b;" : ".s32.b32 %d, %a, %b, %c;"), kWord,
                        kWord, kWord, bits == 16 ? Operand::kNone : kWord,
                        [=](uint64_t a, uint64_t b, uint64_t c) -> uint64_t {
                          uint64_t r = bits == 16 ? 0 : c << (2 * bits);
                          r = Replaced(r, static_cast<uint64_t>(Saturated(Part(b, 0, 32, true), bits, s)), 0, bits);
                          return static_cast<uint32_t>(
                              Replaced(r, static_cast<uint64_t>(Saturated(Part(a, 0, 32, true), bits, s)), bits, bits));
                        }});
    }
  }
  for (const bool s : {false, true}) {
    const std::string type = s ? ".s32" : ".u32";
    auto high = [=](uint64_t a, uint64_t b) { return Part(a, 0, 24, s) * Part(b, 0, 24, s) >> 16; };
    forms->push_back({"mul24.hi" + type, "mul24.hi" + type + " %d, %a, %b;", kWord, kWord, kWord, Operand::kNone,
                      [=](uint64_t a, uint64_t b, uint64_t) -> uint64_t { return static_cast<uint32_t>(high(a, b)); }});
    forms->push_back({"mad24.hi" + type, "mad24.hi" + type + " %d, %a, %b, %c;", kWord, kWord, kWord, kWord,
                      [=](uint64_t a, uint64_t b, uint64_t c) -> uint64_t {
                        return static_cast<uint32_t>(static_cast<uint64_t>(high(a, b)) + c);
                      }});
  }
  forms->push_back({"mad24.hi.sat.s32", "mad24.hi.sat.s32 %d, %a, %b, %c;", kWord, kWord, kWord, kWord,
                    [](uint64_t a, uint64_t b, uint64_t c) -> uint64_t {
                      int64_t high = Part(a, 0, 24, true) * Part(b, 0, 24, true) >> 16;
                      return static_cast<uint32_t>(
                          Saturated(Part(static_cast<uint64_t>(high), 0, 32, true) + Part(c, 0, 32, true), 32, true));
                    }});
  forms->push_back({"mad.hi.sat.s32", "mad.hi.sat.s32 %d, %a, %b, %c;", kWord, kWord, kWord, kWord,
                    [](uint64_t a, uint64_t b, uint64_t c) -> uint64_t {
                      int64_t high = Part(a, 0, 32, true) * Part(b, 0, 32, true) >> 32;
                      return static_cast<uint32_t>(Saturated(high + Part(c, 0, 32, true), 32, true));
                    }});
  forms->push_back({"lop3.b32",
                    "{ setp.ne.u32 %p9, %c, 0; lop3.or.b32 %r20|%p1, %a, %b, %c, 0x80, %p9; "
                    "selp.b32 %d, 1, 0, %p1; }",
                    kWord, kWord, kWord, kWord,
                    [](uint64_t a, uint64_t b, uint64_t c) -> uint64_t { return (a & b & c) != 0 || c != 0; }});
  forms->push_back({"lop3.b32",
                    "{ setp.gt.u32 %p9, %a, 7; lop3.and.b32 _|%p1, %a, %b, %c, 0x96, %p9; selp.b32 %d, 1, 0, %p1; }",
                    kWord, kWord, kWord, kWord,
                    [](uint64_t a, uint64_t b, uint64_t c) -> uint64_t { return (a ^ b ^ c) != 0 && a > 7; }});
}

}  // namespace

std::vector<Form> VideoForms() {
  std::vector<Form> forms;
  AddScalar(&forms);
  AddSimd(&forms);
  AddPairs(&forms);
  AddRare(&forms);
  return forms;
}

namespace {

TEST(VideoTest, EveryFormIsTheIsasFormula) { CheckForms(VideoForms()); }

}  // namespace
}  // namespace warpgrade::emulator
