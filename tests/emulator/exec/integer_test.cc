// Integer arithmetic, logic, shifts and bit fields against 128-bit arithmetic written out. PTX ISA 9.0, "Integer
// Arithmetic Instructions", "Extended-Precision Integer Arithmetic", "Logic and Shift Instructions".
#include <gtest/gtest.h>

#include "tests/emulator/exec/form.h"
#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {
namespace {

using Wide = __int128;
using Unsigned = unsigned __int128;

struct IntType {
  const char* name;  // "s32"
  int bits;
  bool is_signed;
  Operand operand;
};
constexpr IntType kU16{"u16", 16, false, Operand::kInt16}, kS16{"s16", 16, true, Operand::kInt16};
constexpr IntType kU32{"u32", 32, false, Operand::kInt32}, kS32{"s32", 32, true, Operand::kInt32};
constexpr IntType kU64{"u64", 64, false, Operand::kInt64}, kS64{"s64", 64, true, Operand::kInt64};
constexpr IntType kAll[] = {kU16, kS16, kU32, kS32, kU64, kS64};

// The number that the low bits of a word stand for.
Wide Value(uint64_t bits, const IntType& t) {
  Unsigned low = Unsigned{bits} & ((Unsigned{1} << t.bits) - 1);
  bool negative = t.is_signed && ((low >> (t.bits - 1)) & 1);
  return static_cast<Wide>(low) - (negative ? Wide{1} << t.bits : 0);
}
uint64_t Low(Wide v) { return static_cast<uint64_t>(v); }
// The high half of a product of `bits`-wide numbers; exact for unsigned 64-bit ones too.
uint64_t HighHalf(uint64_t a, uint64_t b, const IntType& t) {
  if (!t.is_signed)
    return static_cast<uint64_t>((static_cast<Unsigned>(Value(a, t)) * static_cast<Unsigned>(Value(b, t))) >> t.bits);
  return Low((Value(a, t) * Value(b, t)) >> t.bits);
}
uint64_t LowHalf(uint64_t a, uint64_t b, const IntType& t) {
  return static_cast<uint64_t>(static_cast<Unsigned>(Value(a, t)) * static_cast<Unsigned>(Value(b, t)));
}

std::string Key(const std::string& op, const IntType& t) { return op + "." + t.name; }
std::string UnsignedKey(const std::string& op, const IntType& t) { return op + ".u" + std::to_string(t.bits); }
std::string BitKey(const std::string& op, const IntType& t) { return op + ".b" + std::to_string(t.bits); }

Form Unary(std::string key, const std::string& spelling, Operand d, Operand a, Oracle oracle) {
  return {std::move(key), spelling + " %d, %a;", d, a, Operand::kNone, Operand::kNone, std::move(oracle)};
}
Form Binary(std::string key, const std::string& spelling, Operand o, Oracle oracle) {
  return {std::move(key), spelling + " %d, %a, %b;", o, o, o, Operand::kNone, std::move(oracle)};
}
Form Ternary(std::string key, const std::string& spelling, Operand d, Operand ab, Operand c, Oracle oracle) {
  return {std::move(key), spelling + " %d, %a, %b, %c;", d, ab, ab, c, std::move(oracle)};
}

void AddBasic(std::vector<Form>* forms, const IntType& t) {
  std::string dot = std::string(".") + t.name;
  auto value = [t](uint64_t v) { return Value(v, t); };
  auto binary = [&](const char* op, bool signless, Oracle o) {
    forms->push_back(Binary(signless ? UnsignedKey(op, t) : Key(op, t), op + dot, t.operand, std::move(o)));
  };
  binary("add", true, [=](uint64_t a, uint64_t b, uint64_t) { return Low(value(a) + value(b)); });
  binary("sub", true, [=](uint64_t a, uint64_t b, uint64_t) { return Low(value(a) - value(b)); });
  binary("mul.lo", true, [=](uint64_t a, uint64_t b, uint64_t) { return LowHalf(a, b, t); });
  binary("mul.hi", false, [=](uint64_t a, uint64_t b, uint64_t) { return HighHalf(a, b, t); });
  // By zero: the machine's all ones, and the dividend as remainder. The ISA leaves it open.
  binary("div", false,
         [=](uint64_t a, uint64_t b, uint64_t) { return value(b) == 0 ? ~uint64_t{0} : Low(value(a) / value(b)); });
  binary("rem", false, [=](uint64_t a, uint64_t b, uint64_t) { return value(b) == 0 ? a : Low(value(a) % value(b)); });
  binary("min", false, [=](uint64_t a, uint64_t b, uint64_t) { return Low(std::min(value(a), value(b))); });
  binary("max", false, [=](uint64_t a, uint64_t b, uint64_t) { return Low(std::max(value(a), value(b))); });
  forms->push_back(Ternary(UnsignedKey("mad.lo", t), "mad.lo" + dot, t.operand, t.operand, t.operand,
                           [=](uint64_t a, uint64_t b, uint64_t c) { return LowHalf(a, b, t) + c; }));
  forms->push_back(Ternary(Key("mad.hi", t), "mad.hi" + dot, t.operand, t.operand, t.operand,
                           [=](uint64_t a, uint64_t b, uint64_t c) { return HighHalf(a, b, t) + c; }));
  forms->push_back(
      Ternary(Key("sad", t), "sad" + dot, t.operand, t.operand, t.operand, [=](uint64_t a, uint64_t b, uint64_t c) {
        Wide d = value(a) - value(b);
        return Low(value(c) + (d < 0 ? -d : d));
      }));
  if (t.is_signed) {
    forms->push_back(Unary(Key("neg", t), "neg" + dot, t.operand, t.operand,
                           [=](uint64_t a, uint64_t, uint64_t) { return Low(-value(a)); }));
    forms->push_back(Unary(Key("abs", t), "abs" + dot, t.operand, t.operand,
                           [=](uint64_t a, uint64_t, uint64_t) { return Low(value(a) < 0 ? -value(a) : value(a)); }));
  }
  if (t.bits < 64) {
    Operand wide = t.bits == 16 ? Operand::kInt32 : Operand::kInt64;
    forms->push_back({Key("mul.wide", t), "mul.wide" + dot + " %d, %a, %b;", wide, t.operand, t.operand, Operand::kNone,
                      [=](uint64_t a, uint64_t b, uint64_t) { return Low(value(a) * value(b)); }});
    forms->push_back(Ternary(Key("mad.wide", t), "mad.wide" + dot, wide, t.operand, wide,
                             [=](uint64_t a, uint64_t b, uint64_t c) { return Low(value(a) * value(b)) + c; }));
  }
}

void AddSpecial32(std::vector<Form>* forms) {
  auto clamp = [](Wide v) { return Low(v > INT32_MAX ? Wide{INT32_MAX} : v < INT32_MIN ? Wide{INT32_MIN} : v); };
  forms->push_back(Binary("add.sat.s32", "add.sat.s32", Operand::kInt32,
                          [=](uint64_t a, uint64_t b, uint64_t) { return clamp(Value(a, kS32) + Value(b, kS32)); }));
  forms->push_back(Binary("sub.sat.s32", "sub.sat.s32", Operand::kInt32,
                          [=](uint64_t a, uint64_t b, uint64_t) { return clamp(Value(a, kS32) - Value(b, kS32)); }));
  for (const IntType& t : {kU32, kS32}) {
    IntType low24 = t;
    low24.bits = 24;
    forms->push_back(Binary(Key("mul24.lo", t), "mul24.lo." + std::string(t.name), Operand::kInt32,
                            [=](uint64_t a, uint64_t b, uint64_t) { return Low(Value(a, low24) * Value(b, low24)); }));
    forms->push_back(Ternary(
        Key("mad24.lo", t), "mad24.lo." + std::string(t.name), Operand::kInt32, Operand::kInt32, Operand::kInt32,
        [=](uint64_t a, uint64_t b, uint64_t c) { return Low(Value(a, low24) * Value(b, low24)) + c; }));
  }
  const char* sign[] = {"u32", "s32"};
  for (int sa = 0; sa < 2; ++sa) {
    for (int sb = 0; sb < 2; ++sb) {
      std::string types = std::string(sign[sa]) + "." + sign[sb];
      IntType byte_a{"", 8, sa == 1, Operand::kInt32}, byte_b{"", 8, sb == 1, Operand::kInt32},
          half_a{"", 16, sa == 1, Operand::kInt32};
      forms->push_back(Ternary("dp4a." + types, "dp4a." + types, Operand::kInt32, Operand::kInt32, Operand::kInt32,
                               [=](uint64_t a, uint64_t b, uint64_t c) {
                                 Wide sum = Value(c, kS32);
                                 for (int k = 0; k < 4; ++k)
                                   sum += Value(a >> (8 * k), byte_a) * Value(b >> (8 * k), byte_b);
                                 return Low(sum);
                               }));
      for (int high = 0; high < 2; ++high) {
        std::string name = std::string("dp2a.") + (high ? "hi." : "lo.") + types;
        forms->push_back(Ternary(name, name, Operand::kInt32, Operand::kInt32, Operand::kInt32,
                                 [=](uint64_t a, uint64_t b, uint64_t c) {
                                   Wide sum = Value(c, kS32);
                                   for (int k = 0; k < 2; ++k)
                                     sum += Value(a >> (16 * k), half_a) * Value(b >> (8 * k + 16 * high), byte_b);
                                   return Low(sum);
                                 }));
      }
    }
  }
}

// The carry flag is seen through a second instruction: `first` sets it, then addc or subc of zeros reads it. The result
// is the flag in bit 63 (or 31) folded in by xor, so that one word shows both.
void AddCarries(std::vector<Form>* forms) {
  for (const IntType& t : {kU32, kU64}) {
    std::string ty = std::string(".") + t.name, zero = "mov.b" + std::to_string(t.bits);
    Unsigned modulus = Unsigned{1} << t.bits;
    std::string scratch = t.bits == 32 ? "%r20" : "%rd20", other = t.bits == 32 ? "%r21" : "%rd21";
    std::string show = " addc" + ty + " " + scratch + ", 0, 0; shl.b" + std::to_string(t.bits) + " " + scratch + ", " +
                       scratch + ", " + std::to_string(t.bits - 1) + "; xor.b" + std::to_string(t.bits) + " %d, " +
                       other + ", " + scratch + ";";
    // Sets the incoming flag to bit 0 of %c.
    std::string set = zero + " " + scratch + ", -1; and.b" + std::to_string(t.bits) + " " + other + ", %c, 1; add.cc" +
                      ty + " " + scratch + ", " + scratch + ", " + other + "; ";
    auto shown = [t](Unsigned sum, Unsigned m) {
      return static_cast<uint64_t>(sum % m) ^ (((sum / m) & 1) != 0 ? uint64_t{1} << (t.bits - 1) : 0);
    };
    struct Row {
      const char* op;
      bool carry_in, subtract, product, high;
    };
    for (const Row& r : {Row{"add.cc", false, false, false, false}, Row{"addc.cc", true, false, false, false},
                         Row{"addc", true, false, false, false}, Row{"sub.cc", false, true, false, false},
                         Row{"subc.cc", true, true, false, false}, Row{"subc", true, true, false, false},
                         Row{"mad.lo.cc", false, false, true, false}, Row{"mad.hi.cc", false, false, true, true},
                         Row{"madc.lo.cc", true, false, true, false}, Row{"madc.hi.cc", true, false, true, true},
                         Row{"madc.lo", true, false, true, false}, Row{"madc.hi", true, false, true, true}}) {
      bool sets = std::string(r.op).ends_with(".cc");
      std::string ops = r.product ? ", %a, %b, %c; " : ", %a, %b; ";
      // In the guarded run only the last instruction may be guarded: form.cc guards the first, so use braces of one
      // line.
      std::string text = "{ " + set + r.op + ty + " " + other + ops +
                         (sets ? show : "mov.b" + std::to_string(t.bits) + " %d, " + other + ";") + " }";
      Row row = r;
      forms->push_back(
          {Key(r.op, t), text, t.operand, t.operand, t.operand, t.operand, [=](uint64_t a, uint64_t b, uint64_t c) {
             Unsigned in = row.carry_in ? c & 1 : 0, x = static_cast<Unsigned>(Value(a, t)),
                      y = static_cast<Unsigned>(Value(b, t));
             Unsigned addend = row.product ? static_cast<Unsigned>(Value(c, t)) : y;
             if (row.product) x = row.high ? (x * y) >> t.bits : (x * y) % modulus;
             // A difference is the sum with the complement: its carry is set when nothing was borrowed.
             if (row.subtract) addend = modulus - 1 - y;
             if (row.subtract && !row.carry_in) in = 1;
             Unsigned sum = x + addend + in;
             return sets ? shown(sum, modulus) : static_cast<uint64_t>(sum % modulus);
           }});
    }
  }
  for (const char* op : {"mad.hi.cc", "madc.hi.cc", "madc.hi"}) {
    bool carry_in = op[3] == 'c', sets = std::string(op).ends_with(".cc");
    std::string text =
        std::string("{ and.b32 %r21, %c, 1; mov.b32 %r20, -1; add.cc.u32 %r20, %r20, %r21; ") + op +
        ".s32 %r21, %a, %b, %c; " +
        (sets ? "addc.u32 %r20, 0, 0; shl.b32 %r20, %r20, 31; xor.b32 %d, %r21, %r20; }" : "mov.b32 %d, %r21; }");
    forms->push_back({std::string(op) + ".s32", text, Operand::kInt32, Operand::kInt32, Operand::kInt32,
                      Operand::kInt32, [=](uint64_t a, uint64_t b, uint64_t c) {
                        uint64_t part = static_cast<uint32_t>((Value(a, kS32) * Value(b, kS32)) >> 32);
                        uint64_t sum = part + c + (carry_in ? c & 1 : 0);
                        return (sum & 0xFFFFFFFF) ^ (sets ? (sum >> 32 & 1) << 31 : 0);
                      }});
  }
}

void AddLogic(std::vector<Form>* forms) {
  for (const IntType& t : {kU16, kU32, kU64}) {
    std::string b = ".b" + std::to_string(t.bits);
    forms->push_back(
        Binary(BitKey("and", t), "and" + b, t.operand, [](uint64_t a, uint64_t c, uint64_t) { return a & c; }));
    forms->push_back(
        Binary(BitKey("or", t), "or" + b, t.operand, [](uint64_t a, uint64_t c, uint64_t) { return a | c; }));
    forms->push_back(
        Binary(BitKey("xor", t), "xor" + b, t.operand, [](uint64_t a, uint64_t c, uint64_t) { return a ^ c; }));
    forms->push_back(
        Unary(BitKey("not", t), "not" + b, t.operand, t.operand, [](uint64_t a, uint64_t, uint64_t) { return ~a; }));
    forms->push_back(Unary(BitKey("cnot", t), "cnot" + b, t.operand, t.operand,
                           [=](uint64_t a, uint64_t, uint64_t) { return Value(a, t) == 0; }));
    forms->push_back(
        {BitKey("shl", t), "shl" + b + " %d, %a, %b;", t.operand, t.operand, Operand::kAmount, Operand::kNone,
         [=](uint64_t a, uint64_t n, uint64_t) { return n >= static_cast<uint64_t>(t.bits) ? 0 : a << n; }});
  }
  for (const IntType& t : kAll) {
    forms->push_back({Key("shr", t), std::string("shr.") + t.name + " %d, %a, %b;", t.operand, t.operand,
                      Operand::kAmount, Operand::kNone, [=](uint64_t a, uint64_t n, uint64_t) {
                        return Low(Value(a, t) >> std::min<uint64_t>(n, static_cast<uint64_t>(t.bits)));
                      }});
  }
  for (const char* op : {"and", "or", "xor"}) {
    char o = op[0];
    forms->push_back(Binary(std::string(op) + ".pred", std::string(op) + ".pred", Operand::kPred,
                            [=](uint64_t a, uint64_t b, uint64_t) {
                              return o == 'a' ? a & b : o == 'o' ? a | b : a ^ b;
                            }));
  }
  forms->push_back(Unary("not.pred", "not.pred", Operand::kPred, Operand::kPred,
                         [](uint64_t a, uint64_t, uint64_t) { return a ^ 1; }));
  forms->push_back(
      Unary("mov.pred", "mov.pred", Operand::kPred, Operand::kPred, [](uint64_t a, uint64_t, uint64_t) { return a; }));
  for (int lut : {0x00, 0x80, 0xE8, 0x96, 0xCA, 0x1B, 0xFF}) {
    forms->push_back({"lop3.b32", "lop3.b32 %d, %a, %b, %c, " + std::to_string(lut) + ";", Operand::kInt32,
                      Operand::kInt32, Operand::kInt32, Operand::kInt32, [=](uint64_t a, uint64_t b, uint64_t c) {
                        uint64_t r = 0;
                        for (int k = 0; k < 32; ++k) {
                          int row = static_cast<int>((a >> k & 1) * 4 + (b >> k & 1) * 2 + (c >> k & 1));
                          r |= static_cast<uint64_t>(lut >> row & 1) << k;
                        }
                        return r;
                      }});
  }
}

uint64_t FunnelShift(bool left, bool wrap, uint64_t low, uint64_t high, uint64_t amount) {
  uint64_t n = wrap ? amount & 31 : std::min<uint64_t>(amount, 32);
  if (left) return n == 0 ? high : n == 32 ? low : (high << n) | (low >> (32 - n));
  return n == 0 ? low : n == 32 ? high : (high << (32 - n)) | (low >> n);
}

uint64_t PermuteDefault(uint64_t a, uint64_t b, uint64_t c) {
  uint8_t bytes[8];
  for (int k = 0; k < 4; ++k) {
    bytes[k] = static_cast<uint8_t>(a >> (8 * k));
    bytes[4 + k] = static_cast<uint8_t>(b >> (8 * k));
  }
  uint64_t r = 0;
  for (int k = 0; k < 4; ++k) {
    uint64_t nibble = c >> (4 * k) & 15;
    uint8_t byte = bytes[nibble & 7];
    if (nibble & 8) byte = byte & 0x80 ? 0xFF : 0;
    r |= uint64_t{byte} << (8 * k);
  }
  return r;
}

// The ISA's table of the special modes: which bytes, most significant first, by the low two bits of c.
uint64_t PermuteMode(const char* const table[4], uint64_t a, uint64_t b, uint64_t c) {
  uint64_t source = b << 32 | (a & 0xFFFFFFFF), r = 0;
  for (int k = 0; k < 4; ++k) r = r << 8 | (source >> (8 * (table[c & 3][k] - '0')) & 0xFF);
  return r;
}
constexpr const char* kF4e[4] = {"3210", "4321", "5432", "6543"};
constexpr const char* kB4e[4] = {"5670", "6701", "7012", "0123"};
constexpr const char* kRc8[4] = {"0000", "1111", "2222", "3333"};
constexpr const char* kEcl[4] = {"3210", "3211", "3222", "3333"};
constexpr const char* kEcr[4] = {"0000", "1110", "2210", "3210"};
constexpr const char* kRc16[4] = {"1010", "3232", "1010", "3232"};

// PTX ISA "bfe", as its pseudocode.
uint64_t BitFieldExtract(uint64_t a, uint64_t b, uint64_t c, const IntType& t) {
  int msb = t.bits - 1, pos = static_cast<int>(b & 0xFF), len = static_cast<int>(c & 0xFF);
  auto bit = [a](int k) { return a >> k & 1; };
  uint64_t sbit = !t.is_signed || len == 0 ? 0 : bit(std::min(pos + len - 1, msb)), d = 0;
  for (int i = 0; i <= msb; ++i) d |= (i < len && pos + i <= msb ? bit(pos + i) : sbit) << i;
  return d;
}
// PTX ISA "bfi", with position and length fixed in the spelling.
uint64_t BitFieldInsert(uint64_t a, uint64_t b, int pos, int len, int bits) {
  uint64_t f = b;
  for (int i = 0; i < len && pos + i < bits; ++i) {
    f = (f & ~(uint64_t{1} << (pos + i))) | ((a >> i & 1) << (pos + i));
  }
  return f;
}

// Long because it is a table: one row for each form.
void AddBitFields(std::vector<Form>* forms) {
  for (bool left : {true, false}) {
    for (bool wrap : {true, false}) {
      std::string name = std::string("shf.") + (left ? "l." : "r.") + (wrap ? "wrap" : "clamp") + ".b32";
      forms->push_back(Ternary(name, name, Operand::kInt32, Operand::kInt32, Operand::kAmount,
                               [=](uint64_t a, uint64_t b, uint64_t c) { return FunnelShift(left, wrap, a, b, c); }));
    }
  }
  forms->push_back(Ternary("prmt.b32", "prmt.b32", Operand::kInt32, Operand::kInt32, Operand::kInt32, PermuteDefault));
  struct Mode {
    const char* name;
    const char* const* table;
  };
  for (const Mode& m : {Mode{"f4e", kF4e}, Mode{"b4e", kB4e}, Mode{"rc8", kRc8}, Mode{"ecl", kEcl}, Mode{"ecr", kEcr},
                        Mode{"rc16", kRc16}}) {
    std::string name = std::string("prmt.b32.") + m.name;
    const char* const* table = m.table;
    forms->push_back(Ternary(name, name, Operand::kInt32, Operand::kInt32, Operand::kInt32,
                             [=](uint64_t a, uint64_t b, uint64_t c) { return PermuteMode(table, a, b, c); }));
  }
  for (bool wrap : {true, false}) {
    std::string name = std::string("bmsk.") + (wrap ? "wrap" : "clamp") + ".b32";
    forms->push_back(Binary(name, name, Operand::kAmount, [=](uint64_t a, uint64_t b, uint64_t) {
      uint64_t start = wrap ? a & 31 : std::min<uint64_t>(a, 32), length = wrap ? b & 31 : std::min<uint64_t>(b, 32),
               r = 0;
      for (uint64_t k = start; k < start + length && k < 32; ++k) r |= uint64_t{1} << k;
      return r;
    }));
  }
  for (const IntType& t : {kU32, kU64}) {
    auto reverse = [=](uint64_t a, uint64_t, uint64_t) {
      uint64_t r = 0;
      for (int k = 0; k < t.bits; ++k) r |= (a >> k & 1) << (t.bits - 1 - k);
      return r;
    };
    auto count = [=](uint64_t a, uint64_t, uint64_t) {
      uint64_t n = 0;
      for (int k = 0; k < t.bits; ++k) n += a >> k & 1;
      return n;
    };
    auto zeros = [=](uint64_t a, uint64_t, uint64_t) {
      uint64_t n = 0;
      while (n < static_cast<uint64_t>(t.bits) && (a >> (t.bits - 1 - static_cast<int>(n)) & 1) == 0) ++n;
      return n;
    };
    forms->push_back(Unary(BitKey("brev", t), BitKey("brev", t), t.operand, t.operand, reverse));
    forms->push_back(Unary(BitKey("popc", t), BitKey("popc", t), Operand::kInt32, t.operand, count));
    forms->push_back(Unary(BitKey("clz", t), BitKey("clz", t), Operand::kInt32, t.operand, zeros));
    for (auto [pos, len] :
         {std::pair{0, 0}, {0, 8}, {5, 7}, {t.bits - 3, 8}, {t.bits, 4}, {200, 4}, {0, t.bits}, {1, 255}}) {
      forms->push_back({BitKey("bfi", t),
                        BitKey("bfi", t) + " %d, %a, %b, " + std::to_string(pos) + ", " + std::to_string(len) + ";",
                        t.operand, t.operand, t.operand, Operand::kNone,
                        [pos = pos, len = len, t](uint64_t a, uint64_t b, uint64_t) {
                          return BitFieldInsert(a, b, pos, len, t.bits);
                        }});
    }
  }
  for (const IntType& t : {kU32, kS32, kU64, kS64}) {
    forms->push_back({Key("bfe", t), Key("bfe", t) + " %d, %a, %b, %c;", t.operand, t.operand, Operand::kAmount,
                      Operand::kAmount,
                      [=](uint64_t a, uint64_t b, uint64_t c) { return BitFieldExtract(a, b, c, t); }});
    for (bool shift : {false, true}) {
      std::string name = Key(shift ? "bfind.shiftamt" : "bfind", t);
      forms->push_back(Unary(name, name, Operand::kInt32, t.operand, [=](uint64_t a, uint64_t, uint64_t) -> uint64_t {
        Wide v = Value(a, t);
        if (v < 0) v = -v - 1;
        for (int k = t.bits - 1; k >= 0; --k) {
          if ((v >> k) & 1) return static_cast<uint64_t>(shift ? t.bits - 1 - k : k);
        }
        return 0xFFFFFFFFu;
      }));
    }
  }
}

}  // namespace

