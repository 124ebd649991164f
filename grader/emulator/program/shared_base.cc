// Goes back from the registers of the address to what they are computed from. A value that is read from memory or that
// a function returns ends the search: it is an index, or a pointer of unknown origin. Loops change registers that stand
// above them, so the search goes through the function from its end several times. Tested by
// tests/emulator/exec/shared_access_test.cc.
#include "grader/emulator/program/shared_base.h"

#include <algorithm>
#include <string>
#include <vector>

#include "grader/emulator/program/operand_registers.h"

namespace warpgrade::emulator {
namespace {

using ptx::Instruction;
using ptx::Operand;
using ptx::OperandKind;

constexpr int kMostSweeps = 8;  // a chain of registers through more loops than that is no index of a student

class BaseSearch {
 public:
  BaseSearch(const Program& program, int32_t function)
      : program_(program),
        function_(function),
        body_(program.functions[static_cast<size_t>(function)].function->body),
        wanted_(program.functions[static_cast<size_t>(function)].function->registers.size(), 0) {}

  const Program::SharedVariable* From(const Instruction& access) {
    for (const Operand& o : access.operands) {
      if (o.kind == OperandKind::kAddress) Take(o);
    }
    for (int round = 0; round < kMostSweeps && grown_ && !several_; ++round) {
      grown_ = false;
      for (size_t k = body_.size(); k-- > 0 && !several_;) Visit(body_[k]);
    }
    return several_ ? nullptr : found_;
  }

 private:
  void Take(const Operand& o) {
    ForRegisters(o, [&](int32_t r) {
      grown_ = grown_ || wanted_[static_cast<size_t>(r)] == 0;
      wanted_[static_cast<size_t>(r)] = 1;
    });
    if (o.kind != OperandKind::kSymbol && o.kind != OperandKind::kAddress) return;
    const std::string name = o.variable < 0 ? o.name : std::to_string(function_) + ":" + std::to_string(o.variable);
    const auto& all = program_.shared_variables;
    const auto at = std::find_if(all.begin(), all.end(), [&](const auto& v) { return v.name == name; });
    if (at == all.end()) return;
    several_ = several_ || (found_ != nullptr && found_ != &*at);
    found_ = &*at;
  }

  void Visit(const Instruction& i) {
    const bool moves_bits = i.opcode == "shf" || i.opcode == "prmt";
    if (i.opcode == "setp" || !(i.Is(ptx::kPure) || moves_bits)) return;
    bool writes = false;
    const size_t destinations = Destinations(i);
    for (size_t o = 0; o < destinations && o < i.operands.size(); ++o) {
      ForRegisters(i.operands[o], [&](int32_t r) { writes = writes || wanted_[static_cast<size_t>(r)] != 0; });
    }
    for (size_t o = destinations; writes && o < i.operands.size(); ++o) Take(i.operands[o]);
  }

  const Program& program_;
  const int32_t function_;
  const std::vector<Instruction>& body_;
  std::vector<char> wanted_;  // by register
  bool grown_ = false, several_ = false;
  const Program::SharedVariable* found_ = nullptr;
};

}  // namespace

const Program::SharedVariable* SharedArrayOf(const Program& program, uint32_t inst) {
  const InstOrigin& origin = program.origins[inst];
  const ptx::Function* function = program.functions[static_cast<size_t>(origin.function)].function;
  if (origin.instruction == nullptr || function == nullptr || function->body.size() > kMostSearchedInstructions) {
    return nullptr;
  }
  return BaseSearch(program, origin.function).From(*origin.instruction);
}

}  // namespace warpgrade::emulator
