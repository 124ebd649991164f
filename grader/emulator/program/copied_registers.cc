#include "grader/emulator/program/copied_registers.h"

#include <utility>

#include "grader/emulator/program/operand_registers.h"

namespace warpgrade::emulator {

std::vector<char> CopiedRegisters(const ptx::Function& function) {
  std::vector<char> copied(function.registers.size(), 1);
  std::vector<std::pair<size_t, size_t>> moves;  // from, to
  auto used = [&](size_t reg) { copied[reg] = 0; };
  for (const ptx::Instruction& i : function.body) {
    if (i.guard >= 0) used(static_cast<size_t>(i.guard));
    const bool store = i.Is(ptx::kStores) && !i.Has("global") && !i.Has("shared");
    const bool load = i.Is(ptx::kLoads);
    // and, or, bfi: setting a bit field keeps the other bits, written or not.
    const bool move = i.Is(ptx::kPassesBits) && !i.pair && !i.operands.empty() && i.operands[0].elements.empty() &&
                      i.operands[0].reg >= 0;
    for (size_t k = 0; k < i.operands.size(); ++k) {
      if ((store && k == 1) || ((load || move) && k == 0)) continue;
      if (move) {
        auto to = static_cast<size_t>(i.operands[0].reg);
        ForRegisters(i.operands[k], [&](size_t from) { moves.emplace_back(from, to); });
        continue;
      }
      ForRegisters(i.operands[k], used);
    }
    ForRegisters(i.callee, used);
    for (const ptx::Operand& o : i.call_arguments) ForRegisters(o, used);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (auto [from, to] : moves) {
      if (copied[from] != 0 && copied[to] == 0) {
        copied[from] = 0;
        changed = true;
      }
    }
  }
  return copied;
}

}  // namespace warpgrade::emulator
