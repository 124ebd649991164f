// Handler keys and operands of arithmetic, comparison, move and conversion instructions.
#include <fmt/format.h>

#include <algorithm>

#include "grader/emulator/decoder.h"
#include "grader/emulator/handlers/table.h"

namespace warpgrade::emulator {
namespace {

using ptx::Operand;
using ptx::OperandKind;
using ptx::Type;

bool OneOf(std::string_view s, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), s) != list.end();
}

CountClass FlopClass(const std::string& opcode, Type t) {
  bool add = opcode == "add" || opcode == "sub", mul = opcode == "mul", fma = opcode == "fma" || opcode == "mad";
  if (!add && !mul && !fma) return CountClass::kPlain;
  switch (t) {
    case Type::kF32:
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

// The modifiers that select a float handler, in the tables' order. ".rn" is what plain keys mean.
std::string FloatModifiers(const ptx::Instruction& i) {
  std::string mods;
  for (const char* m : {"rz", "rm", "rp", "approx", "full", "ftz", "relu", "NaN", "sat"}) {
    if (Has(i, m)) mods += (mods.empty() ? "" : ".") + std::string(m);
  }
  return mods;
}

// Signedness does not change these, so one unsigned handler serves.
bool Signless(const std::string& opcode) { return OneOf(opcode, {"add", "sub", "addc", "subc", "mad", "madc", "mul"}); }

std::string ArithmeticKey(const ptx::Instruction& i, Type t) {
  const std::string& op = i.opcode;
  if (IsFloating(t)) {
    std::string opcode = op == "mad" ? "fma" : op;
    if (op == "testp" || op == "ex2" || op == "tanh" || op == "sin" || op == "cos" || op == "lg2") {
      std::string mods;
      for (const std::string& m : i.modifiers) {
        if (ptx::TypeFromName(m.c_str(), m.size()) == Type::kNone) mods += (mods.empty() ? "" : ".") + m;
      }
      return JoinKey({opcode, mods, ptx::Name(t)});
    }
    std::string mods = FloatModifiers(i);
    bool half = t == Type::kF16 || t == Type::kF16x2 || t == Type::kBF16 || t == Type::kBF16x2;
    // Half arithmetic keeps subnormals here; .ftz and .sat forms of it are not emulated.
    if (half && mods == "ftz") mods.clear();
    return JoinKey({opcode, mods, ptx::Name(t)});
  }
  std::string mods;
  for (const char* m : {"lo", "hi", "wide", "cc", "sat", "shiftamt", "l", "r", "wrap", "clamp"}) {
    if (Has(i, m)) mods += (mods.empty() ? "" : ".") + std::string(m);
  }
  std::string type = ptx::Name(t);
  bool high_or_wide = Has(i, "hi") || Has(i, "wide");
  if (Signless(op) && !Has(i, "sat") && !(high_or_wide && IsSigned(t))) type = UnsignedName(t);
  if (OneOf(op, {"and", "or", "xor", "not", "cnot", "shl"}) && t != Type::kPred) type = BitsName(t);
  if (op == "shr" && !IsSigned(t)) type = UnsignedName(t);
  if (op == "abs" || op == "neg") type = fmt::format("s{}", ptx::SizeOf(t) * 8);
  return JoinKey({op, mods, type});
}

}  // namespace

bool FunctionDecoder::DecodeArithmetic(const ptx::Instruction& i) {
  Type t = LastType(i);
  if (i.operands.empty()) return false;
  const std::string& op = i.opcode;
  const auto& o = i.operands;
  auto operand = [&](size_t k, int bytes) { return k < o.size() ? Source(o[k], bytes, t) : kSinkRow; };
  Inst inst = Begin(i, nullptr, FlopClass(op, t));
  if (t == Type::kF16x2 || t == Type::kBF16x2) inst.vector = 2;
  if (op == "testp") {
    inst.dst = Destination(o[0], 0);
    inst.a = operand(1, CellBytes(t));
    return EmitByKey(i, ArithmeticKey(i, t), inst);
  }
  if (t == Type::kPred) {
    int64_t negated = 0;
    inst.dst = Destination(o[0], 0);
    for (size_t k = 1; k < o.size(); ++k) {
      uint32_t row = Predicate(o[k], &negated);
      if (negated != 0) {  // !%p as a logic operand: negate into a temporary
        Inst flip;
        flip.handler = FindHandler("not.pred");
        flip.count_class = CountClass::kNone;
        flip.a = row;
        flip.dst = Temporary(4);
        Emit(flip);
        row = flip.dst;
      }
      (k == 1 ? inst.a : inst.b) = row;
    }
    return EmitByKey(i, op + ".pred", inst);
  }
  int bytes = CellBytes(t);
  if (op == "dp4a" || op == "dp2a") {
    inst.dst = Destination(o[0], 4);
    inst.a = operand(1, 4);
    inst.b = operand(2, 4);
    inst.c = operand(3, 4);
    std::string key = op;
    for (const std::string& m : i.modifiers) key += "." + m;
    return EmitByKey(i, key, inst);
  }
  if (op == "lop3") {
    inst.dst = Destination(o[0], 4);
    inst.a = operand(1, 4);
    inst.b = operand(2, 4);
    inst.c = operand(3, 4);
    inst.imm = o.size() > 4 ? static_cast<int64_t>(o[4].bits & 0xFF) : 0;
    if (Has(i, "or") || Has(i, "and")) return false;  // the predicate-producing form
    return EmitByKey(i, "lop3.b32", inst);
  }
  if (op == "prmt") {
    std::string key = "prmt";
    for (const std::string& m : i.modifiers) key += "." + m;
    inst.dst = Destination(o[0], 4);
    inst.a = operand(1, 4);
    inst.b = operand(2, 4);
    inst.c = operand(3, 4);
    return EmitByKey(i, key, inst);
  }
  if (op == "popc" || op == "clz" || op == "bfind") {
    inst.a = operand(1, bytes);
    inst.dst = Destination(o[0], 4);
    std::string type = op == "bfind" ? ptx::Name(t) : BitsName(t);
    return EmitByKey(i, JoinKey({op, Has(i, "shiftamt") ? "shiftamt" : "", type}), inst);
  }
  if (op == "shl" || op == "shr") {
    inst.a = operand(1, bytes);
    inst.b = operand(2, 4);
    inst.dst = Destination(o[0], bytes);
    return EmitByKey(i, ArithmeticKey(i, t), inst);
  }
  if (op == "bfe" || op == "bfi") {
    bool insert = op == "bfi";
    inst.a = operand(1, bytes);
    inst.b = operand(2, insert ? bytes : 4);
    inst.c = operand(3, 4);
    if (insert) inst.dst2 = operand(4, 4);
    inst.dst = Destination(o[0], bytes);
    return EmitByKey(i, JoinKey({op, insert ? BitsName(t) : std::string(ptx::Name(t))}), inst);
  }
  bool wide = Has(i, "wide");
  int result_bytes = wide ? (ptx::SizeOf(t) == 4 ? 8 : 4) : bytes;
  inst.a = operand(1, bytes);
  inst.b = operand(2, bytes);
  inst.c = operand(3, wide ? result_bytes : bytes);
  inst.dst = Destination(o[0], result_bytes);
  return EmitByKey(i, ArithmeticKey(i, t), inst);
}

bool FunctionDecoder::DecodeCompare(const ptx::Instruction& i) {
  const std::string& op = i.opcode;
  const auto& o = i.operands;
  Type t = LastType(i);
  Inst inst = Begin(i, nullptr);
  if (op == "setp") {
    size_t first = i.pair ? 2 : 1;
    if (o.size() < first + 2) return false;
    inst.dst = o[0].kind == OperandKind::kRegister ? Destination(o[0], 0) : kSinkRow;
    inst.dst2 = i.pair && o[1].kind == OperandKind::kRegister ? Destination(o[1], 0) : 0;
    inst.a = Source(o[first], CellBytes(t), t);
    inst.b = Source(o[first + 1], CellBytes(t), t);
    inst.small = Has(i, "and") ? 1 : Has(i, "or") ? 2 : Has(i, "xor") ? 3 : 0;
    if (inst.small != 0 && o.size() > first + 2) inst.c = Predicate(o[first + 2], &inst.imm);
    std::string comparison = i.modifiers.empty() ? "" : i.modifiers[0];
    std::string type = IsFloating(t) || IsSigned(t) ? ptx::Name(t) : UnsignedName(t);
    if (OneOf(comparison, {"lo", "ls", "hi", "hs"})) {
      type = UnsignedName(t);
      comparison = comparison == "lo" ? "lt" : comparison == "ls" ? "le" : comparison == "hi" ? "gt" : "ge";
    }
    return EmitByKey(i, JoinKey({"setp", comparison, Has(i, "ftz") ? "ftz" : "", type}), inst);
  }
  if (op == "set") {
    if (o.size() < 3 || i.modifiers.size() < 3) return false;
    const std::string& d = i.modifiers[i.modifiers.size() - 2];
    inst.a = Source(o[1], CellBytes(t), t);
    inst.b = Source(o[2], CellBytes(t), t);
    inst.small = Has(i, "and") ? 1 : Has(i, "or") ? 2 : Has(i, "xor") ? 3 : 0;
    if (inst.small != 0 && o.size() > 3) inst.c = Predicate(o[3], &inst.imm);
    inst.dst = Destination(o[0], 4);
    std::string type = IsFloating(t) || IsSigned(t) ? ptx::Name(t) : UnsignedName(t);
    return EmitByKey(i, JoinKey({"set", i.modifiers[0], d == "s32" ? "u32" : d, type}), inst);
  }
  if (op == "selp") {
    if (o.size() < 4) return false;
    inst.a = Source(o[1], CellBytes(t), t);
    inst.b = Source(o[2], CellBytes(t), t);
    inst.c = Predicate(o[3], &inst.imm);
    inst.dst = Destination(o[0], CellBytes(t));
    return EmitByKey(i, "selp." + BitsName(t), inst);
  }
  if (op == "slct") {
    if (o.size() < 4 || i.modifiers.size() < 2) return false;
    const std::string& first = i.modifiers[i.modifiers.size() - 2];
    Type value = ptx::TypeFromName(first.c_str(), first.size());
    inst.a = Source(o[1], CellBytes(value), value);
    inst.b = Source(o[2], CellBytes(value), value);
    inst.c = Source(o[3], 4, t);
    inst.dst = Destination(o[0], CellBytes(value));
    return EmitByKey(i, JoinKey({"slct", BitsName(value), ptx::Name(t)}), inst);
  }
  return false;
}

bool FunctionDecoder::DecodeMove(const ptx::Instruction& i) {
  const std::string& op = i.opcode;
  const auto& o = i.operands;
  Type t = LastType(i);
  if (op == "cvta") {
    if (o.size() < 2) return false;
    bool to = Has(i, "to");
    int64_t window = Has(i, "shared") || Has(i, "shared::cta")   ? static_cast<int64_t>(kSharedWindow)
                     : Has(i, "local")                           ? static_cast<int64_t>(kLocalWindow)
                     : Has(i, "param") || Has(i, "param::entry") ? static_cast<int64_t>(kParamWindow)
                                                                 : 0;
    Inst inst = Begin(i, nullptr);
    inst.imm = to ? -window : window;
    inst.a = Source(o[1], 8);
    inst.dst = Destination(o[0], 8);
    return EmitByKey(i, "window.u64", inst);
  }
  if (op == "isspacep") {
    if (o.size() < 2) return false;
    Inst inst = Begin(i, nullptr);
    inst.small = Has(i, "local") ? 0 : Has(i, "shared") || Has(i, "shared::cta") ? 1 : Has(i, "param") ? 2 : 3;
    inst.a = Source(o[1], 8);
    inst.dst = Destination(o[0], 0);
    return EmitByKey(i, "isspacep", inst);
  }
  if (op != "mov" || o.size() < 2) return false;
  Inst inst = Begin(i, nullptr);
  if (t == Type::kPred) {
    int64_t negated = 0;
    inst.a = Predicate(o[1], &negated);
    inst.dst = Destination(o[0], 0);
    return EmitByKey(i, negated != 0 ? "not.pred" : "mov.pred", inst);
  }
  if (o[1].kind == OperandKind::kVector) {  // pack
    const auto& e = o[1].elements;
    bool narrow = e.size() == 4 || ptx::SizeOf(t) == 4;
    if (e.size() != 2 && e.size() != 4) return false;
    inst.a = Source(e[0], 4);
    inst.b = Source(e[1], 4);
    if (e.size() == 4) {
      inst.c = Source(e[2], 4);
      inst.dst2 = Source(e[3], 4);
    }
    inst.dst = Destination(o[0], CellBytes(t));
    return EmitByKey(i, e.size() == 4 ? "pack4.b16" : narrow ? "pack.b16" : "pack.b32", inst);
  }
  if (o[0].kind == OperandKind::kVector) {  // unpack
    const auto& e = o[0].elements;
    uint32_t from = Source(o[1], CellBytes(t), t);
    for (size_t k = 0; k < e.size(); ++k) {
      if (e[k].kind != OperandKind::kRegister) continue;
      Inst part = Begin(i, nullptr, k == 0 ? CountClass::kPlain : CountClass::kNone);
      part.a = from;
      part.small = static_cast<uint8_t>(k);
      part.dst = Destination(e[k], 4);
      bool from64 = ptx::SizeOf(t) == 8;
      std::string key = from64 && e.size() == 2 ? (k == 0 ? "unpack.low.b32" : "unpack.high.b32")
                        : from64                ? "unpack.b16.b64"
                                                : "unpack.b16.b32";
      EmitByKey(i, key, part);
    }
    return true;
  }
  if (o[1].kind == OperandKind::kSpecial) {
    std::string name = o[1].name == "clock" && ptx::SizeOf(t) == 8 ? "clock64" : o[1].name;
    bool wide_row = name == "clock64" || name == "globaltimer";
    inst.dst = Destination(o[0], wide_row ? 8 : 4);
    inst.handler = FindHandler(("mov.%" + name).c_str());
    if (inst.handler == nullptr) {
      FailInstruction(i, fmt::format("special register %{} is not emulated", o[1].name));
      return true;
    }
    Emit(inst);
    FlushWidening(i);
    return true;
  }
  inst.a = Source(o[1], CellBytes(t), t);
  inst.dst = Destination(o[0], CellBytes(t));
  return EmitByKey(i, "mov." + BitsName(t), inst);
}

bool FunctionDecoder::DecodeConvert(const ptx::Instruction& i) {
  if (i.opcode != "cvt" || i.operands.size() < 2 || i.modifiers.size() < 2) return false;
  const std::string& to_name = i.modifiers[i.modifiers.size() - 2];
  Type to = ptx::TypeFromName(to_name.c_str(), to_name.size()), from = LastType(i);
  Inst inst = Begin(i, nullptr);
  inst.a = Source(i.operands[1], CellBytes(from), from);
  if (i.operands.size() > 2) inst.b = Source(i.operands[2], CellBytes(from), from);
  inst.dst = Destination(i.operands[0], CellBytes(to), IsSigned(to));
  std::string mods;
  bool integers = !IsFloating(to) && !IsFloating(from);
  for (const char* m : {"rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi", "ftz", "relu", "satfinite", "sat"}) {
    if (!Has(i, m)) continue;
    if (std::string_view(m) == "ftz" && (integers || (IsFloating(to) && !IsFloating(from)))) continue;
    // Converting to an integer always clamps, so .sat says nothing new there.
    if (std::string_view(m) == "sat" && IsFloating(from) && !IsFloating(to)) continue;
    mods += (mods.empty() ? "" : ".") + std::string(m);
  }
  // A conversion to the same or a wider float is exact: its rounding mode says nothing.
  if (to == Type::kF64 && from == Type::kF32) mods = Has(i, "ftz") ? "ftz" : "";
  std::string to_key = to == Type::kNone ? to_name : ptx::Name(to);
  return EmitByKey(i, JoinKey({"cvt", mods, to_key, ptx::Name(from)}), inst);
}

}  // namespace warpgrade::emulator
