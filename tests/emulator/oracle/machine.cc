// How it goes: each thread has frames of 64-bit cells and a place in the body. Step() runs one instruction of one
// thread. Barriers and warp-wide instructions leave the thread waiting there until Settle() finds that everybody whom
// the instruction needs has come. Tested by oracle_test.cc.
#include "tests/emulator/oracle/machine.h"

#include <algorithm>
#include <cstring>

#include "tests/emulator/oracle/machine_state.h"

namespace warpgrade::oracle {

using ptx::Instruction;
using ptx::Operand;
using ptx::OperandKind;
using ptx::Space;
using ptx::Type;

namespace {

uint64_t RoundUp(uint64_t v, uint64_t to) { return (v + to - 1) / to * to; }

uint64_t AlignmentOf(const ptx::Variable& v) {
  return std::max<uint64_t>({1, v.alignment, static_cast<uint64_t>(ptx::SizeOf(v.type))});
}

bool Masks(const Instruction& i) {
  return i.opcode == "shfl" || i.opcode == "vote" || i.opcode == "match" || i.opcode == "redux" ||
         (i.opcode == "bar" && Has(i, "warp"));
}

}  // namespace

Machine::Machine(const Launch& launch) : launch_(launch) {
  for (const ptx::Function& f : launch.module->functions) {
    Code& code = codes_.emplace_back();
    code.function = &f;
    uint64_t local = 0, parameter = 0, formals = f.prototype.returns.size() + f.prototype.parameters.size();
    for (size_t k = 0; k < f.variables.size(); ++k) {
      const ptx::Variable& v = f.variables[k];
      uint64_t& at = v.space == Space::kShared ? shared_bytes_ : f.is_entry && k < formals ? parameter : local;
      at = RoundUp(at, AlignmentOf(v));
      code.offsets.push_back(at);
      at += v.size;
    }
    code.local_bytes = RoundUp(local, 16);
    for (const Instruction& i : f.body) code.rules.push_back(FindRule(i));
  }
  for (const ptx::Variable& v : launch.module->variables) {
    if (v.space != Space::kShared) continue;
    shared_bytes_ = RoundUp(shared_bytes_, std::max<uint64_t>(AlignmentOf(v), 16));
    shared_symbols_[v.name] = shared_bytes_;
    shared_bytes_ += v.size;
  }
}

Status Machine::Run() {
  for (Code& code : codes_) {
    if (code.function->is_entry && code.function->prototype.name == launch_.kernel) kernel_ = &code;
  }
  if (kernel_ == nullptr) return Error{ErrorKind::kUsage, "no kernel " + launch_.kernel};
  for (uint32_t block = 0; block < launch_.grid && error_.empty(); ++block) RunBlock(block);
  if (!error_.empty()) return Error{ErrorKind::kUnsupported, error_};
  return {};
}

void Machine::RunBlock(uint32_t block) {
  block_ = block;
  shared_.assign(shared_bytes_ + launch_.dynamic_shared_bytes, 0);
  threads_.assign(launch_.block, Thread{});
  for (uint32_t t = 0; t < launch_.block; ++t) {
    threads_[t].index = t;
    Enter(threads_[t], *kernel_);
  }
  for (;;) {
    bool progress = false, alive = false;
    for (Thread& t : threads_) {
      while (t.state == Thread::State::kRunning && error_.empty()) {
        Step(t);
        progress = true;
      }
      alive = alive || t.state != Thread::State::kDone;
    }
    if (!alive || !error_.empty()) return;
    progress = Settle() || progress;
    if (!progress) return Fail("every thread waits: a deadlock");
  }
}

void Machine::Fail(const std::string& what) {
  if (error_.empty()) error_ = what;
}
void Machine::FailAt(const Instruction& i, const std::string& what) {
  std::string name = i.opcode;
  for (const std::string& m : i.modifiers) name += "." + m;
  Fail("PTX line " + std::to_string(i.ptx_line) + ": " + name + ": " + what);
}

void Machine::Enter(Thread& t, const Code& code) {
  Frame frame;
  frame.code = &code;
  frame.registers.assign(code.function->registers.size(), 0);
  frame.local_base = t.local.size();
  t.local.resize(t.local.size() + code.local_bytes, 0);
  t.frames.push_back(std::move(frame));
}

uint64_t Machine::Special(const Thread& t, const std::string& name) {
  if (name == "tid.x") return t.index;
  if (name == "ntid.x") return launch_.block;
  if (name == "ctaid.x") return block_;
  if (name == "nctaid.x") return launch_.grid;
  if (name == "laneid") return t.index % 32;
  if (name == "lanemask_lt") return (uint64_t{1} << (t.index % 32)) - 1;
  if (name == "lanemask_le") return (uint64_t{2} << (t.index % 32)) - 1;
  if (name == "lanemask_eq") return uint64_t{1} << (t.index % 32);
  if (name == "lanemask_gt") return 0xFFFFFFFF & ~((uint64_t{2} << (t.index % 32)) - 1);
  if (name == "lanemask_ge") return 0xFFFFFFFF & ~((uint64_t{1} << (t.index % 32)) - 1);
  bool zero = name.ends_with(".y") || name.ends_with(".z");
  if (zero && (name.starts_with("tid") || name.starts_with("ctaid"))) return 0;
  if (zero && (name.starts_with("ntid") || name.starts_with("nctaid"))) return 1;
  Fail("special register %" + name);
  return 0;
}

uint64_t Machine::SymbolAddress(const Thread& t, const Operand& o) {
  uint64_t offset = static_cast<uint64_t>(o.offset);
  if (o.variable >= 0) {
    const Frame& f = t.frames.back();
    const ptx::Variable& v = f.code->function->variables[static_cast<size_t>(o.variable)];
    uint64_t at = f.code->offsets[static_cast<size_t>(o.variable)] + offset;
    bool in_frame =
        v.space == Space::kLocal || (v.space == Space::kParam && !f.code->function->is_entry) ||
        (v.space == Space::kParam && static_cast<size_t>(o.variable) >= f.code->function->prototype.parameters.size());
    return in_frame ? at + f.local_base : at;
  }
  if (auto it = shared_symbols_.find(o.name); it != shared_symbols_.end()) return it->second + offset;
  if (auto it = launch_.symbols.find(o.name); it != launch_.symbols.end()) return it->second + offset;
  for (size_t k = 0; k < codes_.size(); ++k) {
    if (codes_[k].function->prototype.name == o.name && codes_[k].function->has_body) return kCodeBase + k;
  }
  Fail("symbol " + o.name);
  return 0;
}

uint64_t Machine::Value(const Thread& t, const Operand& o, Type type) {
  switch (o.kind) {
    case OperandKind::kRegister: {
      const Frame& f = t.frames.back();
      uint64_t v = f.registers[static_cast<size_t>(o.reg)];
      // The minus sign of vmad is its rule's business.
      bool inverts = o.negated && f.code->function->registers[static_cast<size_t>(o.reg)].type == Type::kPred;
      return inverts ? v ^ 1 : v;
    }
    case OperandKind::kImmediate:
      if (o.immediate_type == Type::kF64 && type == Type::kF32) return Bits(static_cast<float>(Double(o.bits)));
      return type == Type::kPred ? (o.bits != 0 ? 1 : 0) : o.bits;
    case OperandKind::kSymbol:
      return SymbolAddress(t, o);
    case OperandKind::kSpecial:
      return Special(t, o.name);
    default:
      Fail("an operand of a kind that the oracle does not know");
      return 0;
  }
}

void Machine::Write(Thread& t, const Operand& o, uint64_t value) {
  if (o.kind != OperandKind::kRegister) return;
  Frame& f = t.frames.back();
  Type type = f.code->function->registers[static_cast<size_t>(o.reg)].type;
  int width = type == Type::kPred ? 1 : BitsOf(type);
  f.registers[static_cast<size_t>(o.reg)] = width == 64 ? value : value & ((uint64_t{1} << width) - 1);
}

void Machine::Step(Thread& t) {
  if (++steps_ > launch_.budget) return Fail("the budget of thread instructions is used up");
  Frame& f = t.frames.back();
  const ptx::Function& function = *f.code->function;
  if (f.pc >= function.body.size()) return Leave(t);
  const size_t at = f.pc;
  const Instruction& i = function.body[at];
  if (i.guard >= 0 && (f.registers[static_cast<size_t>(i.guard)] != 0) == i.guard_negated) {
    ++f.pc;
    return;
  }
  if (Control(t, i)) return;
  if (const Rule& rule = f.code->rules[at]; rule && !IsPack(i)) {
    size_t first = i.pair ? 2 : 1;
    warpgrade::oracle::Step step;
    step.carry = t.carry;
    for (size_t k = first; k < i.operands.size() && k - first < 5; ++k) {
      bool is_predicate = (i.opcode == "setp" || i.opcode == "set" || i.opcode == "selp") && k - first == 2;
      bool is_value = i.opcode == "slct" && k - first < 2;  // the last type is that of what selects
      step.in[k - first] = Value(t, i.operands[k], is_predicate ? Type::kPred : TypeFromEnd(i, is_value ? 1 : 0));
    }
    rule(step);
    t.carry = step.carry;
    Write(t, i.operands[0], step.out);
    if (i.pair) Write(t, i.operands[1], step.out2);
  } else if (!Memory(t, i)) {
    return FailAt(i, "the oracle does not know it");
  }
  ++f.pc;
}

void Machine::Leave(Thread& t) {
  Frame callee = std::move(t.frames.back());
  t.frames.pop_back();
  if (t.frames.empty()) {
    t.state = Thread::State::kDone;
    return;
  }
  Frame& caller = t.frames.back();
  const Instruction& call = caller.code->function->body[caller.pc];
  for (size_t k = 0; k < call.call_returns.size(); ++k) {
    const ptx::Variable& v = callee.code->function->variables[k];
    std::memcpy(t.local.data() + SymbolAddress(t, call.call_returns[k]),
                t.local.data() + callee.local_base + callee.code->offsets[k], v.size);
  }
  t.local.resize(callee.local_base);
  ++caller.pc;
}

void Machine::CallFunction(Thread& t, const Instruction& i) {
  uint64_t target = Value(t, i.callee, Type::kB64);
  if (target < kCodeBase || target - kCodeBase >= codes_.size()) return FailAt(i, "calls what is no function");
  if (t.frames.size() > 100) return FailAt(i, "recursion without end");
  const Code& callee = codes_[target - kCodeBase];
  std::vector<uint64_t> from;
  for (const Operand& o : i.call_arguments) from.push_back(SymbolAddress(t, o));
  Enter(t, callee);
  size_t returns = callee.function->prototype.returns.size();
  for (size_t k = 0; k < from.size(); ++k) {
    std::memcpy(t.local.data() + t.frames.back().local_base + callee.offsets[returns + k], t.local.data() + from[k],
                callee.function->variables[returns + k].size);
  }
}

// What moves a thread other than to the next instruction, or makes it wait. True if the instruction was one of these.
bool Machine::Control(Thread& t, const Instruction& i) {
  Frame& f = t.frames.back();
  const std::string& op = i.opcode;
  if (op == "bra") {
    f.pc = static_cast<size_t>(i.operands[0].target);
  } else if (op == "brx") {
    const auto& list = f.code->function->branch_targets[static_cast<size_t>(i.operands[1].target)].second;
    uint64_t index = Value(t, i.operands[0], Type::kU32);
    if (index >= list.size()) {
      FailAt(i, "index out of range");
      return true;
    }
    f.pc = static_cast<size_t>(list[index].target);
  } else if (op == "call") {
    CallFunction(t, i);
  } else if (op == "ret") {
    Leave(t);
  } else if (op == "exit") {
    t.state = Thread::State::kDone;
  } else if (Masks(i)) {
    t.state = Thread::State::kWarp;
    t.waits_at = &i;
    t.mask = static_cast<uint32_t>(Value(t, i.operands.back(), Type::kB32));
  } else if (op == "bar" || op == "barrier") {
    t.state = Thread::State::kBarrier;
    t.waits_at = &i;
    size_t first = Has(i, "red") ? 1 : 0, last = i.operands.size() - (Has(i, "red") ? 1 : 0);
    t.barrier = Value(t, i.operands[first], Type::kU32);
    t.expected = last > first + 1 ? Value(t, i.operands[first + 1], Type::kU32) : 0;
    t.predicate = Has(i, "red") && Value(t, i.operands.back(), Type::kPred) != 0;
  } else {
    return false;
  }
  return true;
}

bool Machine::Settle() {
  bool any = false;
  for (size_t first = 0; first < threads_.size(); first += 32) any = SettleWarp(first) || any;
  return SettleBarriers() || any;
}

bool Machine::SettleBarriers() {
  bool any = false;
  for (uint64_t id = 0; id < 16; ++id) {
    std::vector<Thread*> here;
    size_t alive = 0;
    uint64_t popc = 0, expected = 0;
    for (Thread& t : threads_) {
      alive += t.state != Thread::State::kDone ? 1 : 0;
      if (t.state != Thread::State::kBarrier || t.barrier != id) continue;
      here.push_back(&t);
      popc += t.predicate ? 1 : 0;
      expected = t.expected;
    }
    if (here.empty() || here.size() != (expected != 0 ? expected : alive)) continue;
    for (Thread* t : here) {
      const Instruction& i = *t->waits_at;
      if (Has(i, "popc")) Write(*t, i.operands[0], popc);
      if (Has(i, "and")) Write(*t, i.operands[0], popc == here.size() ? 1 : 0);
      if (Has(i, "or")) Write(*t, i.operands[0], popc != 0 ? 1 : 0);
      Continue(*t);
    }
    any = true;
  }
  return any;
}

bool Machine::SettleWarp(size_t first) {
  size_t end = std::min(first + 32, threads_.size());
  for (size_t k = first; k < end; ++k) {
    if (threads_[k].state != Thread::State::kWarp) continue;
    std::vector<Thread*> group;
    uint32_t here = 0, alive = 0;
    for (size_t other = first; other < end; ++other) {
      Thread& t = threads_[other];
      if (t.state == Thread::State::kDone) continue;
      alive |= uint32_t{1} << (other - first);
      if (t.state != Thread::State::kWarp || t.waits_at != threads_[k].waits_at || t.mask != threads_[k].mask) continue;
      here |= uint32_t{1} << (other - first);
      group.push_back(&t);
    }
    if (here != (threads_[k].mask & alive)) continue;
    Collective(*group[0]->waits_at, group);
    for (Thread* t : group) Continue(*t);
    return true;
  }
  return false;
}

void Machine::Continue(Thread& t) {
  t.state = Thread::State::kRunning;
  ++t.frames.back().pc;
}

Status Run(const Launch& launch) { return Machine(launch).Run(); }

}  // namespace warpgrade::oracle
