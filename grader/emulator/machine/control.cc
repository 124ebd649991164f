// The handlers of branches, calls, returns and exits. A divergent branch splits the current fragment of the warp, and
// the parts meet again at the branch's reconvergence point. Tested by tests/emulator/exec/control_test.cc.
#include "grader/emulator/machine/control.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "grader/emulator/checks/report.h"
#include "grader/emulator/machine/barrier.h"
#include "grader/emulator/recorders/branch_recorder.h"
#include "grader/emulator/state/instruction_costs.h"

namespace warpgrade::emulator {
namespace {

size_t Index(int32_t i) { return static_cast<size_t>(i); }

Fragment& Current(Exec& x) { return x.warp->fragments[Index(x.warp->current)]; }

int32_t NewJoin(Warp& w, const Join& join) {
  if (!w.free_joins.empty()) {
    int32_t j = w.free_joins.back();
    w.free_joins.pop_back();
    w.joins[Index(j)] = join;
    return j;
  }
  w.joins.push_back(join);
  return static_cast<int32_t>(w.joins.size()) - 1;
}

int32_t NewFragment(Warp& w, const Fragment& fragment) {
  for (size_t k = 0; k < w.fragments.size(); ++k) {
    if (w.fragments[k].state == FragmentState::kDone) {
      w.fragments[k] = fragment;
      return static_cast<int32_t>(k);
    }
  }
  w.fragments.push_back(fragment);
  return static_cast<int32_t>(w.fragments.size()) - 1;
}

// Ends a join at which all lanes that it expects have arrived. They continue together: after a call behind it, and
// after a branch by executing the reconvergence marker again, because the next outer join may be at the same place.
Fragment EndJoin(Warp& w, int32_t j) {
  Join& join = w.joins[Index(j)];
  join.live = false;
  w.free_joins.push_back(j);
  return Fragment{.pc = join.pc, .mask = join.arrived, .frame = join.frame, .join = join.parent};
}

void CompleteIfFull(Warp& w, int32_t j) {
  const Join& join = w.joins[Index(j)];
  if (!join.live || join.arrived != join.expected) return;
  const Fragment together = EndJoin(w, j);
  if (together.mask != 0) NewFragment(w, together);
}

void Arrive(Warp& w, int32_t j, LaneMask mask) {
  w.joins[Index(j)].arrived |= mask;
  CompleteIfFull(w, j);
}

// Call this when `mask` will never reach the joins from `from` up to (not including) `until`.
void LeaveJoins(Warp& w, int32_t from, int32_t until, LaneMask mask) {
  for (int32_t j = from; j != until && j >= 0;) {
    Join& join = w.joins[Index(j)];
    int32_t parent = join.parent;
    join.expected &= ~mask;
    join.arrived &= ~mask;
    CompleteIfFull(w, j);
    j = parent;
  }
}

// True if the warp has room for the next call's frame. It reuses a free frame if there is one, and counts only what
// must be added to that.
bool HasRoom(const Warp& w, const FunctionCode& code) {
  const size_t has = w.free_frames.empty() ? 0 : w.frames[Index(w.free_frames.back())].storage.size();
  const size_t need = FrameStorageBytes(code);
  return has >= need || w.frame_bytes + (need - has) <= kMaxFrameBytes;
}

void InitializeFrame(Warp& w, Frame& frame, const FunctionCode& code, uint32_t local_base, int32_t return_join,
                     LaneMask lanes) {
  const size_t need = FrameStorageBytes(code);
  if (frame.storage.size() < need) {
    w.frame_bytes += need - frame.storage.size();
    frame.storage.resize(need);
  }
  auto address = reinterpret_cast<uintptr_t>(frame.storage.data());
  uint8_t* const registers = reinterpret_cast<uint8_t*>((address + 63) / 64 * 64);
  // Nothing writes constants, so they are still there if the frame was one of this function before. Only the carry
  // flags are new: nobody reads the sink.
  const bool has_constants = frame.code == &code && frame.registers == registers;
  const size_t renewed = has_constants ? size_t{kSinkRow} : code.constants.size();
  std::memcpy(registers, code.constants.data(), renewed);
  frame.registers = registers;
  frame.code = &code;
  frame.local_base = local_base;
  frame.dynamic_bytes = 0;
  frame.return_join = return_join;
  frame.lanes = lanes;
}

int32_t NewFrame(Warp& w) {
  if (!w.free_frames.empty()) {
    int32_t f = w.free_frames.back();
    w.free_frames.pop_back();
    return f;
  }
  w.frames.emplace_back();
  return static_cast<int32_t>(w.frames.size()) - 1;
}

// True if the fragment's innermost join belongs to branch `i`.
bool IsJoinOf(const Warp& w, const Fragment& f, const Inst& i) {
  if (f.join < 0 || i.reconverge < 0) return false;
  const Join& join = w.joins[Index(f.join)];
  return !join.is_call && join.pc == i.reconverge && join.frame == f.frame;
}

// Lanes that have arrived at the join continue without the others. Returns false if there are none.
bool ReleaseJoin(Warp& w, int32_t j) {
  Join& join = w.joins[Index(j)];
  if (!join.live || join.is_call || join.arrived == 0) return false;
  LaneMask mask = join.arrived;
  join.expected &= ~mask;
  join.arrived = 0;
  NewFragment(w, Fragment{.pc = join.pc + 1, .mask = mask, .frame = join.frame, .join = join.parent});
  return true;
}

// For the picture of the steps of a warp. REQUIRES: x.branches.
[[gnu::noinline, gnu::cold]] void NoteBranch(Exec& x, const Inst& i, LaneMask inside) {
  x.branches->Note(i.index, x.block->linear, x.warp->index, {.alive = x.warp->alive, .at = x.active, .inside = inside});
}

void Diverge(Exec& x, const Inst& i, LaneMask away, LaneMask stay, int32_t target) {
  x.stats[i.index].divergent() += 1;
  Split(x, i, away, stay, target, false);
}

// True if the arguments and results of a call lie inside the callee's local memory. The decoder ensures this for direct
// calls. For an indirect call it only sees a prototype, which may say anything.
bool Fits(const CallSite& site, const FunctionCode& callee) {
  const auto inside = [&callee](uint64_t offset, uint64_t bytes) { return offset + bytes <= callee.local_bytes; };
  return std::all_of(site.arguments.begin(), site.arguments.end(),
                     [&](const CallSite::Copy& c) { return inside(c.to, c.bytes); }) &&
         std::all_of(site.returns.begin(), site.returns.end(),
                     [&](const CallSite::Copy& c) { return inside(c.from, c.bytes); });
}

}  // namespace

void CopyLocal(Warp& w, const std::vector<CallSite::Copy>& copies, uint32_t from_base, uint32_t to_base,
               LaneMask mask) {
  for (const CallSite::Copy& c : copies) {
    for (LaneMask m = mask; m != 0; m &= m - 1) {
      uint8_t* lane = w.local.data() + static_cast<size_t>(__builtin_ctz(m)) * w.local_stride;
      std::memcpy(lane + to_base + c.to, lane + from_base + c.from, c.bytes);
      if (w.local_valid.empty()) continue;
      std::memset(w.local_valid.data() + (lane - w.local.data()) + to_base + c.to, 1, c.bytes);
    }
  }
}

void StartCall(Exec& x, const Inst& i, int32_t callee, LaneMask mask) {
  Warp& w = *x.warp;
  const FunctionCode& code = x.launch->program->functions[Index(callee)];
  Fragment caller = Current(x);
  const Frame& caller_frame = w.frames[Index(caller.frame)];
  const CallSite& site = caller_frame.code->calls[i.call];
  uint32_t caller_base = caller_frame.local_base;
  uint32_t base = caller_base + caller_frame.code->local_bytes + caller_frame.dynamic_bytes;
  const uint32_t guards = caller_frame.guards + code.guards;
  if (!FitsLocalMemory(uint64_t{base} + code.local_bytes, guards) || w.frames.size() > 20'000 || !HasRoom(w, code)) {
    Report(x, i, FindingKind::kStackOverflow, mask == 0 ? 0 : __builtin_ctz(mask), 0, 0,
           fmt::format("the stack overflowed calling {}: does the recursion end?", code.name));
    return;
  }
  GrowLocal(w, base + code.local_bytes);
  if (!w.local_valid.empty()) {  // the callee must not see what an earlier call wrote there
    for (LaneMask m = mask; m != 0; m &= m - 1) {
      std::memset(w.local_valid.data() + static_cast<size_t>(__builtin_ctz(m)) * w.local_stride + base, 0,
                  code.local_bytes);
    }
    x.owed += static_cast<uint64_t>(kLanes) * code.local_bytes / kBytesPerInstruction;
  }
  x.owed += code.constants.size() / kBytesPerInstruction;
  CopyLocal(w, site.arguments, caller_base, base, mask);
  int32_t join = NewJoin(
      w,
      Join{.parent = caller.join, .frame = caller.frame, .pc = x.pc, .expected = mask, .is_call = true, .live = true});
  int32_t frame = NewFrame(w);
  InitializeFrame(w, w.frames[Index(frame)], code, base, join, mask);
  w.frames[Index(frame)].call_site = &site;
  w.frames[Index(frame)].guards = guards;
  Fragment& f = Current(x);
  f.frame = frame;
  f.join = join;
  f.pc = 0;
  f.mask = mask;
  EnterFragment(x, w.current);
}

void GrowLocal(Warp& w, uint32_t need) {
  if (need <= w.local_stride) return;
  uint32_t stride = w.local_stride == 0 ? 256 : w.local_stride;
  while (stride < need) stride *= 2;
  std::vector<uint8_t> bigger(static_cast<size_t>(stride) * kLanes);
  for (int l = 0; l < kLanes && w.local_stride > 0; ++l) {
    std::memcpy(bigger.data() + static_cast<size_t>(l) * stride,
                w.local.data() + static_cast<size_t>(l) * w.local_stride, w.local_stride);
  }
  if (!w.local_valid.empty()) {
    std::vector<uint8_t> valid(bigger.size());
    for (int l = 0; l < kLanes; ++l) {
      std::memcpy(valid.data() + static_cast<size_t>(l) * stride,
                  w.local_valid.data() + static_cast<size_t>(l) * w.local_stride, w.local_stride);
    }
    w.local_valid = std::move(valid);
  }
  w.local = std::move(bigger);
  w.local_stride = stride;
}

void SetAside(Exec& x, LaneMask lanes, int32_t pc) {
  Fragment& f = Current(x);
  Fragment other = f;
  other.mask = lanes;
  other.pc = pc;
  f.mask &= ~lanes;
  x.active = f.mask;
  NewFragment(*x.warp, other);
}

void Split(Exec& x, const Inst& i, LaneMask away, LaneMask stay, int32_t target, bool polling) {
  Warp& w = *x.warp;
  w.spun = 0;
  Fragment& f = Current(x);
  int32_t join = f.join;
  if (i.reconverge >= 0 && !IsJoinOf(w, f, i)) {
    join = NewJoin(w, Join{.parent = join, .frame = f.frame, .pc = i.reconverge, .expected = x.active, .live = true});
  }
  f.join = join;
  f.mask = x.active = stay;
  f.pc = x.pc;
  // Lanes that have nothing to do before the join, as most have at an `if`, wait there at once and need no fragment.
  // The join does not become full, since the other lanes are still to come.
  if (i.reconverge >= 0 && target == i.reconverge && !polling) {
    w.joins[Index(join)].arrived |= away;
    return;
  }
  const int32_t frame = f.frame;
  NewFragment(w, Fragment{.pc = target, .mask = away, .frame = frame, .join = join, .polling = polling});
}

bool ReleaseOwnJoin(Exec& x, const Inst& i) {
  Warp& w = *x.warp;
  return IsJoinOf(w, Current(x), i) && ReleaseJoin(w, Current(x).join);
}

void Branch(Exec& x, const Inst& i) {
  LaneMask taken = x.mask, stay = x.active & ~taken;
  // A branch backwards repeats a loop with the lanes that take it. One forwards skips the work of an `if`, so those
  // that stay do it.
  if (x.branches != nullptr) NoteBranch(x, i, i.target < x.pc ? taken : stay);
  if (taken == 0) return;
  if (stay == 0) {
    x.pc = i.target;
    return;
  }
  if (x.pc == i.reconverge) {  // those that leave a loop are at the join already
    x.pc = i.target;
    Diverge(x, i, stay, taken, i.reconverge);
    return;
  }
  Diverge(x, i, taken, stay, i.target);
}

void BranchIndexed(Exec& x, const Inst& i) {
  const std::vector<int32_t>& table = x.warp->frames[Index(Current(x).frame)].code->branch_tables[i.table];
  const uint32_t* index = Row<uint32_t>(x, i.a);
  LaneMask left = x.mask;
  bool all = x.mask == x.active;
  if (x.branches != nullptr && left != 0) {
    LaneMask same = 0;  // those that go where the first one goes
    for (int l = 0; l < kLanes; ++l) {
      same |= (left >> l & 1) != 0 && index[l] == index[__builtin_ctz(left)] ? 1u << l : 0;
    }
    NoteBranch(x, i, same);
  }
  const uint64_t divergent = x.stats[i.index].divergent();
  while (left != 0) {
    uint32_t v = index[__builtin_ctz(left)];
    LaneMask same = 0;
    for (LaneMask m = left; m != 0; m &= m - 1) {
      int l = __builtin_ctz(m);
      if (index[l] == v) same |= 1u << l;
    }
    left &= ~same;
    // PTX leaves an index out of range undefined.
    if (v >= table.size()) {
      Report(x, i, FindingKind::kOutOfBounds, __builtin_ctz(same), 0, 0,
             fmt::format("brx.idx has the index {}, but its table has {} labels", v, table.size()));
    }
    const int32_t target = v < table.size() ? table[v] : table.back();
    LaneMask stay = x.active & ~same;
    if (stay == 0 || (all && left == 0)) {
      x.pc = target;
      return;
    }
    Diverge(x, i, same, stay, target);
    // Counts as one divergent branch, however many targets its lanes take.
    x.stats[i.index].divergent() = divergent + 1;
  }
}

void ReconvergenceMarker(Exec& x, const Inst&) {
  Warp& w = *x.warp;
  Fragment& f = Current(x);
  if (f.join < 0) return;
  Join& join = w.joins[Index(f.join)];
  if (join.is_call || join.frame != f.frame || join.pc != x.pc - 1) return;
  w.spun = 0;
  x.leave = x.gone = true;
  join.arrived |= x.active;
  if (join.arrived == join.expected) {
    f = EndJoin(w, f.join);  // the last to arrive goes on with all, in its own place
  } else {
    f.state = FragmentState::kDone;
  }
}

void Call(Exec& x, const Inst& i) {
  if (x.mask == 0) return;
  if (x.mask != x.active) {  // a guarded call: the other lanes skip it
    Diverge(x, i, x.active & ~x.mask, x.mask, x.pc);
  }
  StartCall(x, i, i.target, x.mask);
}

void CallIndirect(Exec& x, const Inst& i) {
  if (x.mask == 0) return;
  const uint64_t* address = Row<uint64_t>(x, i.a);
  int first = __builtin_ctz(x.mask);
  const uint64_t callee = (address[first] - kFunctionBase) / 16;  // 0 is the kernel itself, which nothing may call
  const std::vector<FunctionCode>& functions = x.launch->program->functions;
  if (address[first] < kFunctionBase || callee == 0 || callee >= functions.size() || functions[callee].code.empty()) {
    Report(x, i, FindingKind::kOutOfBounds, first, address[first], 0,
           "called an address that is not the start of a function");
    x.leave = true;
    return;
  }
  LaneMask same = 0;
  for (LaneMask m = x.mask; m != 0; m &= m - 1) {
    int l = __builtin_ctz(m);
    if (address[l] == address[first]) same |= 1u << l;
  }
  if (!Fits(x.warp->frames[Index(Current(x).frame)].code->calls[i.call], functions[callee])) {
    Report(x, i, FindingKind::kOutOfBounds, first, address[first], 0,
           fmt::format("called {} as a function with other parameters than it has", functions[callee].name));
    x.leave = true;
    return;
  }
  if (x.mask != x.active) Diverge(x, i, x.active & ~x.mask, x.mask, x.pc);
  if (same != x.mask) Diverge(x, i, x.mask & ~same, same, x.pc - 1);  // the others execute this call again later
  StartCall(x, i, static_cast<int32_t>(callee), same);
}

void Return(Exec& x, const Inst& i) {
  Warp& w = *x.warp;
  Fragment& f = Current(x);
  Frame& frame = w.frames[Index(f.frame)];
  if (frame.return_join < 0) {
    Exit(x, i);
    return;
  }
  LaneMask mask = x.mask, stay = x.active & ~mask;
  if (mask == 0) return;
  int32_t frame_index = f.frame, own_join = f.join, call_join = frame.return_join;
  Frame& caller = w.frames[Index(w.joins[Index(call_join)].frame)];
  CopyLocal(w, frame.call_site->returns, frame.local_base, caller.local_base, mask);
  if (stay == 0) {
    f.state = FragmentState::kDone;
    x.leave = x.gone = true;
  } else {
    f.mask = stay;
    x.active = stay;
  }
  frame.lanes &= ~mask;
  if (frame.lanes == 0) w.free_frames.push_back(frame_index);
  LeaveJoins(w, own_join, call_join, mask);
  Arrive(w, call_join, mask);
}

void Exit(Exec& x, const Inst&) {
  Warp& w = *x.warp;
  LaneMask mask = x.mask, stay = x.active & ~mask;
  if (mask == 0) return;
  Fragment& f = Current(x);
  int32_t own_join = f.join;
  if (stay == 0) {
    f.state = FragmentState::kDone;
    x.leave = x.gone = true;
  } else {
    f.mask = stay;
    x.active = stay;
  }
  w.alive &= ~mask;
  w.spun = 0;
  LeaveJoins(w, own_join, -1, mask);
  if (w.alive == 0) {
    w.done = true;
    x.block->progressed = true;
  }
  x.block->live_threads -= static_cast<uint32_t>(__builtin_popcount(mask));
  BarriersAfterExit(x);
  WarpSyncsAfterExit(x);
}

bool ReleaseJoins(Warp& w) {
  bool released = false;
  for (size_t j = 0; j < w.joins.size(); ++j) released |= ReleaseJoin(w, static_cast<int32_t>(j));
  w.spun = 0;
  w.impatient = true;
  return released;
}

void StartWarp(const LaunchShared& launch, Warp& w, int32_t index) {
  w.index = index;
  w.existing = w.alive = launch.warp_threads[Index(index)].existing;
  w.order.Start();
  w.last_strong = nullptr;
  w.done = w.alive == 0;
  w.spun = 0;
  w.impatient = false;
  w.ran = 0;
  w.starts = true;
  w.launched = 0;
  w.joins.clear();
  w.free_joins.clear();
  w.free_frames.clear();
  if (w.frames.empty()) w.frames.emplace_back();
  for (size_t f = 1; f < w.frames.size(); ++f) w.free_frames.push_back(static_cast<int32_t>(f));
  const FunctionCode& kernel = launch.program->functions[0];
  InitializeFrame(w, w.frames[0], kernel, 0, -1, w.alive);
  w.frames[0].guards = kernel.guards;
  GrowLocal(w, kernel.local_bytes);
  w.local_valid.assign(launch.check_local ? w.local.size() : 0, 0);
  w.fragments.clear();
  w.fragments.push_back(Fragment{.pc = 0, .mask = w.alive, .frame = 0, .join = -1});
  w.current = 0;
}

}  // namespace warpgrade::emulator
