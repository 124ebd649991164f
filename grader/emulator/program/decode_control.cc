// Branches, calls, barriers and warp-wide instructions. A branch keeps body indices until FunctionDecoder::Run knows
// where the code of each instruction begins. Tested by control_test.cc, barrier_test.cc and collectives_test.cc in
// tests/emulator/exec.
#include <fmt/format.h>

#include <algorithm>

#include "grader/emulator/program/decoder.h"
#include "grader/emulator/program/device_runtime.h"
#include "grader/emulator/program/program_layout.h"
#include "grader/emulator/program/wait_loop.h"

namespace warpgrade::emulator {
namespace {

using ptx::Operand;
using ptx::OperandKind;
using ptx::Type;

}  // namespace

// The function that a call goes to. For a call by pointer: -1 and a prototype. If the function is not declared:
// neither.
FunctionDecoder::Callee FunctionDecoder::CalleeOf(const ptx::Instruction& i) {
  if (i.callee.kind == OperandKind::kRegister) {
    if (prototypes_.empty()) {
      for (const ptx::Prototype& p : function_.prototypes) prototypes_[p.name] = &p;
    }
    calls_indirectly_ = true;
    const auto it = prototypes_.find(i.call_prototype);
    return {-1, it != prototypes_.end() ? it->second : nullptr};
  }
  const auto it = program_.function_index.find(i.callee.name);
  if (it == program_.function_index.end()) return {};
  return {it->second, &program_.module->functions[static_cast<size_t>(it->second) - 1].prototype};
}

// The handler of a function that the machine executes itself; nullptr if it does not. Kernels may launch kernels only
// in a linked program, and the judge never links.
Handler FunctionDecoder::BuiltinOf(const std::string& name) {
  const bool is_of_runtime = program_.module->is_linked && IsOfDeviceRuntime(name);
  if (!is_of_runtime && !IsSystemCall(name)) return nullptr;
  const Handler handler = handlers_.Find(("call." + name).c_str());
  program_.calls_device_runtime = program_.calls_device_runtime || (is_of_runtime && handler != nullptr);
  if (program_.calls_device_runtime || name == "malloc" || name == "free") program_.allocates = true;
  return handler;
}

bool FunctionDecoder::DecodeCall(const ptx::Instruction& i) {
  CallSite site;
  auto local_slot = [&](const Operand& o, FunctionCode::Slot* slot) {
    if (o.variable < 0) return false;
    slot->offset = variable_offset_[static_cast<size_t>(o.variable)];
    slot->bytes = Saturated(function_.variables[static_cast<size_t>(o.variable)].size);
    return true;
  };
  const std::string& name = i.callee.name;
  bool indirect = i.callee.kind == OperandKind::kRegister;
  const auto [target, prototype] = CalleeOf(i);
  const Handler builtin = indirect ? nullptr : BuiltinOf(name);
  bool defined = indirect || (target > 0 && program_.module->functions[static_cast<size_t>(target) - 1].has_body);
  if (builtin == nullptr && (!defined || prototype == nullptr)) {
    const bool is_of_runtime = program_.module->is_linked && IsOfDeviceRuntime(name);
    FailInstruction(i, is_of_runtime ? fmt::format("{} in a kernel is not emulated", SourceNameOf(name))
                                     : fmt::format("the device function {} is not defined in this module",
                                                   indirect ? "pointer" : name));
    return true;
  }
  std::vector<FunctionCode::Slot> returns, parameters;
  if (prototype != nullptr) LayOutFormals(*prototype, &returns, &parameters);
  for (size_t k = 0; k < i.call_arguments.size(); ++k) {
    FunctionCode::Slot from;
    bool fits = local_slot(i.call_arguments[k], &from) && (builtin != nullptr || k < parameters.size());
    if (!fits) {
      FailInstruction(i, "arguments must be .param variables");
      return true;
    }
    if (builtin != nullptr) {
      site.arguments.push_back({from.offset, 0, from.bytes});
    } else {
      site.arguments.push_back({from.offset, parameters[k].offset, std::min(from.bytes, parameters[k].bytes)});
    }
  }
  for (size_t k = 0; k < i.call_returns.size(); ++k) {
    FunctionCode::Slot to;
    if (local_slot(i.call_returns[k], &to) && builtin != nullptr) {
      site.returns.push_back({0, to.offset, to.bytes});
      continue;
    }
    if (!local_slot(i.call_returns[k], &to) || k >= returns.size()) {
      FailInstruction(i, "return values must be .param variables");
      return true;
    }
    site.returns.push_back({returns[k].offset, to.offset, std::min(to.bytes, returns[k].bytes)});
  }
  Inst inst = Begin(i, builtin != nullptr ? builtin : Known(indirect ? "call.indirect" : "call"));
  inst.call = static_cast<uint32_t>(code_.calls.size());
  code_.calls.push_back(site);
  inst.target = target;
  if (indirect) inst.a = Source(i.callee, 8);
  Emit(inst);
  return true;
}

// barrier.cluster: in a cluster of one block, its threads meet at the wait, at a separate barrier.
bool FunctionDecoder::DecodeClusterBarrier(const ptx::Instruction& i) {
  if (LargeCluster()) {
    FailInstruction(i, "clusters of more than one block are not emulated");
    return true;
  }
  constexpr uint64_t kClusterBarrier = 15;
  Inst inst = Begin(i, Known(Has(i, "wait") ? "bar.sync" : "nothing"), CountClass::kBarrier);
  if (!Has(i, "wait")) inst.count_class = CountClass::kPlain;
  inst.a = ConstantRow(kClusterBarrier, 4);
  inst.b = ConstantRow(0, 4);
  inst.meets_elsewhere = true;
  Emit(inst);
  return true;
}

bool FunctionDecoder::DecodeBarrier(const ptx::Instruction& i) {
  const auto& o = i.operands;
  if (Has(i, "cluster")) return DecodeClusterBarrier(i);
  if (Has(i, "warp")) {
    Inst inst = Begin(i, Known("bar.warp.sync"));
    inst.a = Source(o[0], 4);
    Emit(inst);
    return true;
  }
  bool reduce = Has(i, "red"), arrive = Has(i, "arrive");
  Inst inst = Begin(i, Known(reduce ? "bar.red" : arrive ? "bar.arrive" : "bar.sync"), CountClass::kBarrier);
  size_t id_at = reduce ? 1 : 0;
  inst.a = Source(o[id_at], 4);
  size_t last = o.size();
  if (reduce) {
    inst.c = Predicate(o.back(), &inst.imm);
    inst.reduction = Has(i, "popc")  ? BarrierReduction::kCount
                     : Has(i, "and") ? BarrierReduction::kAnd
                                     : BarrierReduction::kOr;
    inst.dst = Destination(o[0], inst.reduction == BarrierReduction::kCount ? 4 : 0);
    --last;
  }
  bool counted = last > id_at + 1;
  inst.b = counted ? Source(o[id_at + 1], 4) : ConstantRow(0, 4);
  bool aligned = i.opcode == "bar" || Has(i, "aligned");
  inst.meets_elsewhere = counted || !aligned;
  Emit(inst);
  return true;
}

bool FunctionDecoder::DecodeShuffle(const ptx::Instruction& i) {
  const auto& o = i.operands;
  const size_t value = i.pair ? 2 : 1;
  Inst inst = Begin(i, nullptr, CountClass::kShuffle);
  inst.a = Source(o[value], 4);
  inst.b = Source(o[value + 1], 4);
  inst.c = Source(o[value + 2], 4);
  inst.member_mask = Source(o[value + 3], 4);
  inst.dst = Destination(o[0], 4);
  inst.second_dst = i.pair && o[1].kind == OperandKind::kRegister ? Destination(o[1], 0) : 0;
  return EmitByKey(i, SpellingOf(i), inst);
}

bool FunctionDecoder::DecodeVote(const ptx::Instruction& i) {
  const auto& o = i.operands;
  Inst inst = Begin(i, nullptr, CountClass::kVote);
  inst.a = Predicate(o[1], &inst.imm);
  inst.b = Source(o[2], 4);
  inst.dst = Destination(o[0], LastType(i) == Type::kPred ? 0 : 4);
  // ptxas takes the modifiers in any order, and CUB's inline assembly has vote.ballot.sync.b32.
  for (const char* what : {"all", "any", "uni"}) {
    if (Has(i, what)) return EmitByKey(i, JoinKey({"vote.sync", what, "pred"}), inst);
  }
  return EmitByKey(i, "vote.sync.ballot.b32", inst);
}

bool FunctionDecoder::DecodeMatch(const ptx::Instruction& i) {
  const auto& o = i.operands;
  const Type t = LastType(i);
  const size_t value = i.pair ? 2 : 1;
  Inst inst = Begin(i, nullptr, CountClass::kVote);
  inst.a = Source(o[value], CellBytes(t), t);
  inst.b = Source(o[value + 1], 4);
  inst.dst = Destination(o[0], 4);
  inst.second_dst = i.pair && o[1].kind == OperandKind::kRegister ? Destination(o[1], 0) : 0;
  return EmitByKey(i, SpellingOf(i), inst);
}

bool FunctionDecoder::DecodeReduceInWarp(const ptx::Instruction& i) {
  const auto& o = i.operands;
  Inst inst = Begin(i, nullptr, CountClass::kVote);
  inst.a = Source(o[1], 4, LastType(i));
  inst.b = Source(o[2], 4);
  inst.dst = Destination(o[0], 4);
  return EmitByKey(i, SpellingOf(i), inst);
}

bool FunctionDecoder::DecodeActiveMask(const ptx::Instruction& i) {
  Inst inst = Begin(i, nullptr);
  inst.dst = Destination(i.operands[0], 4);
  return EmitByKey(i, "activemask.b32", inst);
}

bool FunctionDecoder::DecodeElect(const ptx::Instruction& i) {
  const auto& o = i.operands;
  Inst inst = Begin(i, nullptr, CountClass::kVote);
  inst.dst = o[0].kind == OperandKind::kRegister ? Destination(o[0], 4) : kSinkRow;
  inst.second_dst = Destination(o[1], 0);
  inst.b = Source(o[2], 4);
  return EmitByKey(i, "elect.sync", inst);
}

bool FunctionDecoder::DecodeBranch(const ptx::Instruction& i) {
  Inst inst = Begin(i, Known("bra"), CountClass::kBranch);
  inst.target = i.operands[0].target;
  inst.reconverge = reconverge_[current_index_];
  if (WaitLoopShape loop = FindWaitLoop(function_, current_index_, labelled_); loop.waits) {
    inst.handler = Known("bra.wait");
    inst.waits = loop.flags;
  }
  branches_.push_back(code_.code.size());
  Emit(inst);
  return true;
}

bool FunctionDecoder::DecodeIndexedBranch(const ptx::Instruction& i) {
  const int32_t table = i.operands[1].target;
  if (table < 0 || static_cast<size_t>(table) >= function_.branch_targets.size()) return false;
  const std::vector<Operand>& targets = function_.branch_targets[static_cast<size_t>(table)].second;
  if (targets.empty()) return false;
  auto [place, is_new] = branch_tables_.try_emplace(table, static_cast<uint32_t>(code_.branch_tables.size()));
  if (is_new) {
    std::vector<int32_t>& to = code_.branch_tables.emplace_back();
    for (const Operand& o : targets) to.push_back(o.target);
  }
  Inst inst = Begin(i, Known("brx.idx"), CountClass::kBranch);
  inst.a = Source(i.operands[0], 4);
  inst.reconverge = reconverge_[current_index_];
  inst.table = place->second;
  branches_.push_back(code_.code.size());
  Emit(inst);
  return true;
}

// The handler's key is the opcode's name.
bool FunctionDecoder::DecodeByName(const ptx::Instruction& i) {
  Emit(Begin(i, Known(i.opcode.c_str())));
  return true;
}

bool FunctionDecoder::DecodeBreakpoint(const ptx::Instruction& i) {
  Emit(Begin(i, Known("trap")));
  return true;
}

}  // namespace warpgrade::emulator
