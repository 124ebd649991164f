// Handler keys and operands of arithmetic, comparison, move and conversion instructions.
#include <fmt/format.h>

#include <algorithm>

#include "grader/emulator/program/decoder.h"

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

bool IsHalf(Type t) { return t == Type::kF16 || t == Type::kF16x2 || t == Type::kBF16 || t == Type::kBF16x2; }

// The modifiers of half arithmetic, as handlers/half.cc takes them.
uint8_t HalfModifiers(const ptx::Instruction& i) {
  int bits = 0;
  for (const auto& [name, bit] : {std::pair{"sat", 1}, {"ftz", 2}, {"relu", 4}, {"NaN", 8}, {"xorsign", 16}}) {
    if (Has(i, name)) bits |= bit;
  }
  return static_cast<uint8_t>(bits);
}

// The order is that of Compare in handlers/compare.cc. -1: no comparison.
int ComparisonNumber(std::string_view name) {
  static constexpr std::string_view kComparisons[] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                                                      "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
  auto at = std::find(std::begin(kComparisons), std::end(kComparisons), name);
  return at == std::end(kComparisons) ? -1 : static_cast<int>(at - std::begin(kComparisons));
}

// What set writes where the comparison holds, by the destination's type.
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

// Signedness does not change these, so one unsigned handler serves.
bool Signless(const std::string& opcode) { return OneOf(opcode, {"add", "sub", "addc", "subc", "mad", "madc", "mul"}); }

// A modifier that nobody here knows may change the result: such an instruction is refused, not guessed at.
bool KnownModifiers(const ptx::Instruction& i) {
  static constexpr std::string_view kKnown[] = {
      "rn",     "rz",       "rm",     "rp",         "approx", "full",      "ftz", "relu", "NaN",
      "sat",    "xorsign",  "abs",    "lo",         "hi",     "wide",      "cc",  "l",    "r",
      "wrap",   "shiftamt", "clamp",  "f4e",        "b4e",    "rc8",       "ecl", "ecr",  "rc16",
      "finite", "infinite", "number", "notanumber", "normal", "subnormal", "or",  "and"};
  for (const std::string& m : i.modifiers) {
    if (ptx::TypeFromName(m.c_str(), m.size()) != Type::kNone) continue;
    if (std::find(std::begin(kKnown), std::end(kKnown), m) == std::end(kKnown)) return false;
  }
  return true;
}

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
    bool two_operands = OneOf(opcode, {"add", "sub", "mul", "min", "max", "fma"});
    if (IsHalf(t) && two_operands && HalfModifiers(i) != 0 && mods != "relu") mods = "modified";
    // Directed rounding takes .sat as a flag; so does the rare .xorsign.abs.
    if (Has(i, "rz") || Has(i, "rm") || Has(i, "rp")) {
      if (size_t at = mods.find(".sat"); at != std::string::npos) mods.erase(at, 4);
    }
    if (Has(i, "xorsign") && t == Type::kF32) mods = "xorsign";
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
  if (i.operands.empty() || !KnownModifiers(i)) return false;
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
        flip.handler = handlers_.Find("not.pred");
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
  if (op == "lop3") return DecodeLop3(i);
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
  if (IsHalf(t) || (t == Type::kF32 && Has(i, "xorsign"))) inst.small = HalfModifiers(i);
  if ((t == Type::kF32 || t == Type::kF64) && Has(i, "sat")) inst.small = 1;
  bool wide = Has(i, "wide");
  int result_bytes = wide ? (ptx::SizeOf(t) == 4 ? 8 : 4) : bytes;
  inst.a = operand(1, bytes);
  inst.b = operand(2, bytes);
  inst.c = operand(3, wide ? result_bytes : bytes);
  inst.dst = Destination(o[0], result_bytes);
  return EmitByKey(i, ArithmeticKey(i, t), inst);
}

