// Branches, calls, exits, barriers and fences of wavefronts of 64 lanes. Each does to the fragments and joins of both
// halves what the handler of the same name in control.cc and barrier.cc does to those of one warp. Tested by
// tests/emulator/exec/wave_test.cc.
#include <algorithm>

#include "grader/emulator/checks/happens_before.h"
#include "grader/emulator/checks/report.h"
#include "grader/emulator/machine/barrier.h"
#include "grader/emulator/machine/control.h"
#include "grader/emulator/machine/wave.h"

namespace warpgrade::emulator {
namespace {

size_t Index(int32_t i) { return static_cast<size_t>(i); }

Join& JoinOf(const Wave& wave, size_t h, int32_t join) { return wave.half(h).joins[Index(join)]; }

int32_t NewJoin(const Wave& wave, const Join& like, const WaveMask& expected) {
  int32_t at = -1;
  for (size_t h = 0; h < wave.halves(); ++h) {
    Warp& w = wave.half(h);
    if (w.free_joins.empty()) {
      at = static_cast<int32_t>(w.joins.size());
      w.joins.emplace_back();
    } else {
      at = w.free_joins.back();
      w.free_joins.pop_back();
    }
    w.joins[Index(at)] = like;
    w.joins[Index(at)].expected = expected.half[h];
  }
  return at;
}

bool IsFull(const Wave& wave, int32_t join) {
  for (size_t h = 0; h < wave.halves(); ++h) {
    const Join& j = JoinOf(wave, h, join);
    if (!j.live || j.arrived != j.expected) return false;
  }
  return true;
}

// Ends a join at which all lanes have arrived. *mask: these lanes. Returns where they continue.
Fragment EndJoin(const Wave& wave, int32_t join, WaveMask* mask) {
  Fragment together;
  for (size_t h = 0; h < wave.halves(); ++h) {
    Join& j = JoinOf(wave, h, join);
    j.live = false;
    wave.half(h).free_joins.push_back(join);
    mask->half[h] = j.arrived;
    together = Fragment{.pc = j.pc, .frame = j.frame, .join = j.parent};
  }
  return together;
}

// If all lanes have arrived at the join, they continue.
void CompleteIfFull(const Wave& wave, int32_t join) {
  if (!IsFull(wave, join)) return;
  WaveMask arrived;
  const Fragment together = EndJoin(wave, join, &arrived);
  if (!arrived.None()) wave.NewFragment(together, arrived);
}

// Call this when `mask` will never reach the joins from `from` up to (not including) `until`.
void LeaveJoins(const Wave& wave, int32_t from, int32_t until, const WaveMask& mask) {
  for (int32_t j = from; j != until && j >= 0;) {
    const int32_t parent = JoinOf(wave, 0, j).parent;
    for (size_t h = 0; h < wave.halves(); ++h) {
      JoinOf(wave, h, j).expected &= ~mask.half[h];
      JoinOf(wave, h, j).arrived &= ~mask.half[h];
    }
    CompleteIfFull(wave, j);
    j = parent;
  }
}

// True if the fragment's innermost join belongs to branch `i`.
bool IsJoinOf(const Wave& wave, const Inst& i) {
  const Fragment& f = wave.Current(0);
  if (f.join < 0 || i.reconverge < 0) return false;
  const Join& join = JoinOf(wave, 0, f.join);
  return !join.is_call && join.pc == i.reconverge && join.frame == f.frame;
}

// `stay` continues at x.pc, and `away` at `target`. They meet again at the reconvergence point of `i`.
void Split(Exec& x, const Wave& wave, const Inst& i, const WaveMask& away, const WaveMask& stay, int32_t target) {
  const Fragment& f = wave.Current(0);
  int32_t join = f.join;
  if (i.reconverge >= 0 && !IsJoinOf(wave, i)) {
    const Join made{.parent = join, .frame = f.frame, .pc = i.reconverge, .live = true};
    join = NewJoin(wave, made, wave.Active());
  }
  for (size_t h = 0; h < wave.halves(); ++h) wave.Current(h).join = join;
  wave.SetActive(stay);
  wave.Leave(x);
  if (i.reconverge >= 0 && target == i.reconverge) {
    for (size_t h = 0; h < wave.halves(); ++h) JoinOf(wave, h, join).arrived |= away.half[h];
    return;
  }
  wave.NewFragment(Fragment{.pc = target, .frame = wave.Current(0).frame, .join = join}, away);
}

// The lanes of `of` whose value in the row at offset `row` is that of the first of them.
WaveMask SameValue(const Wave& wave, uint32_t row, const WaveMask& of, uint32_t* value) {
  WaveMask same;
  bool known = false;
  for (size_t h = 0; h < wave.halves(); ++h) {
    const uint8_t* registers = wave.half(h).frames[Index(wave.Current(h).frame)].registers;
    const auto* values = reinterpret_cast<const uint32_t*>(registers + row);
    for (LaneMask m = of.half[h]; m != 0; m &= m - 1) {
      const int lane = __builtin_ctz(m);
      if (!known) *value = values[lane];
      known = true;
      if (values[lane] == *value) same.half[h] |= 1u << lane;
    }
  }
  return same;
}

// Barriers other than __syncthreads() and its like, which HIP does not have.
bool IsOtherBarrier(const Wave& wave, const Inst& i, const WaveMask& on) {
  uint32_t id = 0, threads = 0;
  return !(SameValue(wave, i.a, on, &id) == on) || !(SameValue(wave, i.b, on, &threads) == on) || id != 0 ||
         threads != 0;
}

void WaitAtBarrier(Exec& x, const Inst& i, Handler wait) {
  const Wave wave(x);
  const WaveMask active = wave.Active(), on = wave.Guarded(i), stay = active - on;
  if (on.None()) return;
  if (IsOtherBarrier(wave, i, on)) {
    RefuseInWave(x, i);
    return;
  }
  if (!stay.None()) {  // a guarded barrier: the other lanes continue without waiting
    Fragment rest = wave.Current(0);
    rest.pc = x.pc;
    wave.SetActive(on);
    wave.NewFragment(rest, stay);
  }
  wave.Leave(x);
  for (size_t h = 0; h < wave.halves(); ++h) {
    Fragment& f = wave.Current(h);
    f.state = FragmentState::kBarrier;  // also of a half whose lanes are elsewhere
    f.barrier = 0;
    f.waits_at = &i;
  }
  for (size_t h = 0; h < wave.halves(); ++h) {
    if (on.half[h] == 0) continue;
    wave.EnterHalf(x, h, on.half[h]);
    wait(x, i);
  }
  x.leave = wave.Current(0).state != FragmentState::kRunnable;
}

}  // namespace

void WaveBranch(Exec& x, const Inst& i) {
  const Wave wave(x);
  const WaveMask taken = wave.Guarded(i), stay = wave.Active() - taken;
  if (taken.None()) return;
  if (stay.None()) {
    x.pc = i.target;
    return;
  }
  x.stats[i.index].divergent() += 1;
  if (x.pc == i.reconverge) {  // those that leave a loop are at the join already
    x.pc = i.target;
    Split(x, wave, i, stay, taken, i.reconverge);
    return;
  }
  Split(x, wave, i, taken, stay, i.target);
}

void WaveBranchIndexed(Exec& x, const Inst& i) {
  const Wave wave(x);
  const std::vector<int32_t>& table = wave.half(0).frames[Index(wave.Current(0).frame)].code->branch_tables[i.table];
  WaveMask left = wave.Guarded(i);
  const bool all = left == wave.Active();
  const uint64_t divergent = x.stats[i.index].divergent();
  while (!left.None()) {
    uint32_t value = 0;
    const WaveMask same = SameValue(wave, i.a, left, &value);
    left = left - same;
    if (value >= table.size()) {  // PTX leaves an index out of range undefined
      const int lane = same.First();
      wave.EnterHalf(x, Index(lane / kLanes), same.half[Index(lane / kLanes)]);
      Report(x, i, FindingKind::kOutOfBounds, lane % kLanes, 0, 0, "brx.idx has an index that its table does not have");
    }
    const int32_t target = value < table.size() ? table[value] : table.back();
    const WaveMask stay = wave.Active() - same;
    if (stay.None() || (all && left.None())) {
      x.pc = target;
      return;
    }
    Split(x, wave, i, same, stay, target);
    x.stats[i.index].divergent() = divergent + 1;
  }
}

void WaveReconverge(Exec& x, const Inst&) {
  const Wave wave(x);
  const int32_t join = wave.Current(0).join;
  if (join < 0) return;
  const Join& own = JoinOf(wave, 0, join);
  if (own.is_call || own.frame != wave.Current(0).frame || own.pc != x.pc - 1) return;
  for (size_t h = 0; h < wave.halves(); ++h) JoinOf(wave, h, join).arrived |= wave.Current(h).mask;
  x.leave = x.gone = true;
  if (!IsFull(wave, join)) {
    wave.SetState(FragmentState::kDone);
    return;
  }
  WaveMask arrived;
  const Fragment together = EndJoin(wave, join, &arrived);
  for (size_t h = 0; h < wave.halves(); ++h) {
    wave.Current(h) = together;
    wave.Current(h).mask = arrived.half[h];
  }
}

void WaveCall(Exec& x, const Inst& i) {
  const Wave wave(x);
  const WaveMask active = wave.Active(), on = wave.Guarded(i);
  if (on.None()) return;
  if (!(on == active)) {  // a guarded call: the other lanes skip it
    x.stats[i.index].divergent() += 1;
    Split(x, wave, i, active - on, on, x.pc);
  }
  const int32_t back = x.pc;
  for (size_t h = 0; h < wave.halves(); ++h) {
    wave.EnterHalf(x, h, on.half[h]);
    x.pc = back;
    StartCall(x, i, i.target, on.half[h]);
  }
}

void WaveReturn(Exec& x, const Inst& i) {
  const Wave wave(x);
  const int32_t frame = wave.Current(0).frame, join = wave.Current(0).join;
  const int32_t call = wave.half(0).frames[Index(frame)].return_join;
  if (call < 0) {
    WaveExit(x, i);
    return;
  }
  const WaveMask on = wave.Guarded(i), stay = wave.Active() - on;
  if (on.None()) return;
  bool all_returned = true;
  for (size_t h = 0; h < wave.halves(); ++h) {
    Warp& w = wave.half(h);
    Frame& own = w.frames[Index(frame)];
    const Frame& caller = w.frames[Index(w.joins[Index(call)].frame)];
    CopyLocal(w, own.call_site->returns, own.local_base, caller.local_base, on.half[h]);
    own.lanes &= ~on.half[h];
    all_returned = all_returned && own.lanes == 0;
  }
  if (stay.None()) {
    wave.SetState(FragmentState::kDone);
    x.leave = x.gone = true;
  } else {
    wave.SetActive(stay);
  }
  for (size_t h = 0; h < wave.halves() && all_returned; ++h) wave.half(h).free_frames.push_back(frame);
  LeaveJoins(wave, join, call, on);
  for (size_t h = 0; h < wave.halves(); ++h) JoinOf(wave, h, call).arrived |= on.half[h];
  CompleteIfFull(wave, call);
}

void WaveExit(Exec& x, const Inst& i) {
  const Wave wave(x);
  const WaveMask on = wave.Guarded(i), stay = wave.Active() - on;
  if (on.None()) return;
  const int32_t join = wave.Current(0).join;
  if (stay.None()) {
    wave.SetState(FragmentState::kDone);
    x.leave = x.gone = true;
  } else {
    wave.SetActive(stay);
  }
  for (size_t h = 0; h < wave.halves(); ++h) {
    Warp& w = wave.half(h);
    w.alive &= ~on.half[h];
    w.done = w.alive == 0;
  }
  x.block->live_threads -= static_cast<uint32_t>(__builtin_popcountll(on.Bits()));
  if (wave.Done()) x.block->progressed = true;
  LeaveJoins(wave, join, -1, on);
  BarriersAfterExit(x);
}

void WaveBarrier(Exec& x, const Inst& i) { WaitAtBarrier(x, i, BarrierSync); }
void WaveBarrierReduce(Exec& x, const Inst& i) { WaitAtBarrier(x, i, BarrierReduce); }

// In lock step, the accesses of all lanes before a fence come before those of all lanes after it, and the compiler
// moves none across.
void WaveFence(Exec& x, const Inst& i) {
  const Wave wave(x);
  const WaveMask on = wave.Guarded(i);
  if (on.half[0] != 0 && on.half[1] != 0) {
    WaveSynced(*x.block, wave.half(0), wave.half(1));
  } else if (!on.None()) {
    const size_t h = on.half[0] != 0 ? 0 : 1;
    wave.EnterHalf(x, h, on.half[h]);
    WarpSynced(x, on.half[h]);
  }
  for (size_t h = 0; h < wave.halves(); ++h) {
    if (on.half[h] == 0) continue;
    wave.EnterHalf(x, h, on.half[h]);
    Fence(x, i);
  }
}

}  // namespace warpgrade::emulator
