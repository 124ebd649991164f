// For each register of a function: which instructions write it, and from which registers. From the value of a store the
// walk goes back through these until it meets loads and shuffles. Registers of nvcc's code are written once or at the
// end of a loop, so the walk need not know the order. Tested by tests/emulator/exec/steps_test.cc.
#include "grader/emulator/recorders/value_flow.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace warpgrade::emulator {
namespace {

using ptx::Instruction;
using ptx::Operand;
using ptx::OperandKind;
using ptx::Type;

constexpr size_t kMostVisits = size_t{1} << 23;  // of registers, for one kernel

// What one instruction does with registers.
struct Moves {
  std::vector<size_t> to, from;
  bool is_leaf = false;      // its result is a value that was recorded
  bool is_sink = false;      // `from` is a value that is recorded
  bool loads_local = false;  // this and the next: through local memory
  bool stores_local = false;
};

void AddRegisters(const Operand& operand, std::vector<size_t>* to) {
  if (operand.kind == OperandKind::kRegister && operand.reg >= 0) to->push_back(static_cast<size_t>(operand.reg));
  for (const Operand& element : operand.elements) AddRegisters(element, to);
}

void AddRegisters(const Instruction& inst, size_t first, size_t end, std::vector<size_t>* to) {
  for (size_t i = first; i < std::min(end, inst.operands.size()); ++i) AddRegisters(inst.operands[i], to);
}

Moves MovesOf(const Instruction& inst) {
  constexpr size_t kAll = ~size_t{0};
  Moves moves;
  const std::string_view opcode = inst.opcode;
  if (opcode == "st") {
    AddRegisters(inst, 1, kAll, &moves.from);
    moves.stores_local = inst.Has("local");
    moves.is_sink = !moves.stores_local && !inst.Has("param");
  } else if (opcode == "ld") {
    AddRegisters(inst, 0, 1, &moves.to);
    moves.loads_local = inst.Has("local");
    moves.is_leaf = !moves.loads_local && !inst.Has("param");
  } else if (opcode == "atom" || opcode == "red") {
    const size_t address = opcode == "atom" ? 1 : 0;
    AddRegisters(inst, 0, address, &moves.to);
    AddRegisters(inst, address + 1, kAll, &moves.from);
    moves.is_leaf = moves.is_sink = true;
  } else if (opcode == "shfl") {
    const size_t value = inst.pair ? 2 : 1;
    AddRegisters(inst, 0, 1, &moves.to);
    AddRegisters(inst, value, value + 1, &moves.from);
    moves.is_leaf = moves.is_sink = true;
  } else {
    const size_t results = inst.pair ? 2 : 1;
    AddRegisters(inst, 0, results, &moves.to);
    AddRegisters(inst, results, kAll, &moves.from);
  }
  return moves;
}

bool IsFloat(Type type) {
  return type == Type::kF16 || type == Type::kBF16 || type == Type::kF32 || type == Type::kF64;
}
bool IsSigned(Type type) { return type == Type::kS8 || type == Type::kS16 || type == Type::kS32 || type == Type::kS64; }
bool IsUnsigned(Type type) {
  return type == Type::kU8 || type == Type::kU16 || type == Type::kU32 || type == Type::kU64;
}
int Rank(Type type) { return IsFloat(type) ? 3 : IsSigned(type) ? 2 : IsUnsigned(type) ? 1 : 0; }

Type LastType(const Instruction& inst) {
  Type last = Type::kNone;
  for (const std::string& modifier : inst.modifiers) {
    const Type type = ptx::TypeFromName(modifier.data(), modifier.size());
    if (type != Type::kNone) last = type;
  }
  return last;
}

class FlowOfFunction {
 public:
  FlowOfFunction(const ptx::Function& function, size_t* visits)
      : function_(function),
        local_(function.registers.size()),
        writers_(local_ + 1),
        users_(local_ + 1),
        seen_(local_ + 1),
        visits_(visits) {
    moves_.reserve(function.body.size());
    for (const Instruction& inst : function.body) {
      const Moves& moves = moves_.emplace_back(MovesOf(inst));
      const size_t index = moves_.size() - 1;
      for (const size_t reg : moves.to) writers_[reg].push_back(index);
      for (const std::vector<size_t>* registers : {&moves.to, &moves.from}) {
        for (const size_t reg : *registers) users_[reg].push_back(index);
      }
      if (moves.stores_local) writers_[local_].push_back(index);
    }
  }

  const std::vector<Moves>& moves() const { return moves_; }

  // The instructions whose recorded values reach the value that instruction `sink` stores, and whether they add up.
  std::map<size_t, bool> SourcesOf(size_t sink) {
    std::map<size_t, bool> found;
    for (const bool through_loop : {false, true}) {
      // First without, then from the registers that add up.
      std::vector<size_t> from = through_loop ? std::move(loops_) : moves_[sink].from;
      loops_.clear();
      GoBack(from, through_loop, &found);
    }
    if (*visits_ >= kMostVisits) found.clear();
    return found;
  }

