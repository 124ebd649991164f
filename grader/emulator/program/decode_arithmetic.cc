// Arithmetic, logic and bit fields: turns modifiers into the key of a handler, and operands into rows. An instruction
// that the opcode table allows but that has no handler is refused, because its key is not found. Tested by
// integer_test.cc, float_test.cc and half_test.cc in tests/emulator/exec.
#include <fmt/format.h>

#include "grader/emulator/program/decoder.h"

namespace warpgrade::emulator {
namespace {

using ptx::OperandKind;
using ptx::Type;

CountClass FlopClass(const ptx::Instruction& i, Type t) {
  const bool add = i.Is(ptx::kAdds), mul = i.Is(ptx::kMultiplies);
  if (!i.Is(ptx::kAdds | ptx::kMultiplies | ptx::kFuses)) return CountClass::kPlain;
  switch (t) {
    case Type::kF32:
    case Type::kF32x2:
      return add ? CountClass::kFAdd : mul ? CountClass::kFMul : CountClass::kFFma;
    case Type::kF64:
      return add ? CountClass::kDAdd : mul ? CountClass::kDMul : CountClass::kDFma;
    case Type::kF16:
    case Type::kF16x2:
    case Type::kBF16:
    case Type::kBF16x2:
      return add ? CountClass::kHAdd : mul ? CountClass::kHMul : CountClass::kHFma;
    default:
      return CountClass::kPlain;
  }
}

// The modifiers that are part of a float handler's key.
std::string KeyModifiers(const ptx::Instruction& i) {
  static constexpr const char* kInKey[] = {
#define FLOAT_MODIFIER(spelling) spelling,
#define FLOAT_FLAG(spelling, field) spelling,
#define FLOAT_FLAG_ONLY(spelling, field)
#include "grader/emulator/program/float_modifiers.def"
#undef FLOAT_FLAG_ONLY
#undef FLOAT_FLAG
#undef FLOAT_MODIFIER
  };
  std::string mods;
  for (const char* m : kInKey) {
    if (Has(i, m)) mods += (mods.empty() ? "" : ".") + std::string(m);
  }
  return mods;
}

// The modifiers that a handler may look up.
FloatFlags FlagsOf(const ptx::Instruction& i) {
  FloatFlags flags{};
#define FLOAT_MODIFIER(spelling)
#define FLOAT_FLAG(spelling, field) flags.field = Has(i, spelling);
#define FLOAT_FLAG_ONLY(spelling, field) flags.field = Has(i, spelling);
#include "grader/emulator/program/float_modifiers.def"
#undef FLOAT_FLAG_ONLY
#undef FLOAT_FLAG
#undef FLOAT_MODIFIER
  return flags;
}

bool IsHalf(Type t) { return t == Type::kF16 || t == Type::kF16x2 || t == Type::kBF16 || t == Type::kBF16x2; }

bool AnyFlag(FloatFlags f) {
  return false
#define FLOAT_MODIFIER(spelling)
#define FLOAT_FLAG(spelling, field) || f.field
#define FLOAT_FLAG_ONLY(spelling, field) || f.field
#include "grader/emulator/program/float_modifiers.def"
#undef FLOAT_FLAG_ONLY
#undef FLOAT_FLAG
#undef FLOAT_MODIFIER
      ;
}

// Every modifier that is not a type, in the order of the instruction.
std::string OtherModifiers(const ptx::Instruction& i) {
  std::string mods;
  for (const std::string& m : i.modifiers) {
    if (ptx::TypeFromName(m.c_str(), m.size()) == Type::kNone) mods += (mods.empty() ? "" : ".") + m;
  }
  return mods;
}

std::string FloatKey(const ptx::Instruction& i, Type t) {
  // mad of floats is fma.
  const std::string& opcode = i.Is(ptx::kFuses) ? "fma" : i.opcode;
  std::string mods = KeyModifiers(i);
  if (IsHalf(t) && AnyFlag(FlagsOf(i)) && mods != "relu" &&
      (i.Is(ptx::kAdds | ptx::kMultiplies | ptx::kFuses) || OneOf(opcode, {"min", "max"}))) {
    mods = "modified";
  }
  // Directed rounding takes .sat as a flag, and so does the rare .xorsign.abs.
  if (Has(i, "rz") || Has(i, "rm") || Has(i, "rp")) {
    if (size_t at = mods.find(".sat"); at != std::string::npos) mods.erase(at, 4);
  }
  if (Has(i, "xorsign") && t == Type::kF32) mods = "xorsign";
  return JoinKey({opcode, mods, ptx::Name(t)});
}

std::string IntegerKey(const ptx::Instruction& i, Type t) {
  std::string mods;
  for (const char* m : {"lo", "hi", "wide", "cc", "sat", "l", "r", "wrap", "clamp"}) {
    if (Has(i, m)) mods += (mods.empty() ? "" : ".") + std::string(m);
  }
  std::string type = ptx::Name(t);
  const bool high_or_wide = Has(i, "hi") || Has(i, "wide");
  if (i.Is(ptx::kSignless) && !Has(i, "sat") && !(high_or_wide && IsSigned(t))) type = UnsignedName(t);
  return JoinKey({i.opcode, mods, type});
}

}  // namespace

bool FunctionDecoder::DecodeArithmetic(const ptx::Instruction& i) {
  if (OneOf(i.opcode, {"add", "min", "max"}) && DecodePairs(i)) return true;
  const Type t = LastType(i);
  const auto& o = i.operands;
  auto operand = [&](size_t k, int bytes) { return k < o.size() ? Source(o[k], bytes, t) : kSinkRow; };
  Inst inst = Begin(i, nullptr, FlopClass(i, t));
  if (t == Type::kF16x2 || t == Type::kBF16x2 || t == Type::kF32x2) inst.vector = 2;
  const int bytes = CellBytes(t);
  if (IsFloating(t)) inst.floats = FlagsOf(i);
  const bool wide = Has(i, "wide");
  const int result_bytes = wide ? (ptx::SizeOf(t) == 4 ? 8 : 4) : bytes;
  inst.a = operand(1, bytes);
  inst.b = operand(2, bytes);
  inst.c = operand(3, wide ? result_bytes : bytes);
  inst.dst = Destination(o[0], result_bytes);
  return EmitByKey(i, IsFloating(t) ? FloatKey(i, t) : IntegerKey(i, t), inst);
}

// ex2, sin and the like: every modifier is part of the key.
bool FunctionDecoder::DecodeApproximation(const ptx::Instruction& i) {
  const Type t = LastType(i);
  Inst inst = Begin(i, nullptr);
  if (t == Type::kF16x2 || t == Type::kBF16x2) inst.vector = 2;
  inst.a = Source(i.operands[1], CellBytes(t), t);
  inst.dst = Destination(i.operands[0], CellBytes(t));
  return EmitByKey(i, JoinKey({i.opcode, OtherModifiers(i), ptx::Name(t)}), inst);
}

bool FunctionDecoder::DecodeTestProperty(const ptx::Instruction& i) {
  const Type t = LastType(i);
  Inst inst = Begin(i, nullptr);
  inst.dst = Destination(i.operands[0], 0);
  inst.a = Source(i.operands[1], CellBytes(t), t);
  return EmitByKey(i, JoinKey({i.opcode, OtherModifiers(i), ptx::Name(t)}), inst);
}

bool FunctionDecoder::DecodeLogic(const ptx::Instruction& i) {
  const Type t = LastType(i);
  if (t == Type::kPred) return DecodeLogicOfPredicates(i);
  Inst inst = Begin(i, nullptr);
  inst.a = Source(i.operands[1], CellBytes(t), t);
  if (i.operands.size() > 2) inst.b = Source(i.operands[2], CellBytes(t), t);
  inst.dst = Destination(i.operands[0], CellBytes(t));
  return EmitByKey(i, JoinKey({i.opcode, BitsName(t)}), inst);
}

bool FunctionDecoder::DecodeLogicOfPredicates(const ptx::Instruction& i) {
  Inst inst = Begin(i, nullptr);
  inst.dst = Destination(i.operands[0], 0);
  for (size_t k = 1; k < i.operands.size(); ++k) {
    int64_t negated = 0;
    uint32_t row = Predicate(i.operands[k], &negated);
    if (negated != 0) {  // !%p as a logic operand: negate into a temporary
      Inst flip;
      flip.handler = handlers_.Find("not.pred");
      flip.count_class = CountClass::kNone;
      flip.a = row;
      flip.dst = Temporary(4);
      Emit(flip);
      row = flip.dst;
    }
    (k == 1 ? inst.a : inst.b) = row;
  }
  return EmitByKey(i, i.opcode + ".pred", inst);
}

// prmt, dp4a, dp2a: the key is the instruction's spelling.
bool FunctionDecoder::DecodeByBytes(const ptx::Instruction& i) {
  Inst inst = Begin(i, nullptr);
  inst.dst = Destination(i.operands[0], 4);
  inst.a = Source(i.operands[1], 4);
  inst.b = Source(i.operands[2], 4);
  inst.c = Source(i.operands[3], 4);
  return EmitByKey(i, SpellingOf(i), inst);
}

bool FunctionDecoder::DecodeBitCount(const ptx::Instruction& i) {
  const Type t = LastType(i);
  Inst inst = Begin(i, nullptr);
  inst.a = Source(i.operands[1], CellBytes(t), t);
  inst.dst = Destination(i.operands[0], 4);
  return EmitByKey(i, JoinKey({i.opcode, Has(i, "shiftamt") ? "shiftamt" : "", ptx::Name(t)}), inst);
}

bool FunctionDecoder::DecodeShift(const ptx::Instruction& i) {
  const Type t = LastType(i);
  Inst inst = Begin(i, nullptr);
  inst.a = Source(i.operands[1], CellBytes(t), t);
  inst.b = Source(i.operands[2], 4, t);
  inst.dst = Destination(i.operands[0], CellBytes(t));
  const std::string type = i.opcode == "shl" ? BitsName(t) : IsSigned(t) ? ptx::Name(t) : UnsignedName(t);
  return EmitByKey(i, JoinKey({i.opcode, type}), inst);
}

bool FunctionDecoder::DecodeBitField(const ptx::Instruction& i) {
  const Type t = LastType(i);
  Inst inst = Begin(i, nullptr);
  inst.a = Source(i.operands[1], CellBytes(t), t);
  inst.b = Source(i.operands[2], 4, t);
  inst.c = Source(i.operands[3], 4, t);
  inst.dst = Destination(i.operands[0], CellBytes(t));
  return EmitByKey(i, JoinKey({i.opcode, ptx::Name(t)}), inst);
}

bool FunctionDecoder::DecodeBitFieldInsert(const ptx::Instruction& i) {
  const Type t = LastType(i);
  Inst inst = Begin(i, nullptr);
  inst.a = Source(i.operands[1], CellBytes(t), t);
  inst.b = Source(i.operands[2], CellBytes(t), t);
  inst.c = Source(i.operands[3], 4, t);
  inst.d = Source(i.operands[4], 4, t);
  inst.dst = Destination(i.operands[0], CellBytes(t));
  return EmitByKey(i, JoinKey({i.opcode, BitsName(t)}), inst);
}

// lop3.b32 d, a, b, c, lut; lop3.{or,and}.b32 d|p, a, b, c, lut, q: p = (d != 0) or/and q.
bool FunctionDecoder::DecodeLop3(const ptx::Instruction& i) {
  const auto& o = i.operands;
  const bool predicate = Has(i, "or") || Has(i, "and");
  const size_t first = predicate ? 2 : 1;
  Inst inst = Begin(i, nullptr);
  inst.dst = predicate && o[0].kind != OperandKind::kRegister ? Temporary(4) : Destination(o[0], 4);
  inst.a = Source(o[first], 4);
  inst.b = Source(o[first + 1], 4);
  inst.c = Source(o[first + 2], 4);
  inst.imm = static_cast<int64_t>(o[first + 3].bits & 0xFF);
  if (!predicate) return EmitByKey(i, "lop3.b32", inst);
  Inst test = Begin(i, handlers_.Find("setp.ne.u32"), CountClass::kNone);
  test.a = inst.dst;
  test.b = ConstantRow(0, 4);
  test.join = Has(i, "and") ? PredicateJoin::kAnd : PredicateJoin::kOr;
  test.c = Predicate(o[6], &test.imm);
  test.dst = Destination(o[1], 0);
  EmitByKey(i, "lop3.b32", inst);
  Emit(test);
  return true;
}

}  // namespace warpgrade::emulator
