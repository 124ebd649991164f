// Splits an access into the lines that it touches, and finds which lanes touch each line in order. race_lines.h
// compares the parts with earlier accesses and remembers them. Tested by tests/emulator/exec/race_test.cc and
// global_race_test.cc, and quick_read_test.cc.
#include "grader/emulator/checks/race_check.h"

#include <algorithm>
#include <optional>

#include "grader/emulator/checks/deferred_reads.h"
#include "grader/emulator/checks/happens_before.h"
#include "grader/emulator/checks/race_lines.h"
#include "grader/emulator/memory/initialised.h"

namespace warpgrade::emulator {
namespace {

uint32_t WordRange(uint32_t from, uint32_t to) {  // the 4-byte words of the bytes [from, to) of a line
  uint32_t first = from / 4, count = to / 4 - first;
  return (count >= 32 ? ~0u : (1u << count) - 1u) << first;
}

uint32_t Log2(int size) { return static_cast<uint32_t>(__builtin_ctz(static_cast<unsigned>(size))); }

LinePart PartOf(const RaceAccess& now, uint64_t address, int size, uint32_t log2, int lane) {
  LinePart part;
  part.line_address = address & ~(kLineBytes - 1);
  part.from = static_cast<uint32_t>(address - part.line_address);
  part.to = part.from + static_cast<uint32_t>(size);
  part.words = size >= 4 ? WordRange(part.from, part.to) : 0;
  int base = log2 == kSameWord ? lane : lane - static_cast<int>(part.from >> log2);
  part.meta = MakeMeta(now.inst.index, now.writes, now.kind, log2, base);
  return part;
}

// Lanes that follow each other.
bool IsUnbroken(LaneMask mask) {
  const LaneMask run = mask >> __builtin_ctz(mask);
  return (run & (run + 1)) == 0;
}

// For lanes whose addresses rise in order: visits each line of the run once. Returns false if the run is not made of
// whole words.
bool VisitRun(const RaceAccess& now, const AccessLanes& a, LinePhase phase) {
  const int first = __builtin_ctz(a.mask);
  const uint64_t size = static_cast<uint64_t>(a.size);
  const bool unbroken = IsUnbroken(a.mask);
  if ((!unbroken && a.size != 4) || ((a.low | a.end) & 3) != 0) return false;
  // The address of lane 0, or what it would be if lane 0 is inactive.
  const int64_t lane0 = static_cast<int64_t>(a.low) - first * a.size;
  const uint32_t log2 = Log2(a.size);
  for (uint64_t line = a.low & ~(kLineBytes - 1); line < a.end; line += kLineBytes) {
    LinePart part;
    part.line_address = line;
    part.from = static_cast<uint32_t>(std::max(a.low, line) - line);
    part.to = static_cast<uint32_t>(std::min(a.end, line + kLineBytes) - line);
    const int64_t base = (static_cast<int64_t>(line) - lane0) / static_cast<int64_t>(size);
    part.words = WordRange(part.from, part.to);
    if (!unbroken) part.words &= base >= 0 ? a.mask >> base : a.mask << -base;
    if (part.words == 0) continue;
    part.meta = MakeMeta(now.inst.index, now.writes, now.kind, log2, static_cast<int>(base));
    VisitLine(now, part, phase);
  }
  return true;
}

// A column has at least so many lanes, with so many bytes from lane to lane on average. Words that are closer together
// often fit into records: for example if lanes swap with their neighbours.
constexpr int kLeastLanesOfColumn = 8;
constexpr uint64_t kLeastStepOfColumn = kLineBytes / 2;

// True if a warp walks down a column of shared memory: its lanes' words are far apart from each other. The next warps
// walk down the next columns, so the lines get more accesses to single words than LineRecords can hold. Such a line is
// kept by words from the start. Atomics are left out: they often come back to a word.
bool IsColumn(const RaceAccess& now, const AccessLanes& a) {
  const int lanes = __builtin_popcount(a.mask);
  return !now.global && a.size == 4 && a.kind != AccessKind::kAtomic && lanes >= kLeastLanesOfColumn &&
         a.end - a.low >= static_cast<uint64_t>(lanes) * kLeastStepOfColumn;
}

// Remembers the lanes of a column that are the first to touch their words. Returns the others.
LaneMask VisitColumn(const RaceAccess& now, const AccessLanes& a) {
  Block& block = *now.x.block;
  LaneMask left = 0;
  for (LaneMask m = a.mask; m != 0; m &= m - 1) {
    const int lane = __builtin_ctz(m);
    const uint64_t at = a.addresses[lane] + a.offset;
    LineShadow& line = block.shadow[at / kLineBytes];
    const uint32_t word = static_cast<uint32_t>(at % kLineBytes / 4);
    const AccessMeta meta = MakeMeta(now.inst.index, now.writes, now.kind, 2, lane - static_cast<int>(word));
    const bool ready = line.stamp == now.stamp || StartInWords(now.stamp, line, block.granules);
    if (!ready || !VisitUntouchedWord(now, line, block.granules, word, meta)) left |= 1u << lane;
  }
  return left;
}

// For all other accesses: groups neighbouring lanes that access one place, or consecutive places.
void VisitLanes(const RaceAccess& now, const AccessLanes& a, LinePhase phase) {
  const uint64_t size = static_cast<uint64_t>(a.size);
  LaneMask left = a.mask;
  if (phase == kBoth && IsColumn(now, a)) left = VisitColumn(now, a);
  for (LaneMask m = left; m != 0;) {
    const int first = __builtin_ctz(m);
    const uint64_t at = a.addresses[first] + a.offset;
    int count = 1;
    uint64_t step = 0;
    if (first < kLanes - 1 && (m >> (first + 1) & 1) != 0) {
      step = a.addresses[first + 1] + a.offset - at;
      if (step == 0 || step == size) {
        do {
          ++count;
        } while (first + count < kLanes && (m >> (first + count) & 1) != 0 &&
                 a.addresses[first + count] + a.offset - at == step * static_cast<uint64_t>(count));
      }
    }
    const LaneMask group = (count == kLanes ? kAllLanes : (1u << count) - 1u) << first;
    m &= ~group;
    if (count == 1) {
      VisitLine(now, PartOf(now, at, a.size, Log2(a.size), first), phase);
    } else if (step == 0) {
      // When several lanes store to one place, the last lane wins. CheckCollidingStores has checked the others.
      const bool store = a.kind == AccessKind::kWrite;
      VisitLine(now, PartOf(now, at, a.size, store ? Log2(a.size) : kSameWord, store ? first + count - 1 : first),
                phase);
    } else {
      AccessLanes run{a.addresses, a.offset, group, a.size, a.kind, true, at, at + size * static_cast<uint64_t>(count)};
      if (VisitRun(now, run, phase)) continue;
      for (int lane = first; lane < first + count; ++lane) {
        VisitLine(now, PartOf(now, a.addresses[lane] + a.offset, a.size, Log2(a.size), lane), phase);
      }
    }
  }
}

// True if each active lane's address is above the previous lane's, so that no two lanes access the same byte.
bool Rising(const AccessLanes& a) {
  if (a.mask == kAllLanes) {
    bool falls = false;
    for (int l = 1; l < kLanes; ++l) falls |= a.addresses[l] <= a.addresses[l - 1];
    return !falls;
  }
  uint64_t last = 0;
  for (LaneMask m = a.mask; m != 0; m &= m - 1) {
    uint64_t at = a.addresses[__builtin_ctz(m)] + a.offset;
    if (at <= last && m != a.mask) return false;
    last = at;
  }
  return true;
}

void VisitAll(const RaceAccess& now, const AccessLanes& a) {
  if (a.contiguous && VisitRun(now, a, kBoth)) return;
  if (a.same && a.kind != AccessKind::kWrite && IsUnbroken(a.mask)) {  // as VisitLanes would, all lanes at once
    VisitLine(now, PartOf(now, a.low, a.size, kSameWord, __builtin_ctz(a.mask)), kBoth);
    return;
  }
  if (a.kind == AccessKind::kWrite && !Rising(a)) {  // lanes of one instruction do not race with each other here
    VisitLanes(now, a, kCompare);
    VisitLanes(now, a, kRemember);
  } else {
    VisitLanes(now, a, kBoth);
  }
}

// Looks at the reads of this interval that were deferred, in their order.
[[gnu::noinline]] void CatchUp(const RaceAccess& now, DeferredReads& deferred) {
  if (deferred.interval != now.stamp) return;
  for (const DeferredReads::Read& r : deferred.reads) {
    uint64_t addresses[kLanes];
    const uint64_t step = r.contiguous ? static_cast<uint64_t>(r.size) : 0;
    const uint64_t lane0 = r.low - static_cast<uint64_t>(__builtin_ctz(r.mask)) * step;
    for (uint64_t l = 0; l < kLanes; ++l) {
      addresses[l] = r.contiguous || r.same ? lane0 + l * step : deferred.addresses[r.row][l];
    }
    const RaceAccess then{now.x, *r.inst, false, false, SyncKind::kPlain, now.stamp, r.id, r.size, 0, r.full_sync};
    VisitAll(then, {addresses, 0, r.mask, r.size, AccessKind::kRead, r.contiguous, r.low, r.end, r.same});
  }
  deferred.Start(now.stamp);
}

// Defers a read of an interval in which nobody has written yet. Returns false if it must be looked at now.
[[gnu::noinline]] bool DeferRead(const RaceAccess& now, const AccessLanes& a) {
  Block& block = *now.x.block;
  if (block.deferred_reads == nullptr) block.deferred_reads = std::make_shared<DeferredReads>();
  DeferredReads& deferred = *block.deferred_reads;
  if (deferred.interval != now.stamp) deferred.Start(now.stamp);
  // A read of one place or of a run is quick to look at. But the order of reads must be kept.
  if (deferred.reads.empty() && (a.contiguous || a.same)) return false;
  if (deferred.reads.size() >= DeferredReads::kMostPerLine * block.shadow.size()) {
    CatchUp(now, deferred);
    block.not_only_reads = now.stamp;
    return false;
  }
  deferred.Add(now.inst, now.id, now.full_sync, a);
  return true;
}

// Returns true if the access need not be looked at yet (deferred_reads.h).
bool Defer(const RaceAccess& now, const AccessLanes& a) {
  Block& block = *now.x.block;
  DeferredReads* const deferred = block.deferred_reads.get();
  if (now.writes || now.kind != SyncKind::kPlain) {
    block.not_only_reads = now.stamp;
    if (deferred != nullptr) CatchUp(now, *deferred);
    return false;
  }
  if (block.not_only_reads == now.stamp || (deferred == nullptr && (a.contiguous || a.same))) return false;
  return DeferRead(now, a);
}

SyncKind KindOfAccess(const Exec& x, const Inst& inst, bool global, const AccessLanes& a) {
  const SyncKind strong = (inst.order & kBlockScope) != 0 ? SyncKind::kBlock : SyncKind::kDevice;
  if (a.kind == AccessKind::kAtomic) return strong;
  if ((inst.order & kStrong) == 0) return SyncKind::kPlain;
  if ((inst.order & kVolatile) == 0) return strong;
  const WarpOrder& order = x.warp->order;
  if (!global) return (order.fenced & a.mask) == 0 ? SyncKind::kVolatile : strong;
  // A flag is watched by loads that decide a branch, and published by a store after a fence.
  const bool flag = a.kind == AccessKind::kRead
                        ? (inst.order & kDecides) != 0
                        : x.launch->program->watches_flags && (order.fresh[kBlockFence] & a.mask) != 0;
  return flag ? strong : SyncKind::kVolatile;
}

// True if plain reads of these words of shared memory need no record.
bool IsSettled(const Block& block, uint32_t low, uint32_t end) {
  constexpr auto kLine = static_cast<uint32_t>(kLineBytes);
  for (uint32_t at = low; at < end; at = (at / kLine + 1) * kLine) {
    const LineShadow& line = block.shadow[at / kLine];
    const uint32_t words = WordRange(at % kLine, std::min(end - at / kLine * kLine, kLine));
    if ((words & ~SettledForReads(line, block.barrier_epoch)) != 0) return false;
  }
  return true;
}

RaceAccess AccessToShared(Exec& x, const Inst& inst, bool writes, SyncKind kind, int size) {
  return {x, inst, false, writes, kind, x.block->barrier_epoch, CurrentAccess(x), size, 0, x.warp->order.full_sync};
}

template <typename F>
void ForSyncWords(const AccessLanes& a, F f) {
  uint64_t last = ~uint64_t{0};
  for (LaneMask m = a.mask; m != 0; m &= m - 1) {
    int lane = __builtin_ctz(m);
    uint64_t address = a.addresses[lane] + a.offset;
    for (uint64_t word = address & ~uint64_t{3}; word < address + static_cast<uint64_t>(a.size); word += 4) {
      if (word != last) f(word, lane);
      last = word;
    }
  }
}

}  // namespace

void CheckSharedRace(Exec& x, const Inst& inst, const AccessLanes& a) {
  const RaceAccess now = AccessToShared(x, inst, a.kind != AccessKind::kRead, KindOfAccess(x, inst, false, a), a.size);
  if (!Defer(now, a)) VisitAll(now, a);
}

bool CheckPlainRead(Exec& x, const Inst& inst, LaneMask mask, int size, uint32_t low, uint32_t end, bool same) {
  Block& block = *x.block;
  if (((low | end) & 3) != 0) return false;
  if (!block.shared_valid.empty() && !AllWritten(block.shared_valid.data(), low, end - low)) return false;
  if (block.shadow.empty() || IsSettled(block, low, end)) return true;
  if (block.deferred_reads != nullptr && block.not_only_reads != block.barrier_epoch) return false;  // they come first
  const RaceAccess now = AccessToShared(x, inst, false, SyncKind::kPlain, size);
  if (!same) return VisitRun(now, {nullptr, 0, mask, size, AccessKind::kRead, true, low, end}, kBoth);
  if (!IsUnbroken(mask)) return false;
  const LinePart part = PartOf(now, low, size, kSameWord, __builtin_ctz(mask));
  LineShadow& line = block.shadow[low / kLineBytes];
  if (size != 4 || !VisitUntouchedWord(now, line, block.granules, part.from / 4, part.meta))
    VisitLine(now, part, kBoth);
  return true;
}

void CheckGlobalRace(Exec& x, const Inst& inst, const AccessLanes& a) {
  GlobalShadow& shadow = *x.launch->shadow;
  RaceAccess now{x,
                 inst,
                 true,
                 a.kind != AccessKind::kRead,
                 KindOfAccess(x, inst, true, a),
                 shadow.stamp(),
                 CurrentAccess(x),
                 a.size,
                 GlobalMemory::kBase,
                 x.warp->order.full_sync};
  VisitAll(now, a);
}

void CheckCollidingStores(Exec& x, const Inst& inst, bool global, const AccessLanes& a, const uint32_t* rows,
                          int vector, int cell_bytes) {
  if (a.contiguous || (a.mask & (a.mask - 1)) == 0 || Rising(a)) return;
  constexpr uint32_t kSlots = 64;
  int8_t slot[kSlots];
  __builtin_memset(slot, -1, sizeof(slot));
  const uint32_t shift = Log2(a.size);
  auto value_differs = [&](int l, int k) {
    const int element = a.size / vector;  // bytes of a cell that are stored
    for (int v = 0; v < vector; ++v) {
      const uint8_t* row = x.frame + rows[v];
      if (__builtin_memcmp(row + l * cell_bytes, row + k * cell_bytes, static_cast<size_t>(element)) != 0) return true;
    }
    return false;
  };
  for (LaneMask m = a.mask; m != 0; m &= m - 1) {
    int lane = __builtin_ctz(m);
    uint64_t at = a.addresses[lane] + a.offset;
    uint32_t h = static_cast<uint32_t>((at >> shift) * 0x9E3779B97F4A7C15u >> 58);
    while (slot[h] >= 0 && a.addresses[slot[h]] != a.addresses[lane]) h = (h + 1) % kSlots;
    if (slot[h] < 0) {
      slot[h] = static_cast<int8_t>(lane);
    } else if (value_differs(lane, slot[h])) {
      AccessMeta meta = MakeMeta(inst.index, true, SyncKind::kPlain, shift, 0);
      ReportRace(x, inst, global, lane, at, a.size,
                 {WithLane(CurrentAccess(x), static_cast<uint32_t>(slot[h])), meta, true});
      return;
    }
  }
}

void BeforeStrongWrite(Exec& x, const Inst& inst, bool global, const AccessLanes& a) {
  if (x.launch->sync == nullptr) return;
  if ((inst.order & kRelease) != 0) {
    FenceExecuted(x, a.mask, (inst.order & kBlockScope) != 0 ? kBlockFence : kDeviceFence);
  }
  ForSyncWords(a, [&](uint64_t word, int lane) { x.launch->sync->OnWrite(x, inst, SyncKey(x, global, word), lane); });
  if (a.kind == AccessKind::kWrite) {
    for (LaneMask& fresh : x.warp->order.fresh) fresh &= ~a.mask;
  }
}

void AfterStrongRead(Exec& x, const Inst& inst, bool global, const AccessLanes& a) {
  if (x.launch->sync == nullptr) return;
  std::optional<FenceScope> fence;
  if ((inst.order & kAcquire) != 0) fence = (inst.order & kBlockScope) != 0 ? kBlockFence : kDeviceFence;
  if (a.kind == AccessKind::kAtomic) {
    WarpOrder& order = x.warp->order;
    const uint32_t epoch = EpochOf(CurrentAccess(x));
    for (const FenceScope scope : {kBlockFence, kDeviceFence}) {
      // The fence before a counter's atomic serves both sides; a lock needs another one after it was taken.
      const bool after_fence = (order.fresh[scope] & a.mask) != 0 || x.block->order.fenced_before[scope] == epoch;
      if (after_fence && (inst.order & kCompares) == 0) fence = scope;
      order.fresh[scope] &= ~a.mask;
    }
  }
  ForSyncWords(a, [&](uint64_t word, int) { x.launch->sync->OnRead(x, inst, SyncKey(x, global, word), fence); });
}

}  // namespace warpgrade::emulator
