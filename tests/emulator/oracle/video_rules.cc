// Video instructions, on one word and on two or four parts of a word: PTX ISA 9.0, "Scalar Video Instructions" and
// "SIMD Video Instructions". Each rule follows the ISA's formula on wide integers. Tested by running: oracle_test.cc
// compares it with the emulator.
#include <algorithm>
#include <cstring>

#include "tests/emulator/oracle/rules.h"

namespace warpgrade::oracle {
namespace {

using ptx::Instruction;
using ptx::Operand;
using Wide = __int128;

// A part of a word: .b2 is the 8 bits from bit 16 on; no part at all is the whole word.
struct Part {
  int first = 0, width = 32;
};
Part PartOf(const Operand& o) {
  if (o.part[0] == 'b') return {8 * (o.part[1] - '0'), 8};
  if (o.part[0] == 'h') return {16 * (o.part[1] - '0'), 16};
  return {};
}
Wide Extract(uint64_t word, Part p, bool is_signed) { return Number(word >> p.first, p.width, is_signed); }
uint64_t Merge(uint64_t word, Part p, Wide value) {
  uint64_t mask = ((uint64_t{1} << p.width) - 1) << p.first;
  return (word & ~mask) | ((static_cast<uint64_t>(value) << p.first) & mask);
}
Wide Clamped(Wide v, int width, bool is_signed) {
  Wide low = is_signed ? -(Wide{1} << (width - 1)) : 0, high = (Wide{1} << (is_signed ? width - 1 : width)) - 1;
  return std::clamp(v, low, high);
}

// Whether the types of d, a and b are signed. vset names only those of a and b; its result is unsigned.
struct Signs {
  bool d = false, a = false, b = false;
};
Signs SignsOf(const Instruction& i) {
  bool names_result = TypeFromEnd(i, 2) != ptx::Type::kNone;
  return {names_result && IsSigned(TypeFromEnd(i, 2)), IsSigned(TypeFromEnd(i, 1)), IsSigned(TypeFromEnd(i, 0))};
}

// What the instruction does with two numbers; `name` is without the count of parts.
using Operation = std::function<Wide(Wide, Wide)>;
Operation OperationOf(const Instruction& i, const std::string& name) {
  if (name == "vadd") return [](Wide a, Wide b) { return a + b; };
  if (name == "vsub") return [](Wide a, Wide b) { return a - b; };
  if (name == "vabsdiff") return [](Wide a, Wide b) { return a < b ? b - a : a - b; };
  if (name == "vmin") return [](Wide a, Wide b) { return std::min(a, b); };
  if (name == "vmax") return [](Wide a, Wide b) { return std::max(a, b); };
  if (name == "vavrg") return [](Wide a, Wide b) { return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1; };
  if (name == "vset") {
    if (Has(i, "eq")) return [](Wide a, Wide b) -> Wide { return a == b; };
    if (Has(i, "ne")) return [](Wide a, Wide b) -> Wide { return a != b; };
    if (Has(i, "lt")) return [](Wide a, Wide b) -> Wide { return a < b; };
    if (Has(i, "le")) return [](Wide a, Wide b) -> Wide { return a <= b; };
    if (Has(i, "gt")) return [](Wide a, Wide b) -> Wide { return a > b; };
    return [](Wide a, Wide b) -> Wide { return a >= b; };
  }
  bool left = name == "vshl", wrap = Has(i, "wrap");
  return [=](Wide a, Wide b) {
    int amount = static_cast<int>(wrap ? b & 31 : std::min<Wide>(b, 32));
    if (!left) return a >> amount;
    // What a GPU keeps of it: a number of 34 bits in two's complement.
    const Wide all = Wide{1} << 34, kept = ((a * (Wide{1} << amount)) % all + all) % all;
    return kept >= all / 2 ? kept - all : kept;
  };
}

Rule ScalarRule(const Instruction& i) {
  const Operation f = OperationOf(i, i.opcode);
  const Signs is_signed = SignsOf(i);
  const Part d = PartOf(i.operands[0]), a = PartOf(i.operands[1]), b = PartOf(i.operands[2]);
  const bool saturates = Has(i, "sat"), adds = Has(i, "add"), smaller = Has(i, "min"), larger = Has(i, "max");
  return [=](Step& s) {
    Wide v = f(Extract(s.in[0], a, is_signed.a), Extract(s.in[1], b, is_signed.b));
    if (saturates) v = Clamped(v, d.width, is_signed.d);
    Wide word = Number(static_cast<uint64_t>(v), 32, is_signed.d), c = Number(s.in[2], 32, is_signed.d);
    if (adds) v = word + c;
    if (smaller) v = std::min(word, c);
    if (larger) v = std::max(word, c);
    s.out = Merge(s.in[2], d, v);
  };
}

Rule MultiplyRule(const Instruction& i) {
  const auto& o = i.operands;
  const Part a = PartOf(o[1]), b = PartOf(o[2]);
  const Signs is_signed = SignsOf(i);
  const bool negates_product = o[1].negated != o[2].negated, negates_c = o[3].negated;
  const bool result_signed = is_signed.a || is_signed.b || negates_product || negates_c;
  const bool saturates = Has(i, "sat"), plus_one = Has(i, "po");
  const int scale = Has(i, "shr7") ? 7 : Has(i, "shr15") ? 15 : 0;
  return [=](Step& s) {
    Wide product = Extract(s.in[0], a, is_signed.a) * Extract(s.in[1], b, is_signed.b);
    uint64_t addend = s.in[2];
    Wide one = 0;
    if (plus_one) {
      one = 1;
    } else if (negates_product) {
      product = ~product;
      one = 1;
    } else if (negates_c) {
      addend = ~addend;
      one = 1;
    }
    Wide v = (product + Number(addend, 32, result_signed) + one) >> scale;
    s.out = static_cast<uint64_t>(saturates ? Clamped(v, 32, result_signed) : v);
  };
}

Rule SimdRule(const Instruction& i, int lanes) {
  const Operation f = OperationOf(i, i.opcode.substr(0, i.opcode.size() - 1));
  const Signs is_signed = SignsOf(i);
  const bool saturates = Has(i, "sat"), adds = Has(i, "add");
  const int width = 32 / lanes;
  // Digits of a selection or mask, lowest part last; without them a takes its own parts, and b its own.
  const std::string d = i.operands[0].part, a = i.operands[1].part, b = i.operands[2].part;
  auto picks = [=](const std::string& digits, int lane, int otherwise) {
    return digits.empty() ? otherwise + lane : digits[digits.size() - 1 - static_cast<size_t>(lane)] - '0';
  };
  return [=](Step& s) {
    uint64_t both = (s.in[1] & 0xFFFFFFFF) << 32 | (s.in[0] & 0xFFFFFFFF);
    s.out = s.in[2];
    for (int lane = 0; lane < lanes; ++lane) {
      if (!d.empty() && d.find(static_cast<char>('0' + lane)) == std::string::npos) continue;
      Wide x = Number(both >> (width * picks(a, lane, 0)), width, is_signed.a);
      Wide y = Number(both >> (width * picks(b, lane, lanes)), width, is_signed.b);
      Wide v = f(x, y);
      if (saturates) v = Clamped(v, width, is_signed.d);
      s.out = adds ? s.out + static_cast<uint64_t>(v) : Merge(s.out, {width * lane, width}, v);
    }
  };
}

}  // namespace

Rule VideoRule(const Instruction& i) {
  std::string name = i.opcode;
  const char last = name.back();
  const bool simd = last == '2' || last == '4';
  if (simd) name.pop_back();
  for (const char* known : {"vadd", "vsub", "vabsdiff", "vmin", "vmax", "vavrg", "vset", "vshl", "vshr"}) {
    if (name == known) return simd ? SimdRule(i, last - '0') : ScalarRule(i);
  }
  return i.opcode == "vmad" ? MultiplyRule(i) : nullptr;
}

}  // namespace warpgrade::oracle