std::vector<Form> IntegerForms() {
  std::vector<Form> forms;
  for (const IntType& t : kAll) AddBasic(&forms, t);
  AddSpecial32(&forms);
  AddCarries(&forms);
  AddLogic(&forms);
  AddBitFields(&forms);
  return forms;
}

namespace {

TEST(IntegerTest, EveryFormGivesWhatArithmeticSays) { CheckForms(IntegerForms()); }

TEST(IntegerTest, CarriesRunThroughFourWords) {
  // 128-bit sum and product of constants, as nvcc writes them.
  std::vector<uint32_t> got = OutputOf(Kernel(R"(
    add.cc.u32 %r1, 0xFFFFFFFF, 1; addc.cc.u32 %r2, 0xFFFFFFFF, 0; addc.cc.u32 %r3, 5, 0; addc.u32 %r4, 7, 0;
    st.global.v4.u32 [%rd0], {%r1, %r2, %r3, %r4};
    sub.cc.u32 %r1, 0, 1; subc.cc.u32 %r2, 0, 0; subc.cc.u32 %r3, 5, 0; subc.u32 %r4, 7, 0;
    st.global.v4.u32 [%rd0+16], {%r1, %r2, %r3, %r4};
  )"),
                                       {1}, {1}, 8);
  EXPECT_EQ(got, (std::vector<uint32_t>{0, 0, 6, 7, 0xFFFFFFFF, 0xFFFFFFFF, 4, 7}));
}

TEST(IntegerTest, AnAdditionAfterASubtractionAddsTheCarryThatMeansNoBorrow) {
  // nvcc's 128-bit division asks so whether a trial quotient was small enough: ptxas makes of it the carry of a + ~b
  // + 1.
  std::vector<uint32_t> got = OutputOf(Kernel(R"(
    sub.cc.u32 %r1, 5, 7; addc.u32 %r2, 0, 0; sub.cc.u32 %r3, 7, 5; addc.u32 %r4, 0, 0;
    st.global.v4.u32 [%rd0], {%r1, %r2, %r3, %r4};
    add.cc.u32 %r1, 0xFFFFFFFF, 1; subc.u32 %r2, 9, 4; add.cc.u32 %r3, 1, 1; subc.u32 %r4, 9, 4;
    st.global.v4.u32 [%rd0+16], {%r1, %r2, %r3, %r4};
  )"),
                                       {1}, {1}, 8);
  EXPECT_EQ(got, (std::vector<uint32_t>{0xFFFFFFFE, 0, 2, 1, 0, 5, 2, 4}));
}

}  // namespace
}  // namespace warpgrade::emulator
