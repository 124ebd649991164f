// The registers in the operands of an instruction, for what looks at a kernel before it runs.
#pragma once

#include <cstddef>

#include "grader/emulator/ptx/module.h"

namespace warpgrade::emulator {

// Calls f(register) for the operand's register, or for each of a vector's. They are indices of Function::registers.
template <typename F>
void ForRegisters(const ptx::Operand& o, F f) {
  if (o.reg >= 0) f(o.reg);
  for (const ptx::Operand& e : o.elements) ForRegisters(e, f);
}

// How many operands the instruction writes; they come first.
inline size_t Destinations(const ptx::Instruction& i) {
  if (i.Is(ptx::kStores | ptx::kSleeps | ptx::kFences | ptx::kBranches | ptx::kBranchesByIndex | ptx::kEndsFunction) ||
      i.opcode == "red" || i.opcode == "bar" || i.opcode == "barrier") {
    return 0;
  }
  return i.pair ? 2 : 1;
}

}  // namespace warpgrade::emulator
