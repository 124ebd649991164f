// Comparisons and selections: setp, set, selp, slct. The rare types of setp and all types of set share handlers that
// receive the comparison as a number. Tested by tests/emulator/exec/compare_test.cc.
#include <algorithm>
#include <iterator>
#include <utility>

#include "grader/emulator/program/decoder.h"

namespace warpgrade::emulator {
namespace {

using ptx::OperandKind;
using ptx::Type;

// The Relation of a modifier; -1 if it is not a relation.
int RelationNumber(std::string_view name) {
  static constexpr std::string_view kComparisons[] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                                                      "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
  auto at = std::find(std::begin(kComparisons), std::end(kComparisons), name);
  return at == std::end(kComparisons) ? -1 : static_cast<int>(at - std::begin(kComparisons));
}

// The value that set writes where the comparison is true, by the destination's type.
int64_t TrueValue(Type d, bool packed) {
  switch (d) {
    case Type::kF32:
      return 0x3F800000;
    case Type::kF16:
      return 0x3C00;
    case Type::kBF16:
      return 0x3F80;
    case Type::kF16x2:
      return 0x3C003C00;
    case Type::kBF16x2:
      return 0x3F803F80;
    default:
      return ptx::SizeOf(d) == 2 && !packed ? 0xFFFF : 0xFFFFFFFF;
  }
}

// The comparison of setp and set. The old names of the unsigned comparisons mean the same as the others.
struct Comparison {
  std::string_view name;
  bool is_unsigned = false;
};
Comparison ComparisonOf(const ptx::Instruction& i) {
  static constexpr std::pair<std::string_view, std::string_view> kOldNames[] = {
      {"lo", "lt"}, {"ls", "le"}, {"hi", "gt"}, {"hs", "ge"}};
  for (const std::string& m : i.modifiers) {
    if (RelationNumber(m) >= 0) return {m};
    for (const auto& [old_name, name] : kOldNames) {
      if (m == old_name) return {name, true};
    }
  }
  return {};
}

PredicateJoin JoinOf(const ptx::Instruction& i) {
  return Has(i, "and")   ? PredicateJoin::kAnd
         : Has(i, "or")  ? PredicateJoin::kOr
         : Has(i, "xor") ? PredicateJoin::kXor
                         : PredicateJoin::kNone;
}

CompareForm FormOf(const ptx::Instruction& i, const Comparison& comparison, bool negate) {
  return {static_cast<Relation>(RelationNumber(comparison.name)), Has(i, "ftz"), negate};
}

std::string ComparedName(Type t, const Comparison& comparison) {
  return !comparison.is_unsigned && (IsFloating(t) || IsSigned(t)) ? ptx::Name(t) : UnsignedName(t);
}

}  // namespace

bool FunctionDecoder::DecodeSetPredicate(const ptx::Instruction& i) {
  const auto& o = i.operands;
  const Type t = LastType(i);
  const size_t first = i.pair ? 2 : 1;
  Inst inst = Begin(i, nullptr);
  inst.dst = o[0].kind == OperandKind::kRegister ? Destination(o[0], 0) : kSinkRow;
  inst.second_dst = i.pair && o[1].kind == OperandKind::kRegister ? Destination(o[1], 0) : 0;
  inst.a = Source(o[first], CellBytes(t), t);
  inst.b = Source(o[first + 1], CellBytes(t), t);
  inst.join = JoinOf(i);
  if (inst.join != PredicateJoin::kNone) inst.c = Predicate(o[first + 2], &inst.imm);
  const Comparison comparison = ComparisonOf(i);
  if (t == Type::kBF16 || t == Type::kF16x2 || t == Type::kBF16x2) {
    inst.compare = FormOf(i, comparison, inst.imm == 1);
    return EmitByKey(i, JoinKey({"setp", ptx::Name(t)}), inst);
  }
  return EmitByKey(i, JoinKey({"setp", comparison.name, Has(i, "ftz") ? "ftz" : "", ComparedName(t, comparison)}),
                   inst);
}

bool FunctionDecoder::DecodeSet(const ptx::Instruction& i) {
  const auto& o = i.operands;
  const Type t = LastType(i);
  const Comparison comparison = ComparisonOf(i);
  Inst inst = Begin(i, nullptr);
  inst.a = Source(o[1], CellBytes(t), t);
  inst.b = Source(o[2], CellBytes(t), t);
  inst.join = JoinOf(i);
  int64_t negated = 0;
  if (inst.join != PredicateJoin::kNone) inst.c = Predicate(o[3], &negated);
  inst.compare = FormOf(i, comparison, negated != 0);
  inst.imm = TrueValue(FirstType(i), t == Type::kF16x2 || t == Type::kBF16x2);
  inst.dst = Destination(o[0], 4);
  return EmitByKey(i, JoinKey({"set", ComparedName(t, comparison)}), inst);
}

bool FunctionDecoder::DecodeSelect(const ptx::Instruction& i) {
  const auto& o = i.operands;
  const Type t = LastType(i);
  Inst inst = Begin(i, nullptr);
  inst.a = Source(o[1], CellBytes(t), t);
  inst.b = Source(o[2], CellBytes(t), t);
  inst.c = Predicate(o[3], &inst.imm);
  inst.dst = Destination(o[0], CellBytes(t));
  return EmitByKey(i, "selp." + BitsName(t), inst);
}

bool FunctionDecoder::DecodeSelectBySign(const ptx::Instruction& i) {
  const auto& o = i.operands;
  const Type value = FirstType(i), t = LastType(i);
  Inst inst = Begin(i, nullptr);
  inst.a = Source(o[1], CellBytes(value), value);
  inst.b = Source(o[2], CellBytes(value), value);
  inst.c = Source(o[3], 4, t);
  inst.flush = Has(i, "ftz");
  inst.dst = Destination(o[0], CellBytes(value));
  return EmitByKey(i, JoinKey({"slct", BitsName(value), ptx::Name(t)}), inst);
}

}  // namespace warpgrade::emulator
