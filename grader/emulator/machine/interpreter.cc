// The interpreter loop: it fetches an instruction, applies its guard, counts it and calls its handler. Consecutive
// lane-wise instructions, the markers between them and the branch or barrier behind them form a run (Inst::run), which
// is entered and counted once. At the end, FinishStats() spreads those counts over the instructions.
// Tested by tests/emulator/exec/control_test.cc and counters_test.cc.
#include "grader/emulator/machine/interpreter.h"

#include <utility>

#include "grader/emulator/machine/control.h"

namespace warpgrade::emulator {

Interpreter::Interpreter(LaunchShared& launch)
    : polls_(launch.program->polls.data()), polls_end_(polls_ + launch.program->polls.size()) {
  stats_.resize(launch.program->origins.size());
  runs_.resize(stats_.size());
  x_.launch = &launch;
  x_.stats = stats_.data();
  const bool is_wave = launch.program->wave_lanes == kWaveLanes;
  if (launch.options->wave64 && !is_wave) wave64_ = std::make_unique<Wave64Counter>(*launch.program, stats_, runs_);
  x_.wave64 = wave64_.get();
  if (launch.options->pictures) {
    requests_ = std::make_unique<RequestRecorder>();
    if (!is_wave) branches_ = std::make_unique<BranchRecorder>();
    if (launch.options->steps && !is_wave) steps_ = std::make_unique<StepRecorder>(*launch.options->steps);
  }
  x_.requests = requests_.get();
  x_.branches = branches_.get();
  x_.steps = steps_.get();
  x_.shapes = &shapes_;
  x_.host_window = launch.memory->host_window();
  x_.findings = &findings_;
  x_.printed = &printed_;
}

uint64_t Interpreter::Run(uint64_t slice) {
  uint64_t ran = x_.warp->starts ? StepStart() : 0;
  while (!x_.leave && ran < slice) {
    const Inst& next = x_.code[x_.pc];
    if (next.run != 0) {
      ran += StepRun(next);
    } else {
      ran += 1;
      Step(next);
    }
  }
  return ran;
}

inline void Interpreter::Step(const Inst& i) {
  x_.pc += 1;
  InstStats& s = stats_[i.index];
  s.executions += 1;
  s.active_lanes += static_cast<uint64_t>(__builtin_popcount(x_.active));
  x_.mask = i.guard >= 0 ? GuardedLanes(x_, i) : x_.active;
  s.lanes += static_cast<uint64_t>(__builtin_popcount(x_.mask));
  i.handler(x_, i);
}

inline void Interpreter::StepInRun(const Inst& i, LaneMask active) {
  if (i.guard < 0) {
    i.handler(x_, i);
    return;
  }
  x_.mask = GuardedLanes(x_, i);
  stats_[i.index].lanes += static_cast<uint64_t>(__builtin_popcount(x_.mask));
  // A branch that no lane takes is a step of the picture, too.
  if (x_.mask != 0 || (x_.branches != nullptr && i.handler == Branch)) i.handler(x_, i);
  x_.mask = active;
}

// The run ends early: `rest` and what follows it do not run.
uint64_t Interpreter::EndRunBefore(const Inst& first, const Inst& rest, uint64_t lanes) {
  runs_[rest.index].executions -= 1;
  runs_[rest.index].active_lanes -= lanes;
  return static_cast<uint64_t>(&rest - &first);
}

// All instructions of a run see the same active lanes, so the run is counted where it is entered and nowhere else. It
// is left early at a marker where the lanes wait for others, and at a fault that ends the launch.
inline uint64_t Interpreter::StepRun(const Inst& first) {
  RunStats& entered = runs_[first.index];
  const LaneMask active = x_.active;
  const uint64_t lanes = static_cast<uint64_t>(__builtin_popcount(active));
  entered.executions += 1;
  entered.active_lanes += lanes;
  x_.mask = active;
  int32_t pc = x_.pc;
  const Inst* const end = &first + first.run;
  for (const Inst* i = &first; i != end; ++i) {
    x_.pc = ++pc;
    StepInRun(*i, active);
    if (x_.leave && i + 1 != end) return EndRunBefore(first, i[1], lanes);
  }
  return first.run;
}

// The first run of a warp in a block. Leaves out what the warp has in its registers from its last block.
[[gnu::noinline]] uint64_t Interpreter::StepStart() {
  Warp& warp = *x_.warp;
  warp.starts = false;
  const FunctionCode& kernel = x_.launch->program->functions[0];
  if (kernel.start_again[0].empty()) return 0;
  const Dim3 id = x_.block->id, last = std::exchange(warp.start_of, id);
  const size_t changed = (id.x != last.x ? 1 : 0) | (id.y != last.y ? 2 : 0) | (id.z != last.z ? 4 : 0);
  const Inst& first = kernel.code[0];
  const uint64_t ran = warp.has_start ? StepStartAgain(kernel.start_again[changed]) : StepRun(first);
  warp.has_start = ran == first.run;
  return ran;
}

// As StepRun, but executes only the instructions that are `left`. The others count as executed, too.
uint64_t Interpreter::StepStartAgain(const std::vector<int32_t>& left) {
  const Inst& first = x_.code[0];
  RunStats& entered = runs_[first.index];
  const LaneMask active = x_.active;
  const uint64_t lanes = static_cast<uint64_t>(__builtin_popcount(active));
  entered.executions += 1;
  entered.active_lanes += lanes;
  x_.mask = active;
  for (const int32_t at : left) {
    const Inst& i = x_.code[at];
    x_.pc = at + 1;
    StepInRun(i, active);
    if (x_.leave && &i + 1 != &first + first.run) return EndRunBefore(first, (&i)[1], lanes);
  }
  return first.run;
}

PollResult Interpreter::PollAgain() {
  if (unread_.empty()) unread_.resize(stats_.size());
  return Poll(x_, unread_.data());
}

uint64_t Interpreter::Polls() const {
  uint64_t sum = 0;
  for (const uint32_t* p = polls_; p != polls_end_; ++p) sum += stats_[*p].executions;
  return sum;
}

const std::vector<InstStats>& Interpreter::FinishStats() {
  for (const FunctionCode& function : x_.launch->program->functions) {
    RunStats through;  // counts of the runs that entered at this instruction or before it
    for (const Inst& i : function.code) {
      if (i.run == 0) continue;
      through.executions += runs_[i.index].executions;
      through.active_lanes += runs_[i.index].active_lanes;
      InstStats& s = stats_[i.index];
      s.executions += through.executions;
      s.active_lanes += through.active_lanes;
      if (i.guard < 0) s.lanes += through.active_lanes;
      if (i.run == 1) through = RunStats{};
    }
  }
  return stats_;
}

}  // namespace warpgrade::emulator
