#include "grader/emulator/machine/wait_loop.h"

#include <utility>

#include "grader/emulator/machine/control.h"
#include "grader/emulator/program/wait_loop.h"

namespace warpgrade::emulator {

void WaitLoop(Exec& x, const Inst& i) {
  Warp& w = *x.warp;
  const LaneMask again = x.mask, leave = x.active & ~again;
  if (i.waits.is_collective && x.active != w.alive) {
    Branch(x, i);
    return;
  }
  // Counts the branch as if no lane had to wait, so that counts do not depend on how long a wait takes.
  x.stats[i.index].lanes -= static_cast<uint64_t>(__builtin_popcount(again));
  if (again == 0) return;
  if (leave == 0) {
    w.fragments[static_cast<size_t>(w.current)].polling = true;
    x.pc -= 1;
    x.leave = true;
    return;
  }
  Split(x, i, again, leave, x.pc - 1, true);
}

PollResult Poll(Exec& x, InstStats* unread) {
  Warp& w = *x.warp;
  const int32_t branch = x.pc;
  const Inst& i = x.code[branch];
  if (i.waits.is_collective && x.active != w.alive) {
    w.fragments[static_cast<size_t>(w.current)].polling = false;
    x.pc = i.target;
    return PollResult::kGoesOn;
  }
  InstStats* counted = x.stats;
  x.stats = unread;
  RequestRecorder* const requests = std::exchange(x.requests, nullptr);
  BranchRecorder* const branches = std::exchange(x.branches, nullptr);
  StepRecorder* const steps = std::exchange(x.steps, nullptr);
  for (int32_t pc = i.target; pc < branch; ++pc) {
    const Inst& body = x.code[pc];
    if (body.handler == ReconvergenceMarker) continue;
    x.mask = x.active;
    x.pc = pc + 1;
    body.handler(x, body);
  }
  x.stats = counted;
  x.requests = requests;
  x.branches = branches;
  x.steps = steps;
  const LaneMask again = GuardedLanes(x, i), leave = x.active & ~again;
  if (leave == 0) {
    x.pc = branch;
    return i.waits.takes_lock && ReleaseOwnJoin(x, i) ? PollResult::kFreed : PollResult::kWaits;
  }
  x.pc = branch + 1;
  w.fragments[static_cast<size_t>(w.current)].polling = false;
  if (again != 0) Split(x, i, again, leave, branch, true);
  return PollResult::kGoesOn;
}

}  // namespace warpgrade::emulator
