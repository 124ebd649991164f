// Looks up the allocation of each lane's address. Reports accesses out of bounds, misaligned accesses and uses of freed
// memory. Tested by tests/emulator/exec/global_access_test.cc, shared_access_test.cc and tests/programs/faulty.
#include "grader/emulator/checks/access_check.h"

#include <fmt/format.h>

#include <cstring>
#include <string>
#include <vector>

#include "grader/emulator/checks/local_parts.h"
#include "grader/emulator/checks/place_name.h"
#include "grader/emulator/checks/report.h"

namespace warpgrade::emulator {
namespace {

const char* Verb(AccessKind kind) {
  return kind == AccessKind::kRead ? "read" : kind == AccessKind::kWrite ? "wrote" : "did an atomic on";
}

// `window` is added to the address in the report.
void ReportMisaligned(Exec& x, const Inst& inst, int lane, uint64_t address, int size, AccessKind kind,
                      uint64_t window = 0) {
  if (CountAgain(x, inst, FindingKind::kMisaligned, lane)) return;
  Report(x, inst, FindingKind::kMisaligned, lane, window + address, size,
         fmt::format("{} {} at {:#x}, which is not a multiple of {}", Verb(kind), Bytes(size), address, size));
}

// What may be pointers among the kernel's parameters.
std::vector<uint64_t> PointersOf(const LaunchShared& launch) {
  std::vector<uint64_t> pointers(launch.parameters.size() / sizeof(uint64_t));
  std::memcpy(pointers.data(), launch.parameters.data(), pointers.size() * sizeof(uint64_t));
  return pointers;
}

// A block smaller than a warp, in a grid of more blocks than a warp has lanes, is most often a launch whose numbers are
// in the wrong order. "": it is not such a launch.
std::string SwappedNumbers(const LaunchShared& launch) {
  constexpr uint64_t kFew = 32;
  const uint64_t blocks = launch.grid.x, threads = launch.block.x;
  if (launch.grid.Count() != blocks || launch.block.Count() != threads || blocks < kFew || threads >= kFew) return "";
  return fmt::format(
      "; this launch has {} blocks of {} thread{} each: are the two numbers in <<<blocks, threads>>> swapped?", blocks,
      threads, threads == 1 ? "" : "s");
}

void ReportWild(Exec& x, const Inst& inst, int lane, uint64_t address, int size, AccessKind kind) {
  const std::vector<uint64_t> pointers = PointersOf(*x.launch);
  const FindingKind finding =
      x.launch->memory->IsFreed(address, pointers) ? FindingKind::kUseAfterFree : FindingKind::kOutOfBounds;
  if (CountAgain(x, inst, finding, lane)) return;
  const WildAddress wild = x.launch->memory->Explain(address, static_cast<uint64_t>(size), pointers);
  Report(x, inst, finding, lane, address, size,
         fmt::format("{} {} at {:#x}: {}{}", Verb(kind), Bytes(size), address, wild.where, SwappedNumbers(*x.launch)));
}

// To find out which array was meant is dear, so it is asked of a launch's first findings only: of instructions of its
// own a hostile kernel may have a million.
constexpr size_t kMostNamedArrays = 50;

void ReportSharedMiss(Exec& x, const Inst& inst, int lane, uint64_t address, int size, AccessKind kind) {
  if (CountAgain(x, inst, FindingKind::kOutOfBounds, lane)) return;
  std::string what;
  if (x.findings->size() < kMostNamedArrays) what = SharedMiss(*x.launch, inst, address, size);
  if (what.empty()) {
    // A small negative index wraps round: say so rather than print 2^32 - 4.
    const bool before = address > (uint64_t{1} << 31);
    const uint32_t distance = uint32_t{0} - static_cast<uint32_t>(address);
    what = fmt::format("{} of shared memory {}; the block has {} bytes of it", Bytes(size),
                       before ? Bytes(distance) + " before its start" : fmt::format("at byte {}", address),
                       x.launch->shared_bytes);
  }
  Report(x, inst, FindingKind::kOutOfBounds, lane, address, size, fmt::format("{} {}", Verb(kind), what));
}

// `bytes`: the size of the thread's local arrays.
void ReportLocalMiss(Exec& x, const Inst& inst, int lane, uint64_t address, uint64_t bytes, int size, AccessKind kind) {
  if (CountAgain(x, inst, FindingKind::kOutOfBounds, lane)) return;
  std::string where;  // with guards, the program knows other numbers
  if (!x.launch->program->guards_locals) {
    where = fmt::format(" (byte {} of {})", static_cast<int64_t>(address), bytes);
  }
  Report(x, inst, FindingKind::kOutOfBounds, lane, kLocalWindow + address, size,
         fmt::format("{} {} outside the thread's local arrays{}: is an index of a local array too large or negative?",
                     Verb(kind), Bytes(size), where));
}

void ReportMissedPart(Exec& x, const Inst& inst, int lane, uint64_t address, int size, AccessKind kind) {
  if (CountAgain(x, inst, FindingKind::kOutOfBounds, lane)) return;
  Report(x, inst, FindingKind::kOutOfBounds, lane, kLocalWindow + address, size,
         fmt::format("{} {}, a local variable of the thread: is an index too large or negative?", Verb(kind),
                     MissedPart(*x.warp, address, size)));
}

}  // namespace

LaneMask CheckGlobalLanes(Exec& x, const Inst& inst, const uint64_t* addresses, uint64_t offset, LaneMask mask,
                          int size, AccessKind kind) {
  const GlobalMemory& memory = *x.launch->memory;
  LaneMask legal = 0;
  const Allocation* hit = nullptr;
  for (LaneMask m = mask; m != 0; m &= m - 1) {
    int lane = __builtin_ctz(m);
    uint64_t address = addresses[lane] + offset;
    if (hit == nullptr || address - hit->base >= hit->bytes) hit = memory.Find(address);
    if (hit == nullptr || hit->bytes - (address - hit->base) < static_cast<uint64_t>(size)) {
      ReportWild(x, inst, lane, address, size, kind);
    } else if ((address & (static_cast<uint64_t>(size) - 1)) != 0) {
      ReportMisaligned(x, inst, lane, address, size, kind);
    } else if (hit->constant && kind != AccessKind::kRead) {
      Report(x, inst, FindingKind::kOutOfBounds, lane, address, size,
             fmt::format("{} {} of {}, which is constant memory", Verb(kind), Bytes(size), hit->label));
    } else if (inst.count_class == CountClass::kConstantLoad && !hit->constant) {
      Report(x, inst, FindingKind::kOutOfBounds, lane, address, size,
             fmt::format("ld.const read {} of {}, which is not in constant memory", Bytes(size), hit->label));
    } else {
      legal |= 1u << lane;
    }
  }
  if (hit != nullptr) {
    // Another host thread may free what a kernel has allocated, so such a kernel looks allocations up again.
    if (!x.launch->program->allocates) x.recent.Add(x.allocation);
    x.allocation = AllocationCache{hit->base, hit->base + hit->bytes, hit->constant, hit->initialised};
  }
  return legal;
}

LaneMask CheckSharedLanes(Exec& x, const Inst& inst, const uint64_t* addresses, uint64_t offset, LaneMask mask,
                          int size, AccessKind kind) {
  LaneMask legal = 0;
  uint64_t bytes = x.launch->shared_bytes;
  for (LaneMask m = mask; m != 0; m &= m - 1) {
    int lane = __builtin_ctz(m);
    uint64_t address = addresses[lane] + offset;
    const bool reserved = x.launch->reserved_shared != 0 && address >= x.launch->reserved_shared &&
                          address + static_cast<uint64_t>(size) <= x.launch->SharedSpan();
    if (!reserved && (address > bytes || bytes - address < static_cast<uint64_t>(size))) {
      ReportSharedMiss(x, inst, lane, address, size, kind);
    } else if (address % static_cast<uint64_t>(size) != 0) {
      ReportMisaligned(x, inst, lane, address, size, kind);
    } else {
      legal |= 1u << lane;
    }
  }
  return legal;
}

LaneMask CheckLocalLanes(Exec& x, const Inst& inst, const uint64_t* addresses, uint64_t offset, LaneMask mask, int size,
                         AccessKind kind) {
  const Warp& w = *x.warp;
  const Frame& frame = CurrentFrame(w);
  uint64_t bytes = frame.local_base;
  bytes += frame.dynamic_bytes == 0 ? frame.code->local_end : uint64_t{frame.code->local_bytes} + frame.dynamic_bytes;
  const bool guards = x.launch->program->guards_locals;
  LaneMask legal = 0;
  for (LaneMask m = mask; m != 0; m &= m - 1) {
    int lane = __builtin_ctz(m);
    uint64_t address = addresses[lane] + offset;
    if (address > bytes || bytes - address < static_cast<uint64_t>(size)) {
      ReportLocalMiss(x, inst, lane, address, bytes, size, kind);
    } else if (guards && IsBetweenParts(w, address, size)) {
      ReportMissedPart(x, inst, lane, address, size, kind);
    } else if (address % static_cast<uint64_t>(size) != 0) {
      ReportMisaligned(x, inst, lane, address, size, kind, kLocalWindow);
    } else {
      legal |= 1u << lane;
    }
  }
  return legal;
}

}  // namespace warpgrade::emulator
