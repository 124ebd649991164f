#include "grader/emulator/program/register_uses.h"

#include "grader/emulator/program/operand_registers.h"

namespace warpgrade::emulator {

std::vector<char> DecidingRegisters(const ptx::Function& function) {
  std::vector<char> decides(function.registers.size(), 0);
  bool changed = false;
  const auto mark = [&](size_t reg) {
    changed = changed || decides[reg] == 0;
    decides[reg] = 1;
  };
  for (const ptx::Instruction& i : function.body) {
    if (i.guard >= 0) mark(static_cast<size_t>(i.guard));
    if (i.Is(ptx::kBranchesByIndex) && !i.operands.empty()) ForRegisters(i.operands[0], mark);
  }
  while (changed) {
    changed = false;
    for (size_t k = function.body.size(); k-- > 0;) {
      const ptx::Instruction& i = function.body[k];
      if (i.Is(ptx::kReads)) continue;  // its address is no value
      bool wanted = false;
      const size_t destinations = Destinations(i);
      for (size_t o = 0; o < destinations && o < i.operands.size(); ++o) {
        ForRegisters(i.operands[o], [&](size_t reg) { wanted = wanted || decides[reg] != 0; });
      }
      for (size_t o = destinations; wanted && o < i.operands.size(); ++o) ForRegisters(i.operands[o], mark);
    }
  }
  return decides;
}

std::vector<char> ReadRegisters(const ptx::Function& function) {
  std::vector<char> read(function.registers.size(), 0);
  const auto mark = [&](size_t reg) { read[reg] = 1; };
  for (const ptx::Instruction& i : function.body) {
    if (i.guard >= 0) mark(static_cast<size_t>(i.guard));
    for (size_t o = Destinations(i); o < i.operands.size(); ++o) ForRegisters(i.operands[o], mark);
    ForRegisters(i.callee, mark);
    for (const ptx::Operand& o : i.call_arguments) ForRegisters(o, mark);
  }
  return read;
}

}  // namespace warpgrade::emulator
