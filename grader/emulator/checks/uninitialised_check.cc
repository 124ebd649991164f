// Finds reads of bytes that nothing has written: memory from cudaMalloc, shared memory and local memory hold garbage
// until a store. A read is reported when all bytes of one of its elements are unwritten, so that copying a structure
// with padding is not reported. The race check is called from here too. Tested by
// tests/emulator/exec/uninitialised_test.cc.
#include <fmt/format.h>

#include <algorithm>

#include "grader/emulator/checks/access_check.h"
#include "grader/emulator/checks/local_parts.h"
#include "grader/emulator/checks/place_name.h"
#include "grader/emulator/checks/race_check.h"
#include "grader/emulator/checks/report.h"
#include "grader/emulator/memory/initialised.h"
#include "grader/emulator/state/child_launches.h"

namespace warpgrade::emulator {
namespace {

// True if an earlier thread has reported the same finding; then this only increases its count.
bool KnownAlready(Exec& x, const Inst& inst, int lane) {
  const uint64_t order = x.block->linear * 1024 + static_cast<uint64_t>(x.warp->index * kLanes + lane);
  for (PendingFinding& seen : *x.findings) {
    if (seen.inst != inst.index || seen.finding.kind != FindingKind::kUninitialisedRead || order < seen.order) continue;
    ++seen.finding.count;
    return true;
  }
  return false;
}

void ReportUnwritten(Exec& x, const Inst& inst, int lane, uint64_t address, int size, const std::string& what) {
  Report(x, inst, FindingKind::kUninitialisedRead, lane, address, size,
         fmt::format("read {}, which nothing has written yet", what));
}

bool IsRun(LaneMask mask) {
  LaneMask low = mask & (~mask + 1u);
  return ((mask + low) & mask) == 0;
}

// Checks each element of each lane with `written`, and reports the first element that nothing has written. `window` is
// added to the address in the report.
template <typename Written, typename Name>
void FindUnwritten(Exec& x, const Inst& inst, const AccessLanes& a, Written written, Name name, uint64_t window = 0) {
  const int element = a.kind == AccessKind::kRead ? a.size / std::max<int>(1, inst.vector) : a.size;
  for (LaneMask m = a.mask; m != 0; m &= m - 1) {
    int lane = __builtin_ctz(m);
    uint64_t address = a.addresses[lane] + a.offset;
    for (int at = 0; at < a.size; at += element) {
      uint64_t place = address + static_cast<uint64_t>(at);
      if (written(place, element)) continue;
      if (!KnownAlready(x, inst, lane)) ReportUnwritten(x, inst, lane, window + address, a.size, name(place, element));
      return;
    }
  }
}

// Calls `f(from, bytes)` for the bytes of the access, with one call for a whole contiguous run or for one place.
template <typename F>
void ForRanges(const AccessLanes& a, F f) {
  if (a.contiguous && IsRun(a.mask)) {
    f(a.low, a.end - a.low);
    return;
  }
  if (a.same) {
    f(a.low, static_cast<uint64_t>(a.size));
    return;
  }
  for (LaneMask m = a.mask; m != 0; m &= m - 1) {
    f(a.addresses[__builtin_ctz(m)] + a.offset, static_cast<uint64_t>(a.size));
  }
}

// True if something has written each byte of the access. An address's bit in `bits` is at the address minus `start`.
bool WrittenInAllLanes(const uint64_t* bits, const AccessLanes& a, uint64_t start) {
  if (a.same || (a.contiguous && IsRun(a.mask))) return AllWritten(bits, a.low - start, a.end - a.low);
  const uint64_t size = static_cast<uint64_t>(a.size);
  const bool aligned = (size & (size - 1)) == 0 && size < 64;  // then no lane's bytes lie in two words of `bits`
  const uint64_t one = (uint64_t{1} << (size % 64)) - 1;
  uint64_t missing = 0;
  const auto look = [&](int lane) {
    const uint64_t at = a.addresses[lane] + a.offset - start;
    missing |= ~__atomic_load_n(&bits[at / 64], __ATOMIC_RELAXED) >> (at % 64) & one;
  };
  if (aligned && a.mask == kAllLanes) {
    for (int lane = 0; lane < kLanes; ++lane) look(lane);
    return missing == 0;
  }
  for (LaneMask m = a.mask; m != 0; m &= m - 1) {
    if (aligned) {
      look(__builtin_ctz(m));
    } else if (!AllWritten(bits, a.addresses[__builtin_ctz(m)] + a.offset - start, size)) {
      return false;
    }
  }
  return missing == 0;
}

void CheckGlobalWritten(Exec& x, const Inst& inst, const AccessLanes& a) {
  const GlobalMemory& memory = *x.launch->memory;
  const bool one_allocation = a.low >= x.allocation.base && a.end <= x.allocation.end;
  if (one_allocation && x.allocation.initialised) return;
  // An exchange whose old value nobody uses is a store.
  const bool reads = a.kind != AccessKind::kWrite && (inst.order & kOverwrites) == 0;
  uint64_t* bits = memory.written();
  auto written = [&](uint64_t at, int bytes) {
    if (AnyWritten(bits, at - GlobalMemory::kBase, static_cast<uint64_t>(bytes))) return true;
    if (one_allocation) return false;
    const Allocation* own = memory.Find(at);
    return own != nullptr && own->initialised;
  };
  if (reads) {
    // If everything was written before, there is nothing to set.
    if (WrittenInAllLanes(bits, a, GlobalMemory::kBase)) return;
    FindUnwritten(x, inst, a, written, [&](uint64_t at, int element) { return GlobalPlace(memory, at, element); });
  }
  if (a.kind != AccessKind::kRead) {
    ForRanges(a, [&](uint64_t at, uint64_t n) { SetWritten(bits, at - GlobalMemory::kBase, n); });
  }
}

// For the race between a kernel and the kernels that it launched.
[[gnu::noinline, gnu::cold]] void NoteAfterLaunch(Exec& x, const Inst& inst, const AccessLanes& a, bool strong) {
  for (LaneMask m = a.mask & x.warp->launched; m != 0; m &= m - 1) {
    const int lane = __builtin_ctz(m);
    const Allocation* const allocation = x.launch->memory->Find(a.addresses[lane] + a.offset);
    if (allocation == nullptr || allocation->in_kernel) continue;  // such as the parameters of the next launch
    const uint64_t thread = static_cast<uint64_t>(x.warp->index) * kLanes + static_cast<uint64_t>(lane);
    x.launch->children->NoteLater(x.block->linear, thread,
                                  {.address = a.addresses[lane] + a.offset,
                                   .bytes = static_cast<uint32_t>(a.size),
                                   .writes = a.kind != AccessKind::kRead,
                                   .is_strong = strong,
                                   .inst = inst.index});
  }
}

// For the order of streams. An atomic reads what it writes, and is of both kinds by being a strong write. If its old
// value is used, it is a strong read as well: the thread may have waited for this value.
void NoteTouched(Exec& x, const Inst& inst, const AccessLanes& a) {
  using Memory = TouchedMemory;
  const bool strong = a.kind == AccessKind::kAtomic || (inst.order & kStrong) != 0;
  const bool reads = a.kind == AccessKind::kRead;
  if ((x.warp->launched & a.mask) != 0) NoteAfterLaunch(x, inst, a, strong);
  const Memory::Kind kind =
      strong ? (reads ? Memory::kStrongRead : Memory::kStrongWrite) : (reads ? Memory::kRead : Memory::kWrite);
  ForRanges(a, [&](uint64_t at, uint64_t n) { x.launch->touched->Note(kind, at - GlobalMemory::kBase, n); });
  if ((inst.order & kOldValue) == 0) return;
  ForRanges(
      a, [&](uint64_t at, uint64_t n) { x.launch->touched->Note(Memory::kStrongRead, at - GlobalMemory::kBase, n); });
}

// In bytes. An access that spans at most this is tested as a whole first, gaps included, and then lane by lane.
constexpr uint64_t kWholeSpan = 1024;

void CheckSharedWritten(Exec& x, const Inst& inst, const AccessLanes& a) {
  uint64_t* bits = x.block->shared_valid.data();
  if (a.kind != AccessKind::kWrite && (inst.order & kOverwrites) == 0) {
    // If everything was written before, there is nothing to set.
    if (a.end - a.low <= kWholeSpan && AllWritten(bits, a.low, a.end - a.low)) return;
    if (WrittenInAllLanes(bits, a, 0)) return;
    FindUnwritten(
        x, inst, a, [&](uint64_t at, int n) { return AnyWritten(bits, at, static_cast<uint64_t>(n)); },
        [&](uint64_t at, int element) { return SharedPlace(*x.launch, at, element); });
  }
  if (a.kind != AccessKind::kRead) {
    ForRanges(a, [&](uint64_t at, uint64_t n) { SetWritten(bits, at, n); });
  }
}

}  // namespace

void ObserveGlobal(Exec& x, const Inst& inst, const AccessLanes& a) {
  if (x.launch->touched != nullptr) NoteTouched(x, inst, a);
  if (x.launch->check_uninitialised) CheckGlobalWritten(x, inst, a);
  if (x.launch->shadow != nullptr) CheckGlobalRace(x, inst, a);
}

void ObserveShared(Exec& x, const Inst& inst, const AccessLanes& a) {
  if (!a.written && !x.block->shared_valid.empty()) CheckSharedWritten(x, inst, a);
  if (!x.block->shadow.empty()) CheckSharedRace(x, inst, a);
}

void ObserveLocal(Exec& x, const Inst& inst, const uint64_t* addresses, uint64_t offset, LaneMask mask, int size,
                  AccessKind kind) {
  Warp& w = *x.warp;
  auto cell = [&](int lane, uint64_t address) {
    return w.local_valid.data() + static_cast<size_t>(lane) * w.local_stride + address;
  };
  if (kind == AccessKind::kWrite) {
    for (LaneMask m = mask; m != 0; m &= m - 1) {
      int lane = __builtin_ctz(m);
      __builtin_memset(cell(lane, addresses[lane] + offset), 1, static_cast<size_t>(size));
    }
    return;
  }
  // The param space of calls is local memory too, but the programmer does not control it.
  if (inst.count_class != CountClass::kLocal && inst.count_class != CountClass::kGeneric) return;
  if ((inst.order & kOnlyCopied) != 0) return;  // structures are copied together with their padding
  int lane = 0;
  AccessLanes one{addresses, offset, 0, size, kind, false, 0, 0};
  for (LaneMask m = mask; m != 0; m &= m - 1) {
    lane = __builtin_ctz(m);
    one.mask = 1u << lane;
    FindUnwritten(
        x, inst, one,
        [&](uint64_t at, int n) {
          const uint8_t* c = cell(lane, at);
          return __builtin_memchr(c, 1, static_cast<size_t>(n)) != nullptr;
        },
        [&](uint64_t at, int bytes) { return LocalPlace(w, at, bytes); }, kLocalWindow);
  }
}

void StartChecks(const LaunchShared& launch, Block& block) {
  const Checks& checks = launch.options->checks;
  const size_t bytes = launch.shared_bytes;
  block.first_epoch = block.barrier_epoch;
  block.order.Start();
  // Epochs only grow, so a shadow left by an earlier block never looks current.
  const size_t lines = checks.shared_races ? (bytes + kLineBytes - 1) / kLineBytes : 0;
  if (block.shadow.size() != lines) block.shadow = std::vector<LineShadow>(lines);
  if (lines > 0) {
    block.granules.Reserve(lines * (kLineBytes + 32));
    block.granules.Reset();
  }
  block.shared_valid.assign(checks.uninitialised ? (bytes + 63) / 64 : 0, 0);
}

}  // namespace warpgrade::emulator
