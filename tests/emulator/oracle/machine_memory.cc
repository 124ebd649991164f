// Loads, stores, atomics, addresses, and mov between scalars and vectors.
#include <algorithm>
#include <cstring>

#include "tests/emulator/oracle/machine_state.h"

namespace warpgrade::oracle {

using ptx::Instruction;
using ptx::Operand;
using ptx::OperandKind;
using ptx::Type;

namespace {

uint64_t Read(const uint8_t* at, size_t bytes) {
  uint64_t v = 0;
  std::memcpy(&v, at, bytes);
  return v;
}

}  // namespace

bool Machine::IsPack(const Instruction& i) {
  return i.opcode == "mov" && i.operands.size() == 2 &&
         (i.operands[0].kind == OperandKind::kVector || i.operands[1].kind == OperandKind::kVector);
}

bool Machine::Memory(Thread& t, const Instruction& i) {
  const std::string& op = i.opcode;
  if (IsPack(i)) {
    Pack(t, i);
  } else if (op == "cvta") {
    ConvertAddress(t, i);
  } else if (op == "isspacep") {
    uint64_t a = Value(t, i.operands[1], Type::kB64);
    bool local = (a & kLocalWindow) != 0, shared = (a & kSharedWindow) != 0;
    Write(t, i.operands[0], Has(i, "local") ? local : Has(i, "shared") ? shared : !local && !shared);
  } else if (op == "ld" || op == "st") {
    LoadOrStore(t, i);
  } else if (op == "atom" || op == "red") {
    Atomic(t, i);
  } else if (op != "membar" && op != "fence") {
    return false;
  }
  return true;
}

void Machine::Pack(Thread& t, const Instruction& i) {
  const bool packs = i.operands[1].kind == OperandKind::kVector;
  const std::vector<Operand>& parts = i.operands[packs ? 1 : 0].elements;
  const int width = BitsOf(TypeFromEnd(i, 0)) / static_cast<int>(parts.size());
  const uint64_t low = (uint64_t{1} << width) - 1;
  uint64_t whole = packs ? 0 : Value(t, i.operands[1], Type::kB64);
  for (size_t k = 0; k < parts.size(); ++k) {
    int at = width * static_cast<int>(k);
    if (packs) {
      whole |= (Value(t, parts[k], Type::kB32) & low) << at;
    } else {
      Write(t, parts[k], whole >> at & low);
    }
  }
  if (packs) Write(t, i.operands[0], whole);
}

void Machine::ConvertAddress(Thread& t, const Instruction& i) {
  uint64_t window = Has(i, "shared") ? kSharedWindow : Has(i, "local") ? kLocalWindow : 0;
  uint64_t a = Value(t, i.operands[1], Type::kB64);
  Write(t, i.operands[0], Has(i, "to") ? a - window : a + window);
}

uint8_t* Machine::Inside(std::vector<uint8_t>& memory, uint64_t at, uint64_t bytes) {
  return at <= memory.size() && bytes <= memory.size() - at ? memory.data() + at : nullptr;
}

uint8_t* Machine::Bytes(Thread& t, const Instruction& i, const Operand& address, uint64_t bytes) {
  uint64_t a = static_cast<uint64_t>(address.offset);
  if (address.reg >= 0) {
    a += t.frames.back().registers[static_cast<size_t>(address.reg)];
  } else if (!address.name.empty() || address.variable >= 0) {
    a = SymbolAddress(t, address);
  }
  bool generic = !Has(i, "global") && !Has(i, "shared") && !Has(i, "local") && !Has(i, "param") && !Has(i, "const");
  uint8_t* found = nullptr;
  if (Has(i, "shared") || (generic && (a & kSharedWindow) != 0)) {
    found = Inside(shared_, a & ~kSharedWindow, bytes);
  } else if (Has(i, "local") || (generic && (a & kLocalWindow) != 0)) {
    found = Inside(t.local, a & ~kLocalWindow, bytes);
  } else if (Has(i, "param")) {
    const ptx::Function& f = *t.frames.back().code->function;
    bool of_kernel =
        f.is_entry && address.variable >= 0 && static_cast<size_t>(address.variable) < f.prototype.parameters.size();
    found = of_kernel ? const_cast<uint8_t*>(launch_.parameters.data()) + a : Inside(t.local, a, bytes);
  } else {
    for (Region& r : *launch_.memory) {
      if (a >= r.base && found == nullptr) found = Inside(r.bytes, a - r.base, bytes);
    }
  }
  if (found == nullptr) FailAt(i, "address " + std::to_string(a) + " is outside of every region");
  return found;
}

void Machine::LoadOrStore(Thread& t, const Instruction& i) {
  const bool load = i.opcode == "ld";
  const Type type = TypeFromEnd(i, 0);
  const size_t bytes = static_cast<size_t>(ptx::SizeOf(type));
  const Operand& data = i.operands[load ? 0 : 1];
  std::vector<Operand> cells = data.kind == OperandKind::kVector ? data.elements : std::vector<Operand>{data};
  uint8_t* at = Bytes(t, i, i.operands[load ? 1 : 0], bytes * cells.size());
  if (at == nullptr) return;
  std::vector<uint64_t> values;  // read before written: an address register may be a destination
  for (size_t k = 0; k < cells.size(); ++k) {
    values.push_back(load ? Read(at + k * bytes, bytes) : Value(t, cells[k], type));
  }
  for (size_t k = 0; k < cells.size(); ++k) {
    if (load) {
      Write(t, cells[k], static_cast<uint64_t>(Number(values[k], BitsOf(type), IsSigned(type))));
    } else {
      std::memcpy(at + k * bytes, &values[k], bytes);
    }
  }
}

void Machine::Atomic(Thread& t, const Instruction& i) {
  const bool has_result = i.opcode == "atom";
  const Type type = TypeFromEnd(i, 0);
  const size_t bytes = static_cast<size_t>(ptx::SizeOf(type)), first = has_result ? 1 : 0;
  uint8_t* at = Bytes(t, i, i.operands[first], bytes);
  if (at == nullptr) return;
  const uint64_t low = bytes == 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * bytes)) - 1;
  const uint64_t old = Read(at, bytes), b = Value(t, i.operands[first + 1], type) & low;
  const uint64_t c = i.operands.size() > first + 2 ? Value(t, i.operands[first + 2], type) & low : 0;
  const bool less = Number(old, BitsOf(type), IsSigned(type)) < Number(b, BitsOf(type), IsSigned(type));
  uint64_t next = 0;
  if (Has(i, "add")) {
    next = old + b;
  } else if (Has(i, "and")) {
    next = old & b;
  } else if (Has(i, "or")) {
    next = old | b;
  } else if (Has(i, "xor")) {
    next = old ^ b;
  } else if (Has(i, "exch")) {
    next = b;
  } else if (Has(i, "min")) {
    next = less ? old : b;
  } else if (Has(i, "max")) {
    next = less ? b : old;
  } else if (Has(i, "inc")) {
    next = old >= b ? 0 : old + 1;
  } else if (Has(i, "dec")) {
    next = old == 0 || old > b ? b : old - 1;
  } else if (Has(i, "cas")) {
    next = old == b ? c : old;
  } else {
    return FailAt(i, "the oracle does not know this operation");
  }
  std::memcpy(at, &next, bytes);
  if (has_result) Write(t, i.operands[0], old);
}

}  // namespace warpgrade::oracle
