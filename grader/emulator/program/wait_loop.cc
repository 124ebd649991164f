// A loop only waits if its body is one basic block whose instructions all have a trait that allows it (opcodes.def), if
// one of them polls memory, and if no register carries a value from one iteration to the next. Tested by
// tests/emulator/exec/schedule_test.cc.
#include "grader/emulator/program/wait_loop.h"

#include <algorithm>

#include "grader/emulator/program/operand_registers.h"

namespace warpgrade::emulator {
namespace {

using ptx::Instruction;
using ptx::Operand;
using ptx::OperandKind;

constexpr size_t kLongestBody = 24;  // instructions

bool IsPure(const Instruction& i) {
  // Clocks and similar registers change by themselves.
  return i.Is(ptx::kPure) && std::none_of(i.operands.begin(), i.operands.end(),
                                          [](const Operand& o) { return o.kind == OperandKind::kSpecial; });
}

bool Swaps(const Instruction& i) { return i.Is(ptx::kAtomic) && (i.Has("cas") || i.Has("exch")); }

// True for an atomic that does not change memory while the loop waits: a failed compare-and-swap, an exchange on a lock
// that is taken, or adding 0.
bool IsHarmlessAtomic(const Instruction& i, WaitLoopFlags* flags) {
  if (Swaps(i)) {
    flags->takes_lock = 1;
    return true;
  }
  bool keeps_by_zero = i.Has("add") || i.Has("or") || i.Has("xor");
  return i.Is(ptx::kAtomic) && keeps_by_zero && i.operands.size() == 3 &&
         i.operands[2].kind == OperandKind::kImmediate && i.operands[2].bits == 0;
}

bool IsPollingLoad(const Instruction& i) {
  return i.Is(ptx::kLoads) && (i.Has("volatile") || i.Has("acquire") || i.Has("relaxed") || i.Has("mmio"));
}

// How many operands an instruction of such a loop writes; they come first.
size_t DestinationsInLoop(const Instruction& i) {
  if (i.Is(ptx::kSleeps | ptx::kFences)) return 0;
  return i.pair ? 2 : 1;
}

// True if the loop reads a register before it writes it in the same iteration, so that the previous iteration matters.
bool CarriesRegisters(const ptx::Function& f, size_t first, size_t branch) {
  std::vector<int32_t> written, read_early;
  for (size_t k = first; k <= branch; ++k) {
    const Instruction& i = f.body[k];
    const size_t destinations = k == branch ? 0 : DestinationsInLoop(i);
    auto read = [&](int32_t r) {
      if (std::find(written.begin(), written.end(), r) == written.end()) read_early.push_back(r);
    };
    if (i.guard >= 0) read(i.guard);
    for (size_t o = destinations; o < i.operands.size(); ++o) ForRegisters(i.operands[o], read);
    for (size_t o = 0; o < destinations && o < i.operands.size(); ++o) {
      ForRegisters(i.operands[o], [&](int32_t r) { written.push_back(r); });
    }
  }
  return std::any_of(read_early.begin(), read_early.end(),
                     [&](int32_t r) { return std::find(written.begin(), written.end(), r) != written.end(); });
}

}  // namespace

bool SpinsOn(const Instruction& i) { return i.Is(ptx::kSleeps) || Swaps(i) || IsPollingLoad(i); }

WaitLoopShape FindWaitLoop(const ptx::Function& function, size_t branch, const std::vector<char>& labelled) {
  const Instruction& bra = function.body[branch];
  if (!bra.Is(ptx::kBranches) || bra.guard < 0 || bra.operands.empty() || bra.operands[0].target < 0) return {};
  const size_t first = static_cast<size_t>(bra.operands[0].target);
  if (first >= branch || branch - first > kLongestBody) return {};
  WaitLoopShape shape;
  bool polls = false;
  for (size_t k = first; k < branch; ++k) {
    const Instruction& i = function.body[k];
    if (i.guard >= 0 || (k > first && labelled[k])) return {};
    if (IsHarmlessAtomic(i, &shape.flags) || IsPollingLoad(i)) {
      polls = true;
    } else if (i.Is(ptx::kVotes)) {
      shape.flags.is_collective = 1;
    } else if (!i.Is(ptx::kLoads | ptx::kSleeps | ptx::kFences) && !IsPure(i)) {
      return {};
    }
  }
  shape.waits = polls && !labelled[branch] && !CarriesRegisters(function, first, branch);
  return shape;
}

}  // namespace warpgrade::emulator