// lop3.b32 d, a, b, c, lut; lop3.{or,and}.b32 d|p, a, b, c, lut, q: p = (d != 0) or/and q.
bool FunctionDecoder::DecodeLop3(const ptx::Instruction& i) {
  const auto& o = i.operands;
  const bool predicate = Has(i, "or") || Has(i, "and");
  const size_t first = predicate ? 2 : 1;
  if (o.size() < first + 4 || (predicate && (!i.pair || o.size() < 7))) return false;
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
  test.small = Has(i, "and") ? 1 : 2;
  test.c = Predicate(o[6], &test.imm);
  test.dst = Destination(o[1], 0);
  EmitByKey(i, "lop3.b32", inst);
  Emit(test);
  return true;
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
    if (t == Type::kBF16 || t == Type::kF16x2 || t == Type::kBF16x2) {
      if (ComparisonNumber(comparison) < 0) return false;
      inst.imm2 = ComparisonNumber(comparison) | (Has(i, "ftz") ? 256 : 0) | (inst.imm == 1 ? 512 : 0);
      return EmitByKey(i, JoinKey({"setp", ptx::Name(t)}), inst);
    }
    return EmitByKey(i, JoinKey({"setp", comparison, Has(i, "ftz") ? "ftz" : "", type}), inst);
  }
  if (op == "set") {
    if (o.size() < 3 || i.modifiers.size() < 3) return false;
    const std::string& d_name = i.modifiers[i.modifiers.size() - 2];
    Type d = ptx::TypeFromName(d_name.c_str(), d_name.size());
    std::string comparison = i.modifiers[0];
    bool old_name = OneOf(comparison, {"lo", "ls", "hi", "hs"});
    if (old_name) comparison = comparison == "lo" ? "lt" : comparison == "ls" ? "le" : comparison == "hi" ? "gt" : "ge";
    if (ComparisonNumber(comparison) < 0 || d == Type::kNone) return false;
    inst.a = Source(o[1], CellBytes(t), t);
    inst.b = Source(o[2], CellBytes(t), t);
    inst.small = Has(i, "and") ? 1 : Has(i, "or") ? 2 : Has(i, "xor") ? 3 : 0;
    int64_t negated = 0;
    if (inst.small != 0 && o.size() > 3) inst.c = Predicate(o[3], &negated);
    inst.imm2 = ComparisonNumber(comparison) | (Has(i, "ftz") ? 256 : 0) | (negated != 0 ? 512 : 0);
    inst.imm = TrueValue(d, t == Type::kF16x2 || t == Type::kBF16x2);
    inst.dst = Destination(o[0], 4);
    std::string type = !old_name && (IsFloating(t) || IsSigned(t)) ? ptx::Name(t) : UnsignedName(t);
    return EmitByKey(i, JoinKey({"set", type}), inst);
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
    if (Has(i, "ftz")) inst.small = 1;
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
    const bool shared = Has(i, "shared") || Has(i, "shared::cta") || Has(i, "shared::cluster");
    const bool param = Has(i, "param") || Has(i, "param::entry");
    inst.small = Has(i, "local") ? 0 : shared ? 1 : param ? 2 : Has(i, "global") ? 3 : 4;
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
  if (t == Type::kB128) return DecodeMove128(i);
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
    inst.handler = SpecialRegister(name);
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

// mov.b128: two moves of 64 bits, between registers or to and from {low, high}.
bool FunctionDecoder::DecodeMove128(const ptx::Instruction& i) {
  const auto& o = i.operands;
  for (const Operand* side : {&o[0], &o[1]}) {
    const bool whole = side->kind == OperandKind::kRegister && side->reg >= 0 &&
                       function_.registers[static_cast<size_t>(side->reg)].type == Type::kB128;
    if (!whole && !(side->kind == OperandKind::kVector && side->elements.size() == 2)) return false;
  }
  auto half = [&](const Operand& side, size_t k, bool destination) {
    if (side.kind == OperandKind::kRegister) {
      return register_offset_[static_cast<size_t>(side.reg)] + static_cast<uint32_t>(size_t{8} * kLanes * k);
    }
    return destination ? Destination(side.elements[k], 8) : Source(side.elements[k], 8, Type::kB64);
  };
  Inst parts[2] = {Begin(i, nullptr), Begin(i, nullptr, CountClass::kNone)};
  for (size_t k = 0; k < 2; ++k) {
    parts[k].a = half(o[1], k, false);
    parts[k].dst = half(o[0], k, true);
  }
  for (const Inst& part : parts) EmitByKey(i, "mov.b64", part);
  return true;
}

bool FunctionDecoder::DecodeConvert(const ptx::Instruction& i) {
  if (i.opcode != "cvt" || i.operands.size() < 2 || i.modifiers.size() < 2) return false;
  const std::string& to_name = i.modifiers[i.modifiers.size() - 2];
  Type to = ptx::TypeFromName(to_name.c_str(), to_name.size()), from = LastType(i);
  Inst inst = Begin(i, nullptr);
  if (Has(i, "pack")) return DecodeConvertPack(i);
  inst.a = Source(i.operands[1], CellBytes(from), from);
  if (from == Type::kBF16 && to != Type::kF32) {  // through a single, which is exact
    Inst widen = Begin(i, handlers_.Find("cvt.f32.bf16"), CountClass::kNone);
    widen.a = inst.a;
    widen.dst = inst.a = Temporary(4);
    Emit(widen);
    from = Type::kF32;
    if (to == Type::kBF16) {  // rounds to a whole number, which a bf16 holds
      Inst round = Begin(i, nullptr, CountClass::kNone);
      for (const char* m : {"rni", "rzi", "rmi", "rpi"}) {
        if (Has(i, m)) round.handler = handlers_.Find(JoinKey({"cvt", m, "f32", "f32"}).c_str());
      }
      round.a = inst.a;
      round.dst = inst.a = Temporary(4);
      if (round.handler != nullptr) Emit(round);
    }
  }
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
  bool narrow = to == Type::kF16 || to == Type::kBF16 || to == Type::kF16x2 || to == Type::kBF16x2 || to == Type::kTF32;
  std::string plain = JoinKey({"cvt", mods, to == Type::kNone ? to_name : ptx::Name(to), ptx::Name(from)});
  bool whole = Has(i, "rni") || Has(i, "rzi") || Has(i, "rmi") || Has(i, "rpi");
  if (narrow && handlers_.Find(plain.c_str()) == nullptr && (!whole || to == Type::kBF16)) {
    int modifiers = Has(i, "rna") ? 4 : Has(i, "rp") ? 3 : Has(i, "rm") ? 2 : Has(i, "rz") ? 1 : 0;
    modifiers |=
        (Has(i, "sat") ? 8 : 0) | (Has(i, "relu") ? 16 : 0) | (Has(i, "ftz") ? 32 : 0) | (Has(i, "satfinite") ? 64 : 0);
    inst.small = static_cast<uint8_t>(modifiers);
    return EmitByKey(i, JoinKey({"cvt.narrow", ptx::Name(to), ptx::Name(from)}), inst);
  }
  // A conversion to the same or a wider float is exact: its rounding mode says nothing.
  if (to == Type::kF64 && from == Type::kF32) mods = Has(i, "ftz") ? "ftz" : "";
  std::string to_key = to == Type::kNone ? to_name : ptx::Name(to);
  return EmitByKey(i, JoinKey({"cvt", mods, to_key, ptx::Name(from)}), inst);
}

}  // namespace warpgrade::emulator
