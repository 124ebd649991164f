// mov in all its forms, cvta, isspacep and cvt. Both types decide which modifiers of cvt change the result; the other
// modifiers are left out of the handler's key. Tested by move_test.cc, convert_test.cc and narrow_test.cc in
// tests/emulator/exec.
#include <fmt/format.h>

#include "grader/emulator/program/decoder.h"

namespace warpgrade::emulator {
namespace {

using ptx::Operand;
using ptx::OperandKind;
using ptx::Type;

NarrowFlags NarrowFlagsOf(const ptx::Instruction& i) {
  NarrowFlags flags{};
  flags.rounding = Has(i, "rna")  ? kToNearestAway
                   : Has(i, "rp") ? kUpward
                   : Has(i, "rm") ? kDownward
                   : Has(i, "rz") ? kToZero
                                  : kToNearest;
  flags.saturate = Has(i, "sat");
  flags.relu = Has(i, "relu");
  flags.flush = Has(i, "ftz");
  flags.finite = Has(i, "satfinite");
  return flags;
}

}  // namespace

bool FunctionDecoder::DecodeAddressConversion(const ptx::Instruction& i) {
  const auto& o = i.operands;
  bool to = Has(i, "to");
  int64_t window = Has(i, "shared") || Has(i, "shared::cta") || Has(i, "shared::cluster")
                       ? static_cast<int64_t>(kSharedWindow)
                   : Has(i, "local")                           ? static_cast<int64_t>(kLocalWindow)
                   : Has(i, "param") || Has(i, "param::entry") ? static_cast<int64_t>(kParamWindow)
                                                               : 0;
  Inst inst = Begin(i, nullptr);
  inst.imm = to ? -window : window;
  inst.a = Source(o[1], 8);
  inst.dst = Destination(o[0], 8);
  return EmitByKey(i, "window.u64", inst);
}

bool FunctionDecoder::DecodeSpaceTest(const ptx::Instruction& i) {
  const auto& o = i.operands;
  Inst inst = Begin(i, nullptr);
  const bool shared = Has(i, "shared") || Has(i, "shared::cta") || Has(i, "shared::cluster");
  const bool param = Has(i, "param") || Has(i, "param::entry");
  inst.tested_space = Has(i, "local")    ? TestedSpace::kLocal
                      : shared           ? TestedSpace::kShared
                      : param            ? TestedSpace::kParam
                      : Has(i, "global") ? TestedSpace::kGlobal
                                         : TestedSpace::kConst;
  inst.a = Source(o[1], 8);
  inst.dst = Destination(o[0], 0);
  return EmitByKey(i, "isspacep", inst);
}

bool FunctionDecoder::DecodeMove(const ptx::Instruction& i) {
  const auto& o = i.operands;
  const Type t = LastType(i);
  Inst inst = Begin(i, nullptr);
  if (t == Type::kPred) {
    int64_t negated = 0;
    inst.a = Predicate(o[1], &negated);
    inst.dst = Destination(o[0], 0);
    return EmitByKey(i, negated != 0 ? "not.pred" : "mov.pred", inst);
  }
  if (t == Type::kB128) return DecodeMove128(i);
  if (o[1].kind == OperandKind::kVector) return o[0].kind != OperandKind::kVector && DecodePack(i);
  if (o[0].kind == OperandKind::kVector) return DecodeUnpack(i);
  if (o[1].kind == OperandKind::kSpecial) return DecodeMoveOfSpecial(i);
  inst.a = Source(o[1], CellBytes(t), t);
  inst.dst = Destination(o[0], CellBytes(t));
  return EmitByKey(i, "mov." + BitsName(t), inst);
}

// mov.b32 d, {a, b} and mov.b64 d, {a, b} or {a, b, c, e}.
bool FunctionDecoder::DecodePack(const ptx::Instruction& i) {
  const Type t = LastType(i);
  const auto& e = i.operands[1].elements;
  if (static_cast<size_t>(ptx::SizeOf(t)) == e.size()) return DecodePackBytes(i);
  Inst inst = Begin(i, nullptr);
  inst.a = Source(e[0], 4);
  inst.b = Source(e[1], 4);
  if (e.size() == 4) {
    inst.c = Source(e[2], 4);
    inst.d = Source(e[3], 4);
  }
  inst.dst = Destination(i.operands[0], CellBytes(t));
  return EmitByKey(i, e.size() == 4 ? "pack4.b16" : ptx::SizeOf(t) == 4 ? "pack.b16" : "pack.b32", inst);
}

// mov.b16 d, {a, b} and mov.b32 d, {a, b, c, e}, where each part is a byte: pairs of bytes, and then pairs of these.
bool FunctionDecoder::DecodePackBytes(const ptx::Instruction& i) {
  const auto& e = i.operands[1].elements;
  auto pair = [&](size_t k, CountClass count) {
    Inst inst = Begin(i, Known("prmt.b32"), count);
    inst.a = Source(e[k], 4);
    inst.b = Source(e[k + 1], 4);
    inst.c = ConstantRow(0x4040, 4);  // the low byte of a, the low byte of b, and the same again
    return inst;
  };
  Inst low = pair(0, CountClass::kPlain);
  if (e.size() == 2) {
    low.dst = Destination(i.operands[0], 4);
    return EmitByKey(i, "prmt.b32", low);
  }
  Inst high = pair(2, CountClass::kNone), both = Begin(i, nullptr, CountClass::kNone);
  low.dst = both.a = Temporary(4);
  high.dst = both.b = Temporary(4);
  Emit(low);
  Emit(high);
  both.dst = Destination(i.operands[0], 4);
  return EmitByKey(i, "pack.b16", both);
}

// The reverse. A part whose operand is _ is dropped.
bool FunctionDecoder::DecodeUnpack(const ptx::Instruction& i) {
  const Type t = LastType(i);
  const auto& e = i.operands[0].elements;
  const uint32_t from = Source(i.operands[1], CellBytes(t), t);
  for (size_t k = 0; k < e.size(); ++k) {
    if (e[k].kind != OperandKind::kRegister) continue;
    Inst part = Begin(i, nullptr, k == 0 ? CountClass::kPlain : CountClass::kNone);
    part.a = from;
    if (static_cast<size_t>(ptx::SizeOf(t)) == e.size()) {  // single bytes
      part.b = ConstantRow(8 * k, 4);
      part.c = ConstantRow(8, 4);
      part.dst = Destination(e[k], 4);
      EmitByKey(i, "bfe.u32", part);
      continue;
    }
    part.part = static_cast<uint8_t>(k);
    part.dst = Destination(e[k], 4);
    const bool from64 = ptx::SizeOf(t) == 8;
    const char* key = from64 && e.size() == 2 ? (k == 0 ? "unpack.low.b32" : "unpack.high.b32")
                      : from64                ? "unpack.b16.b64"
                                              : "unpack.b16.b32";
    EmitByKey(i, key, part);
  }
  return true;
}

bool FunctionDecoder::DecodeMoveOfSpecial(const ptx::Instruction& i) {
  const auto& o = i.operands;
  const std::string name = o[1].name == "clock" && ptx::SizeOf(LastType(i)) == 8 ? "clock64" : o[1].name;
  const bool wide_row = name == "clock64" || name == "globaltimer";
  Inst inst = Begin(i, nullptr);
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
  if (Has(i, "pack")) return DecodeConvertPack(i);
  const Type to = FirstType(i);
  Type from = LastType(i);
  Inst inst = Begin(i, nullptr);
  inst.a = Source(i.operands[1], CellBytes(from), from);
  if (from == Type::kBF16 && to != Type::kF32) {  // converts through a single, which is exact
    Inst widen = Begin(i, handlers_.Find("cvt.f32.bf16"), CountClass::kNone);
    widen.a = inst.a;
    widen.dst = inst.a = Temporary(4);
    Emit(widen);
    from = Type::kF32;
    if (to == Type::kBF16) {  // round to a whole number, which a bf16 can hold
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
    // Converting to an integer always clamps, so .sat changes nothing there.
    if (std::string_view(m) == "sat" && IsFloating(from) && !IsFloating(to)) continue;
    mods += (mods.empty() ? "" : ".") + std::string(m);
  }
  bool narrow = to == Type::kF16 || to == Type::kBF16 || to == Type::kF16x2 || to == Type::kBF16x2 || to == Type::kTF32;
  std::string plain = JoinKey({"cvt", mods, ptx::Name(to), ptx::Name(from)});
  bool whole = Has(i, "rni") || Has(i, "rzi") || Has(i, "rmi") || Has(i, "rpi");
  if (narrow && handlers_.Find(plain.c_str()) == nullptr && (!whole || to == Type::kBF16)) {
    inst.narrow = NarrowFlagsOf(i);
    return EmitByKey(i, JoinKey({"cvt.narrow", ptx::Name(to), ptx::Name(from)}), inst);
  }
  // A conversion to the same or a wider float is exact, so its rounding mode changes nothing.
  if (to == Type::kF64 && from == Type::kF32) mods = Has(i, "ftz") ? "ftz" : "";
  return EmitByKey(i, JoinKey({"cvt", mods, ptx::Name(to), ptx::Name(from)}), inst);
}

}  // namespace warpgrade::emulator
