// A fragment arrives at a block's barrier with its lanes and waits until the expected number of threads has arrived;
// then all of them wake up. Threads that have left the kernel are not expected. Tested by
// tests/emulator/exec/barrier_test.cc.
#include "grader/emulator/machine/barrier.h"

#include <fmt/format.h>

#include <cstring>

#include "grader/emulator/checks/happens_before.h"
#include "grader/emulator/checks/report.h"
#include "grader/emulator/counters/wave64.h"
#include "grader/emulator/machine/control.h"
#include "grader/emulator/machine/wave.h"
#include "grader/emulator/recorders/step_recorder.h"

namespace warpgrade::emulator {
namespace {

size_t Index(int32_t i) { return static_cast<size_t>(i); }
uint32_t Count(LaneMask m) { return static_cast<uint32_t>(__builtin_popcount(m)); }
Fragment& Current(Exec& x) { return x.warp->fragments[Index(x.warp->current)]; }

// Writes the result of bar.red for the lanes of `mask`.
void WriteReduction(uint8_t* frame, const Inst& i, LaneMask mask, uint32_t popc, uint32_t threads) {
  if (i.reduction == BarrierReduction::kCount) {
    uint32_t* d = reinterpret_cast<uint32_t*>(frame + i.dst);
    for (LaneMask m = mask; m != 0; m &= m - 1) d[__builtin_ctz(m)] = popc;
    return;
  }
  bool value = i.reduction == BarrierReduction::kAnd ? popc == threads : popc > 0;
  uint32_t* d = reinterpret_cast<uint32_t*>(frame + i.dst);
  *d = value ? *d | mask : *d & ~mask;
}

bool IsReduction(const Inst& i) { return i.handler == BarrierReduce || i.handler == WaveBarrierReduce; }

// True if every thread of the block has arrived and waits, so that all earlier accesses are ordered before all later
// ones.
bool IsWhole(const Exec& x, const Barrier& b) { return !b.some_only_arrive && b.arrived >= x.block->live_threads; }

void Complete(Exec& x, int32_t id) {
  Barrier& b = x.block->barriers[Index(id)];
  const bool whole = IsWhole(x, b);
  for (Warp& w : x.block->warps) {
    for (Fragment& f : w.fragments) {
      if (f.state != FragmentState::kBarrier || f.barrier != id) continue;
      f.state = FragmentState::kRunnable;
      if (!whole) PartWaited(*x.block, w, id);
      if (IsReduction(*f.waits_at)) {
        WriteReduction(w.frames[Index(f.frame)].registers, *f.waits_at, f.mask, b.reduction_popc, b.arrived);
      }
    }
    w.spun = 0;
  }
  if (b.first != nullptr) x.stats[b.first->index].completed() += 1;
  b = Barrier{};
  x.block->barriers_in_use &= ~(1u << id);
  if (whole) BlockSynced(*x.block);
  if (whole && x.steps != nullptr && x.steps->IsOf(x.block->linear)) x.steps->BlockSynced();
  if (whole && x.wave64 != nullptr) {
    x.wave64->Ran(*x.block, *x.warp);  // counts up to the barrier: the warp may continue from here within the same turn
    x.wave64->LineUp(*x.block);
  }
  PartCompleted(*x.block, id);
  x.block->progressed = true;
}

bool IsFull(const Exec& x, const Barrier& b) {
  uint32_t expected = b.expected != 0 ? b.expected : x.block->live_threads;
  return b.arrived > 0 && b.arrived >= expected;
}

// Reports two different __syncthreads() that meet in one phase, because the threads of the block are then not at the
// same place. nvcc may duplicate the barrier of one line, so only different lines count.
void CheckSamePlace(Exec& x, const Inst& i, Barrier& b) {
  if (b.first == nullptr) {
    b.first = &i;
    return;
  }
  if (b.first == &i || i.meets_elsewhere || b.first->meets_elsewhere) return;
  const auto& origins = x.launch->program->origins;
  const InstOrigin& here = origins[i.index];
  const InstOrigin& there = origins[b.first->index];
  if (here.line == 0 || (here.line == there.line && here.file == there.file)) return;
  Report(
      x, i, FindingKind::kBarrierDivergence, __builtin_ctz(x.mask), 0, 0,
      fmt::format("threads of this block wait at this __syncthreads() while others wait at the one in line {}; every "
                  "thread of a block must reach the same one",
                  there.line));
}

// Arrives with x.mask. Returns true if that completed the barrier.
bool ArriveAt(Exec& x, const Inst& i, int32_t id, uint32_t expected, LaneMask predicate) {
  Barrier& b = x.block->barriers[Index(id)];
  CheckSamePlace(x, i, b);
  if (expected != 0) b.expected = expected;
  if (expected != 0) PartArrived(x, id);
  b.arrived += Count(x.mask);
  x.block->barriers_in_use |= 1u << id;
  b.reduction_popc += Count(predicate & x.mask);
  return IsFull(x, b);
}

void Wait(Exec& x, const Inst& i, LaneMask predicate) {
  if (x.mask == 0) return;
  int lane = __builtin_ctz(x.mask);
  int32_t id = static_cast<int32_t>(Row<uint32_t>(x, i.a)[lane] & 15);
  uint32_t expected = Row<uint32_t>(x, i.b)[lane];
  LaneMask stay = x.active & ~x.mask;
  Fragment& f = Current(x);
  if (stay != 0) {  // a guarded barrier: the other lanes continue without waiting
    LeaveFragment(x);
    Fragment rest = f;
    rest.mask = stay;
    f.mask = x.mask;
    x.active = x.mask;
    x.warp->fragments.push_back(rest);
  }
  Fragment& me = Current(x);
  me.state = FragmentState::kBarrier;
  me.barrier = id;
  me.waits_at = &i;
  x.warp->spun = 0;
  if (ArriveAt(x, i, id, expected, predicate)) {
    Complete(x, id);  // wakes this fragment too
    return;
  }
  x.leave = true;
}

}  // namespace

void BarrierSync(Exec& x, const Inst& i) { Wait(x, i, 0); }

void BarrierReduce(Exec& x, const Inst& i) {
  LaneMask p = *Row<uint32_t>(x, i.c);
  Wait(x, i, i.imm == 1 ? ~p : p);
}

void BarrierArrive(Exec& x, const Inst& i) {
  if (x.mask == 0) return;
  int lane = __builtin_ctz(x.mask);
  int32_t id = static_cast<int32_t>(Row<uint32_t>(x, i.a)[lane] & 15);
  x.block->barriers[Index(id)].some_only_arrive = true;
  if (ArriveAt(x, i, id, Row<uint32_t>(x, i.b)[lane], 0)) Complete(x, id);
}

void BarriersAfterExit(Exec& x) {
  for (uint32_t ids = x.block->barriers_in_use; ids != 0; ids &= ids - 1) {
    const int32_t id = __builtin_ctz(ids);
    if (IsFull(x, x.block->barriers[Index(id)])) Complete(x, id);
  }
}

void WarpSyncsAfterExit(Exec& x) {
  Warp& w = *x.warp;
  for (Fragment& f : w.fragments) {
    if (f.state != FragmentState::kWarpSync) continue;
    LaneMask here = 0;
    for (const Fragment& g : w.fragments) {
      if (g.state != FragmentState::kWarpSync || g.sync_mask != f.sync_mask) continue;
      bool same = g.waits_at == f.waits_at && g.frame == f.frame;
      if (same || (g.waits_at->handler == WarpSync && f.waits_at->handler == WarpSync)) here |= g.mask;
    }
    LaneMask needed = f.sync_mask & w.alive;
    if ((here & needed) != needed) continue;
    // All needed lanes are here. The fragment executes its instruction again, so the first execution must not be
    // counted.
    f.state = FragmentState::kRunnable;
    f.pc -= 1;
    LaneMask on = f.mask;
    if (f.waits_at->guard >= 0) {
      LaneMask p;
      std::memcpy(&p, w.frames[Index(f.frame)].registers + f.waits_at->guard, sizeof(p));
      on &= f.waits_at->guard_negated ? ~p : p;
    }
    InstStats& s = x.stats[f.waits_at->index];
    s.executions -= 1;
    s.active_lanes -= Count(f.mask);
    s.lanes -= Count(on);
  }
}

bool GatherLanes(Exec& x, const Inst& i, LaneMask members) {
  Warp& w = *x.warp;
  LaneMask outside = x.mask & ~members;
  if (outside != 0) {
    int lane = __builtin_ctz(outside);
    Report(x, i, FindingKind::kBadShuffleMask, lane, 0, 0,
           fmt::format(
               "lane {} executes this with member mask {:#010x}, which does not name it; each lane that takes part "
               "must be in the mask",
               lane, members));
    return true;  // continue with the lanes that are here
  }
  LaneMask needed = members & w.alive;
  if ((x.mask & needed) == needed) return true;
  LaneMask here = x.mask;
  Fragment& me = Current(x);
  if (me.forced) {
    me.forced = false;
    return true;
  }
  for (const Fragment& f : w.fragments) {
    if (&f != &me && f.state == FragmentState::kWarpSync && f.waits_at == &i && f.frame == me.frame &&
        f.sync_mask == members) {
      here |= f.mask;
    }
  }
  // Lanes may meet in different bar.warp.sync instructions, as long as these name the same members.
  if (i.handler == WarpSync) {
    for (const Fragment& f : w.fragments) {
      if (&f != &me && f.state == FragmentState::kWarpSync && f.waits_at->handler == WarpSync &&
          f.sync_mask == members) {
        here |= f.mask;
      }
    }
  }
  if ((here & needed) == needed) {
    for (Fragment& f : w.fragments) {
      if (f.state == FragmentState::kWarpSync && f.sync_mask == members && (f.mask & ~here) == 0) {
        f.state = FragmentState::kRunnable;
      }
    }
    x.mask = here;
    w.spun = 0;
    return true;
  }
  me.state = FragmentState::kWarpSync;
  me.sync_mask = members;
  me.waits_at = &i;
  w.spun = 0;
  x.leave = true;
  return false;
}

bool GatherByRow(Exec& x, const Inst& i, uint32_t row) {
  if (x.mask == 0) return false;
  const uint32_t* members = Row<uint32_t>(x, row);
  auto same_members = [members](LaneMask of) {
    LaneMask same = 0;
    for (LaneMask m = of; m != 0; m &= m - 1) {
      if (members[__builtin_ctz(m)] == members[__builtin_ctz(of)]) same |= m & (~m + 1u);
    }
    return same;
  };
  const LaneMask all = x.mask;
  if (same_members(all) == all) return GatherLanes(x, i, members[__builtin_ctz(all)]);
  LaneMask incomplete = 0;
  for (LaneMask left = all, group; left != 0; left &= ~group) {
    group = same_members(left);
    LaneMask named = members[__builtin_ctz(group)], needed = named & x.warp->alive;
    if ((group & ~named) == 0 && (group & needed) != needed) {
      incomplete |= group;
      continue;
    }
    x.mask = group;
    i.handler(x, i);
  }
  x.mask = all & ~incomplete;
  // A set that misses lanes executes the instruction again on its own, and is counted then.
  for (LaneMask group; incomplete != 0; incomplete &= ~group) {
    group = same_members(incomplete);
    InstStats& s = x.stats[i.index];
    s.lanes -= Count(group);
    s.active_lanes -= Count(group);
    if (group == x.active) {
      x.pc -= 1;
    } else {
      SetAside(x, group, x.pc - 1);
    }
  }
  return false;
}

void WarpSync(Exec& x, const Inst& i) {
  if (!GatherByRow(x, i, i.a)) return;
  WarpSynced(x, x.mask);
  if (x.steps != nullptr && x.steps->IsOf(x.block->linear)) x.steps->WarpSynced(x.warp->index);
}

bool ResolveDeadlock(Exec& x) {
  bool resolved = false;
  Warp* waiting = nullptr;
  const Fragment* at_barrier = nullptr;
  uint32_t arrived = 0;
  for (Warp& w : x.block->warps) {
    for (size_t k = 0; k < w.fragments.size(); ++k) {
      Fragment& f = w.fragments[k];
      if (f.state == FragmentState::kBarrier) {
        if (at_barrier == nullptr && f.mask != 0) {
          waiting = &w;
          at_barrier = &f;
        }
        if (at_barrier != nullptr && f.barrier == at_barrier->barrier) arrived += Count(f.mask);
      }
      if (f.state != FragmentState::kWarpSync) continue;
      x.warp = &w;
      EnterFragment(x, static_cast<int32_t>(k));
      LaneMask absent = f.sync_mask & w.alive & ~f.mask;
      const ptx::Instruction* call = x.launch->program->origins[f.waits_at->index].instruction;
      // A shuffle takes values from the absent lanes, so another mask would not help it.
      const char* remedy = call != nullptr && call->opcode == "shfl"
                               ? ": this shuffle stands in a branch or loop that not all lanes take"
                               : "; name only lanes that reach this call, or let all lanes reach it";
      Report(x, *f.waits_at, FindingKind::kBadShuffleMask, __builtin_ctz(f.mask), 0, 0,
             fmt::format("the member mask {:#010x} names lane {}, which never reaches this call{}", f.sync_mask,
                         __builtin_ctz(absent != 0 ? absent : f.mask), remedy));
      // Run the instruction again with the lanes that are here.
      f.state = FragmentState::kRunnable;
      f.pc -= 1;
      f.forced = true;
      resolved = true;
    }
  }
  if (resolved) return true;
  if (at_barrier == nullptr) return false;
  x.warp = waiting;
  const Inst& inst = *at_barrier->waits_at;
  int lane = __builtin_ctz(at_barrier->mask);
  EnterFragment(x, static_cast<int32_t>(at_barrier - waiting->fragments.data()));
  x.mask = at_barrier->mask;
  uint32_t expected = x.block->barriers[Index(at_barrier->barrier)].expected;
  // Threads that have left the kernel never reach it either.
  if (expected == 0) expected = static_cast<uint32_t>(x.launch->block.Count());
  Report(x, inst, FindingKind::kBarrierDivergence, lane, 0, 0,
         fmt::format("{} of {} threads of the block wait at this barrier and the others never reach it: on a GPU the "
                     "kernel hangs here. Is the barrier in a branch that not every thread takes?",
                     arrived, expected));
  return false;
}

}  // namespace warpgrade::emulator
