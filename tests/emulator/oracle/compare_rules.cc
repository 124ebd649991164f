// setp, set, selp and slct: PTX ISA 9.0, "Comparison and Selection Instructions".
#include <cmath>

#include "tests/emulator/oracle/rules.h"

namespace warpgrade::oracle {
namespace {

using ptx::Type;

bool Ordered(const std::string& comparison, double order) {  // order: sign of a - b
  if (comparison == "eq") return order == 0;
  if (comparison == "ne") return order != 0;
  if (comparison == "lt" || comparison == "lo") return order < 0;
  if (comparison == "le" || comparison == "ls") return order <= 0;
  if (comparison == "gt" || comparison == "hi") return order > 0;
  return order >= 0;  // ge, hs
}

bool FloatComparison(const std::string& comparison, double a, double b) {
  bool unordered = std::isnan(a) || std::isnan(b);
  if (comparison == "num") return !unordered;
  if (comparison == "nan") return unordered;
  bool accepts_nan = comparison.size() == 3;  // equ, neu, ltu, ...
  if (unordered) return accepts_nan;
  return Ordered(comparison.substr(0, 2), a < b ? -1 : a > b ? 1 : 0);
}

double FloatValue(Type t, uint64_t bits, bool ftz) {
  if (t == Type::kF64) return Double(bits);
  if (t == Type::kF16) return Widen(bits, kHalf);
  if (t == Type::kBF16) return Widen(bits, kBFloat);
  return ftz ? Flush(Single(bits)) : Single(bits);
}

using Comparison = std::function<bool(uint64_t, uint64_t)>;
Comparison ComparisonOf(const ptx::Instruction& i, Type t) {
  const std::string name = i.modifiers[0];
  bool ftz = Has(i, "ftz");
  if (!IsInteger(t)) {
    return [=](uint64_t a, uint64_t b) { return FloatComparison(name, FloatValue(t, a, ftz), FloatValue(t, b, ftz)); };
  }
  // lo, ls, hi, hs compare as unsigned whatever the type says.
  bool is_signed = IsSigned(t) && name != "lo" && name != "ls" && name != "hi" && name != "hs";
  return [=](uint64_t a, uint64_t b) {
    __int128 x = Number(a, BitsOf(t), is_signed), y = Number(b, BitsOf(t), is_signed);
    return Ordered(name, x < y ? -1 : x > y ? 1 : 0);
  };
}

// The comparison joined with a predicate.
std::function<bool(bool, bool)> JoinOf(const ptx::Instruction& i) {
  if (Has(i, "and")) return [](bool x, bool p) { return x && p; };
  if (Has(i, "or")) return [](bool x, bool p) { return x || p; };
  if (Has(i, "xor")) return [](bool x, bool p) { return x != p; };
  return [](bool x, bool) { return x; };
}

}  // namespace

Rule CompareRule(const ptx::Instruction& i) {
  const std::string& op = i.opcode;
  Type t = TypeFromEnd(i, 0);
  if (op == "setp" || op == "set") {
    Comparison compare = ComparisonOf(i, t);
    auto join = JoinOf(i);
    if (op == "setp") {
      return [=](Step& s) {
        bool c = compare(s.in[0], s.in[1]), p = s.in[2] != 0;
        s.out = join(c, p) ? 1 : 0;
        s.out2 = join(!c, p) ? 1 : 0;
      };
    }
    uint64_t yes = TypeFromEnd(i, 1) == Type::kF32 ? 0x3F800000 : 0xFFFFFFFF;
    return [=](Step& s) { s.out = join(compare(s.in[0], s.in[1]), s.in[2] != 0) ? yes : 0; };
  }
  if (op == "selp") return [](Step& s) { s.out = s.in[2] != 0 ? s.in[0] : s.in[1]; };
  if (op == "slct") {
    if (t == Type::kS32) return [](Step& s) { s.out = Number(s.in[2], 32, true) >= 0 ? s.in[0] : s.in[1]; };
    bool ftz = Has(i, "ftz");
    return [=](Step& s) {
      float c = ftz ? Flush(Single(s.in[2])) : Single(s.in[2]);
      s.out = c >= 0 ? s.in[0] : s.in[1];  // NaN selects the second
    };
  }
  return nullptr;
}

}  // namespace warpgrade::oracle
