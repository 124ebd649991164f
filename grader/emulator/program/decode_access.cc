// Loads, stores, atomics and the hints that come with them: which space an address lies in, how wide the data is, and
// how the access takes part in synchronisation. Tested by the access tests in tests/emulator/exec and by
// tests/programs.
#include <fmt/format.h>

#include <algorithm>

#include "grader/emulator/program/copied_registers.h"
#include "grader/emulator/program/decoder.h"
#include "grader/emulator/program/register_uses.h"

namespace warpgrade::emulator {
namespace {

using ptx::Operand;
using ptx::OperandKind;
using ptx::Space;
using ptx::Type;

Space SpaceOf(const ptx::Instruction& i) {
  for (const std::string& m : i.modifiers) {
    if (m == "global") return Space::kGlobal;
    if (m == "shared" || m == "shared::cta") return Space::kShared;
    if (m == "local") return Space::kLocal;
    if (m == "const") return Space::kConst;
    if (m == "param" || m == "param::entry" || m == "param::func") return Space::kParam;
  }
  return Space::kNone;
}

int VectorOf(const ptx::Instruction& i) { return Has(i, "v2") ? 2 : Has(i, "v4") ? 4 : Has(i, "v8") ? 8 : 1; }

uint16_t OrderOf(const ptx::Instruction& i) {
  uint16_t order = 0;
  for (const std::string& m : i.modifiers) {
    if (m == "volatile") order |= kStrong | kVolatile;
    if (m == "relaxed" || m == "mmio") order |= kStrong;
    if (m == "acquire" || m == "acq_rel") order |= kStrong | kAcquire;
    if (m == "release" || m == "acq_rel") order |= kStrong | kRelease;
    if (m == "cta") order |= kBlockScope;
  }
  return order;
}

// The type of a memory cell in a handler's key. Signedness matters only if a value is extended.
std::string CellType(Type t, bool wide) {
  switch (t) {
    case Type::kB8:
    case Type::kU8:
      return "u8";
    case Type::kS8:
      return "s8";
    case Type::kB16:
    case Type::kU16:
    case Type::kF16:
    case Type::kBF16:
      return "u16";
    case Type::kS16:
      return "s16";
    case Type::kS32:
      return wide ? "s32" : "u32";
    default:
      return ptx::SizeOf(t) == 8 ? "u64" : "u32";
  }
}

// Atomic operations for which the sign does not matter are listed as unsigned.
std::string AtomicType(const std::string& op, Type t) {
  if (op == "and" || op == "or" || op == "xor" || op == "exch" || op == "cas") return BitsName(t);
  if (op == "min" || op == "max") return ptx::Name(t);
  return IsFloating(t) ? std::string(ptx::Name(t)) : UnsignedName(t);
}

}  // namespace

FunctionDecoder::Address FunctionDecoder::DecodeAddress(const Operand& o, Space space) {
  Address a;
  a.offset = o.offset;
  if (o.reg >= 0) {
    int bytes = RegisterBytes(o.reg);
    if (bytes == 8) {
      a.row = register_offset_[static_cast<size_t>(o.reg)];
    } else if (space == Space::kShared) {
      a.row = register_offset_[static_cast<size_t>(o.reg)];
      a.narrow = true;
    } else {
      Operand base;
      base.kind = OperandKind::kRegister;
      base.reg = o.reg;
      a.row = Source(base, 8, Type::kU64);
    }
    return a;
  }
  if (o.variable >= 0) {
    const ptx::Variable& v = function_.variables[static_cast<size_t>(o.variable)];
    bool formal_of_kernel =
        function_.is_entry && static_cast<size_t>(o.variable) < function_.prototype.parameters.size();
    if (formal_of_kernel) {
      a.kernel_parameter = true;
      a.offset += variable_offset_[static_cast<size_t>(o.variable)];
      return a;
    }
    a.in_local = v.space == Space::kLocal || v.space == Space::kParam;
  }
  Operand base = o;
  base.kind = OperandKind::kSymbol;
  base.offset = 0;
  a.row = o.name.empty() && o.variable < 0 ? ConstantRow(0, 8) : SymbolRow(base, 8);
  return a;
}

bool FunctionDecoder::IsOnlyCopied(const Operand& o) {
  if (copied_.empty()) copied_ = CopiedRegisters(function_);
  if (o.kind == OperandKind::kVector) {
    return std::all_of(o.elements.begin(), o.elements.end(), [this](const Operand& e) { return IsOnlyCopied(e); });
  }
  return o.reg < 0 || copied_[static_cast<size_t>(o.reg)] != 0;
}

bool FunctionDecoder::IsUnread(const Operand& o) {
  if (o.reg < 0) return o.kind == OperandKind::kSink;
  if (read_.empty()) read_ = ReadRegisters(function_);
  return read_[static_cast<size_t>(o.reg)] == 0;
}

// The part of an access's handler key that names the space, and the class that the access counts as.
FunctionDecoder::AccessPlace FunctionDecoder::PlaceOf(const ptx::Instruction& i, Space space, const Address& address,
                                                      bool load) const {
  switch (space) {
    case Space::kGlobal:
      return {".global", load ? CountClass::kGlobalLoad : CountClass::kGlobalStore};
    case Space::kConst:
      return {".global", CountClass::kConstantLoad};
    case Space::kShared:
      return {address.narrow ? ".shared.a32" : ".shared", load ? CountClass::kSharedLoad : CountClass::kSharedStore};
    case Space::kLocal:
      // Hardware keeps the param space of calls in registers, so it does not count as memory.
      return {".local", Has(i, "local") ? CountClass::kLocal : CountClass::kPlain};
    case Space::kParam:
      if (address.kernel_parameter) return {".kernelparam", CountClass::kPlain};
      if (function_.is_entry) return {"", CountClass::kParameter};
      return {".local", CountClass::kPlain};
    default:
      return {"", CountClass::kGeneric};
  }
}

bool FunctionDecoder::DecodeLoadStore(const ptx::Instruction& i, bool load) {
  Space space = SpaceOf(i);
  Type t = LastType(i);
  int vector = VectorOf(i);
  const Operand& address_operand = load ? i.operands[1] : i.operands[0];
  const Operand& data = load ? i.operands[0] : i.operands[1];
  const bool b128 = t == Type::kB128;  // two 64-bit halves
  if (b128) {
    if (vector != 1 || data.kind != OperandKind::kRegister) return false;
    t = Type::kB64;
    vector = 2;
  }
  if (vector == 8 || ptx::SizeOf(t) == 16 || ptx::SizeOf(t) == 0) return false;
  Address address = DecodeAddress(address_operand, space);
  if (address.in_local) space = Space::kLocal;
  // A register holds an offset in the kernel's parameters, as `mov` made it of the parameter's name.
  if (space == Space::kParam && function_.is_entry && !address.kernel_parameter) address.offset += kParamWindow;
  const AccessPlace place = PlaceOf(i, space, address, load);
  if (address.kernel_parameter && (!load || space != Space::kParam)) return false;
  Inst inst = Begin(i, nullptr, place.count);
  inst.a = address.row;
  inst.imm = address.offset;
  inst.vector = static_cast<uint8_t>(vector);
  inst.access = load ? AccessDirection::kLoad : AccessDirection::kStore;
  inst.order = OrderOf(i) | (load && IsOnlyCopied(data) ? kOnlyCopied : 0);
  program_.has_fences = program_.has_fences || (inst.order & kRelease) != 0;
  // A narrow value may be loaded into, or stored from, a 64-bit register.
  const Operand& sample = data.kind == OperandKind::kVector && !data.elements.empty() ? data.elements[0] : data;
  bool wide = load && ptx::SizeOf(t) < 8 && sample.kind == OperandKind::kRegister && RegisterBytes(sample.reg) == 8;
  int cell = wide ? 8 : CellBytes(t);
  auto row = [&](const Operand& e) { return load ? Destination(e, cell, IsSigned(t)) : Source(e, cell, t); };
  if (b128) {
    VectorOperand rows;
    rows.rows[0] = register_offset_[static_cast<size_t>(data.reg)];
    rows.rows[1] = rows.rows[0] + 8 * kLanes;
    inst.vectors = static_cast<uint32_t>(code_.vectors.size());
    code_.vectors.push_back(rows);
  } else if (vector == 1) {
    inst.dst = row(data.kind == OperandKind::kVector && data.elements.size() == 1 ? data.elements[0] : data);
  } else {
    if (data.kind != OperandKind::kVector || data.elements.size() != static_cast<size_t>(vector)) return false;
    VectorOperand rows;
    for (int k = 0; k < vector; ++k) rows.rows[k] = row(data.elements[static_cast<size_t>(k)]);
    inst.vectors = static_cast<uint32_t>(code_.vectors.size());
    code_.vectors.push_back(rows);
  }
  std::string key = std::string(load ? "ld" : "st") + place.prefix;
  if (vector > 1 && !address.kernel_parameter) key += vector == 2 ? ".v2" : ".v4";
  key += "." + CellType(load ? t : ptx::SizeOf(t) == 1 ? Type::kU8 : ptx::SizeOf(t) == 2 ? Type::kU16 : t, wide);
  if (wide) key += ".wide";
  return EmitByKey(i, key, inst);
}

bool FunctionDecoder::DecodeReadModifyWrite(const ptx::Instruction& i, bool has_result) {
  size_t at = has_result ? 1 : 0;
  Space space = SpaceOf(i);
  Type t = LastType(i);
  std::string op;
  for (const std::string& m : i.modifiers) {
    for (const char* known : {"add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas"}) {
      if (m == known) op = m;
    }
  }
  Address address = DecodeAddress(i.operands[at], space);
  CountClass count = space == Space::kGlobal   ? CountClass::kGlobalAtomic
                     : space == Space::kShared ? CountClass::kSharedAtomic
                                               : CountClass::kGeneric;
  Inst inst = Begin(i, nullptr, count);
  inst.access = AccessDirection::kAtomic;
  inst.order = OrderOf(i) | kStrong;
  program_.has_fences = program_.has_fences || (inst.order & kRelease) != 0;
  inst.a = address.row;
  inst.imm = address.offset;
  std::string prefix = space == Space::kGlobal   ? "atom.global"
                       : space == Space::kShared ? (address.narrow ? "atom.shared.a32" : "atom.shared")
                                                 : "atom";
  const std::string key = JoinKey({prefix, op, AtomicType(op, t)});
  if (VectorOf(i) != 1) {  // each element is atomic by itself
    const Operand& values = i.operands[at + 1];
    const size_t count = static_cast<size_t>(VectorOf(i));
    if (values.elements.size() != count || (has_result && i.operands[0].elements.size() != count)) return false;
    std::vector<Inst> elements(count, inst);
    for (size_t k = 0; k < count; ++k) {
      elements[k].imm += static_cast<int64_t>(k) * ptx::SizeOf(t);
      elements[k].b = Source(values.elements[k], CellBytes(t), t);
      if (has_result) elements[k].order |= kOldValue;
      elements[k].dst = has_result ? Destination(i.operands[0].elements[k], CellBytes(t)) : kSinkRow;
      if (k > 0) elements[k].count_class = CountClass::kNone;
    }
    for (const Inst& e : elements) EmitByKey(i, key, e);
    return true;
  }
  const bool uses_old_value = has_result && !IsUnread(i.operands[0]);
  if (uses_old_value) inst.order |= kOldValue;
  if (op == "exch" && has_result && !uses_old_value) inst.order |= kOverwrites;
  if (op == "cas") inst.order |= kCompares;
  if (op == "cas") swapped_.emplace_back(inst.a, inst.imm);
  inst.b = Source(i.operands[at + 1], CellBytes(t), t);
  inst.c = i.operands.size() > at + 2 ? Source(i.operands[at + 2], CellBytes(t), t) : kSinkRow;
  inst.dst = has_result ? Destination(i.operands[0], CellBytes(t)) : kSinkRow;
  return EmitByKey(i, key, inst);
}

// The loop of the programming guide: a plain read of the old value, then compare-and-swap until no other thread came in
// between. The read may return any value, because the swap decides. So it counts as an atomic read.
void FunctionDecoder::MarkReadsOfSwappedWords() {
  for (Inst& inst : code_.code) {
    const bool load = inst.count_class == CountClass::kGlobalLoad || inst.count_class == CountClass::kSharedLoad ||
                      (inst.count_class == CountClass::kGeneric && inst.access == AccessDirection::kLoad);
    if (!load || inst.vector != 1) continue;
    if (std::find(swapped_.begin(), swapped_.end(), std::pair{inst.a, inst.imm}) != swapped_.end()) {
      inst.order |= kStrong;
    }
  }
}

// A strong load whose value decides a branch watches a flag, and so does every other load of the same word.
void FunctionDecoder::MarkWatchedFlags() {
  const auto strong_load = [&](const Inst& inst) {
    const ptx::Instruction* i = program_.origins[inst.index].instruction;
    return (inst.order & kStrong) != 0 && i != nullptr && i->Is(ptx::kLoads);
  };
  if (std::none_of(code_.code.begin(), code_.code.end(), strong_load)) return;
  const std::vector<char> decides = DecidingRegisters(function_);
  std::vector<std::pair<uint32_t, int64_t>> watched;
  for (const Inst& inst : code_.code) {
    if (!strong_load(inst)) continue;
    const Operand& data = program_.origins[inst.index].instruction->operands[0];
    bool watches = data.reg >= 0 && decides[static_cast<size_t>(data.reg)] != 0;
    for (const Operand& e : data.elements)
      watches = watches || (e.reg >= 0 && decides[static_cast<size_t>(e.reg)] != 0);
    if (watches) watched.emplace_back(inst.a, inst.imm);
  }
  for (Inst& inst : code_.code) {
    const bool same = std::find(watched.begin(), watched.end(), std::pair{inst.a, inst.imm}) != watched.end();
    if (same && strong_load(inst)) inst.order |= kDecides;
  }
  program_.watches_flags = program_.watches_flags || !watched.empty();
}

bool FunctionDecoder::DecodeFence(const ptx::Instruction& i) {
  if (Has(i, "proxy") || Has(i, "mbarrier_init")) return DecodeNothing(i);
  Inst inst = Begin(i, Known("fence"));
  inst.fence = Has(i, "cta") ? kBlockFence : kDeviceFence;
  program_.has_fences = true;
  Emit(inst);
  return true;
}

// Instructions that only help caches, the scheduler or tools.
bool FunctionDecoder::DecodeNothing(const ptx::Instruction& i) {
  Emit(Begin(i, Known("nothing")));
  return true;
}

}  // namespace warpgrade::emulator
