// The slow path of memory accesses: what to do when an access is not plainly inside one allocation, and the checks for
// uninitialised reads and races. The access handlers call it. It is compiled once, not once per instruction set.
#pragma once

#include "grader/emulator/state/execution.h"

namespace warpgrade::emulator {

enum class AccessKind : uint8_t { kRead, kWrite, kAtomic };

// Checks each lane of `mask` for bounds, alignment and write protection, and reports the faults. Returns the lanes
// whose access is legal. Updates x.allocation.
LaneMask CheckGlobalLanes(Exec& x, const Inst& inst, const uint64_t* addresses, uint64_t offset, LaneMask mask,
                          int size, AccessKind kind);
// The same for shared memory; addresses are offsets within the block's shared memory.
LaneMask CheckSharedLanes(Exec& x, const Inst& inst, const uint64_t* addresses, uint64_t offset, LaneMask mask,
                          int size, AccessKind kind);
// The same for local memory.
LaneMask CheckLocalLanes(Exec& x, const Inst& inst, const uint64_t* addresses, uint64_t offset, LaneMask mask, int size,
                         AccessKind kind);
// The lanes of one access, in bounds and aligned.
struct AccessLanes {
  const uint64_t* addresses = nullptr;  // device addresses, or offsets in shared memory
  uint64_t offset = 0;
  LaneMask mask = 0;
  int size = 0;
  AccessKind kind = AccessKind::kRead;
  bool contiguous = false;    // lane l is at low + (l - first) * size
  uint64_t low = 0, end = 0;  // the span of all lanes
  bool same = false;          // not contiguous, and every lane is at low
  bool written = false;       // shared memory: all bytes of all lanes are known to be written
};

// Checks for uninitialised reads and for races. REQUIRES: the access is legal, and has not been performed yet.
void ObserveGlobal(Exec& x, const Inst& inst, const AccessLanes& a);
void ObserveShared(Exec& x, const Inst& inst, const AccessLanes& a);
void ObserveLocal(Exec& x, const Inst& inst, const uint64_t* addresses, uint64_t offset, LaneMask mask, int size,
                  AccessKind kind);
// Prepares the state that these checks keep for a block.
void StartChecks(const LaunchShared& launch, Block& block);

}  // namespace warpgrade::emulator
