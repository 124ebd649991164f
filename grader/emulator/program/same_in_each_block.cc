// Goes through the kernel in order and keeps on what the value of each register depends. An instruction that reads only
// constants, parameters, %tid, %ctaid and registers that were computed from these gives another such register, if no
// other instruction writes it.
// Tested by tests/emulator/exec/grid_test.cc.
#include "grader/emulator/program/same_in_each_block.h"

#include <string>

#include "grader/emulator/program/operand_registers.h"

namespace warpgrade::emulator {
namespace {

using ptx::Instruction;
using ptx::Operand;
using ptx::OperandKind;

// By register index: how many instructions may write the register. The first operand of an instruction counts as
// written, also where it is an address.
std::vector<int> WritersOf(const ptx::Function& kernel) {
  std::vector<int> writers(kernel.registers.size(), 0);
  const auto count = [&](size_t reg) { ++writers[reg]; };
  for (const Instruction& i : kernel.body) {
    for (size_t o = 0; o < i.operands.size() && o < (i.pair ? 2 : 1); ++o) ForRegisters(i.operands[o], count);
    for (const Operand& o : i.call_returns) ForRegisters(o, count);
  }
  return writers;
}

// What of the block decides the value that a warp of a given number reads.
uint8_t DependenceOf(const std::string& special) {
  if (special == "ctaid.x") return 1;
  if (special == "ctaid.y") return 2;
  if (special == "ctaid.z") return 4;
  const bool same = special.starts_with("tid.") || special.starts_with("ntid.") || special.starts_with("nctaid.") ||
                    special.starts_with("lanemask_") || special == "laneid";
  return same ? 0 : kAlways;
}

// A load of a parameter by its name, which lies inside the parameter.
bool LoadsParameter(const ptx::Function& kernel, const Instruction& i) {
  if (!i.Is(ptx::kLoads) || !i.Has("param") || i.operands.size() != 2 || !i.operands[0].elements.empty()) return false;
  const Operand& address = i.operands[1];
  if (address.kind != OperandKind::kAddress || address.reg >= 0 || address.variable < 0 || address.offset < 0) {
    return false;
  }
  const size_t parameter = static_cast<size_t>(address.variable);
  constexpr uint64_t kWidest = 8;
  const uint64_t at = static_cast<uint64_t>(address.offset), size = kernel.variables[parameter].size;
  return parameter < kernel.prototype.parameters.size() && (at == 0 ? size > 0 : at + kWidest <= size);
}

bool UsesCarry(const Instruction& i) {
  return i.Has("cc") || i.opcode == "addc" || i.opcode == "subc" || i.opcode == "madc";
}

}  // namespace

std::vector<uint8_t> BlockDependences(const ptx::Function& kernel) {
  const std::vector<int> writers = WritersOf(kernel);
  std::vector<uint8_t> depends(kernel.body.size(), kAlways), registers(kernel.registers.size(), kAlways);
  for (size_t k = 0; k < kernel.body.size(); ++k) {
    const Instruction& i = kernel.body[k];
    if (i.guard >= 0 || i.operands.empty() || UsesCarry(i)) continue;
    if (!i.Is(ptx::kPure) && !LoadsParameter(kernel, i)) continue;
    const size_t results = i.pair ? 2 : 1;
    uint8_t on = 0;
    for (size_t o = results; o < i.operands.size(); ++o) {
      if (i.operands[o].kind == OperandKind::kSpecial) on |= DependenceOf(i.operands[o].name);
      ForRegisters(i.operands[o], [&](size_t reg) { on |= registers[reg]; });
    }
    for (size_t o = 0; o < results; ++o) {
      ForRegisters(i.operands[o], [&](size_t reg) { on |= writers[reg] == 1 ? 0 : kAlways; });
    }
    depends[k] = on;
    for (size_t o = 0; o < results; ++o) ForRegisters(i.operands[o], [&](size_t reg) { registers[reg] = on; });
  }
  return depends;
}

}  // namespace warpgrade::emulator