  // The type of the value of an access, by what else is done with its register.
  Type TypeOf(size_t access) {
    const Instruction& inst = function_.body[access];
    Type best = inst.opcode == "shfl" ? Type::kB32 : LastType(inst);
    if (IsFloat(best)) return best;
    const int bytes = ptx::SizeOf(best);
    const Moves& moves = moves_[access];
    Begin(moves.is_sink ? moves.from : moves.to);
    int rank = 0;  // of what the code says; the type of an access alone says little: nvcc has u32 for an int
    while (!open_.empty() && *visits_ < kMostVisits) {
      const size_t reg = Next();
      Consider(function_.registers[reg].type, bytes, &best, &rank);
      for (const size_t user : users_[reg]) {
        const std::string_view opcode = function_.body[user].opcode;
        if (opcode == "mov" || opcode == "selp" || opcode == "shfl") {
          for (const std::vector<size_t>* registers : {&moves_[user].to, &moves_[user].from}) {
            for (const size_t other : *registers) Visit(other);
          }
        } else if (opcode != "cvt" && opcode != "ld" && opcode != "st" && !function_.body[user].Has("wide")) {
          Consider(LastType(function_.body[user]), bytes, &best, &rank);
        }
      }
    }
    return best;
  }

 private:
  // Adds what reaches the registers `from`. Registers that add up are added to loops_, but not if `adds_up` already.
  void GoBack(const std::vector<size_t>& from, bool adds_up, std::map<size_t, bool>* found) {
    Begin(from);
    while (!open_.empty() && *visits_ < kMostVisits) {
      const size_t reg = Next();
      if (!adds_up && AddsUp(reg)) loops_.push_back(reg);
      for (const size_t writer : writers_[reg]) {
        if (moves_[writer].is_leaf) {
          (*found)[writer] |= adds_up;
        } else {
          VisitSources(writer);
        }
      }
    }
  }

  void VisitSources(size_t writer) {
    if (moves_[writer].loads_local) Visit(local_);
    for (const size_t reg : moves_[writer].from) {
      if (reg == local_ || function_.registers[reg].type != Type::kPred) Visit(reg);
    }
  }

  // Whether the value of a register is computed from its own earlier value. Such a register of nvcc's code is written
  // before the loop and in it.
  bool AddsUp(size_t reg) {
    if (reg == local_ || writers_[reg].size() < 2) return false;
    const auto [known, added] = adds_up_.try_emplace(reg, false);
    if (!added) return known->second;
    std::vector<uint32_t> seen(seen_.size());
    std::vector<size_t> open = {reg};
    while (!open.empty() && *visits_ < kMostVisits) {
      const size_t next = open.back();
      open.pop_back();
      for (const size_t writer : writers_[next]) {
        if (moves_[writer].is_leaf) continue;
        for (const size_t from : moves_[writer].from) {
          ++*visits_;
          if (from == reg) return known->second = true;
          if (std::exchange(seen[from], 1) == 0) open.push_back(from);
        }
      }
    }
    return false;
  }

  static void Consider(Type type, int bytes, Type* best, int* rank) {
    if (ptx::SizeOf(type) != bytes || Rank(type) <= *rank) return;
    *best = type;
    *rank = Rank(type);
  }
  void Begin(const std::vector<size_t>& from) {
    ++round_;
    open_.clear();
    for (const size_t reg : from) Visit(reg);
  }
  void Visit(size_t reg) {
    if (seen_[reg] == round_) return;
    seen_[reg] = round_;
    open_.push_back(reg);
  }
  size_t Next() {
    const size_t reg = open_.back();
    open_.pop_back();
    *visits_ += 1 + writers_[reg].size() + users_[reg].size();
    return reg;
  }

  const ptx::Function& function_;
  const size_t local_;  // stands for all local memory, as if it were a register
  std::vector<Moves> moves_;
  std::vector<std::vector<size_t>> writers_, users_;  // by register: instructions
  std::vector<uint32_t> seen_;                        // by register: the round that has visited it
  std::vector<size_t> open_, loops_;
  std::map<size_t, bool> adds_up_;  // what AddsUp has found
  uint32_t round_ = 0;
  size_t* const visits_;
};

}  // namespace

bool TellsMore(ptx::Type type, ptx::Type other) { return Rank(type) > Rank(other); }

ValueFlow FlowOf(const Program& program) {
  std::unordered_map<const Instruction*, std::vector<uint32_t>> decoded;
  for (size_t index = 0; index < program.origins.size(); ++index) {
    decoded[program.origins[index].instruction].push_back(static_cast<uint32_t>(index));
  }
  ValueFlow flow;
  size_t visits = 0;
  for (const FunctionCode& code : program.functions) {
    if (code.function == nullptr) continue;  // the kernel does not call it
    const ptx::Function& function = *code.function;
    FlowOfFunction of_function(function, &visits);
    for (size_t i = 0; i < function.body.size(); ++i) {
      const Moves& moves = of_function.moves()[i];
      if (!moves.is_leaf && !moves.is_sink) continue;
      const Type type = of_function.TypeOf(i);
      std::vector<ValueSource> sources;
      if (moves.is_sink) {
        for (const auto& [source, adds_up] : of_function.SourcesOf(i)) {
          for (const uint32_t index : decoded[&function.body[source]]) sources.push_back({index, adds_up});
        }
      }
      for (const uint32_t index : decoded[&function.body[i]]) {
        flow.types[index] = type;
        if (moves.is_sink) flow.sources[index] = sources;
      }
    }
  }
  return flow;
}

}  // namespace warpgrade::emulator
