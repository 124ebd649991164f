// The slow side of memory accesses: what to do when an access is not plainly inside one allocation, and the race check.
// Called by the access handlers; compiled once, not per instruction set.
#pragma once

#include "grader/emulator/execution.h"

namespace warpgrade::emulator {

enum class AccessKind : uint8_t { kRead, kWrite, kAtomic };

// Checks each lane of `mask` for bounds, alignment and write protection, reports the faults, and gives the lanes whose
// access is legal. Refreshes x.allocation.
LaneMask CheckGlobalLanes(Exec& x, const Inst& inst, const uint64_t* addresses, uint64_t offset, LaneMask mask,
                          int size, AccessKind kind);
// The same for shared memory; addresses are offsets within the block's shared memory.
LaneMask CheckSharedLanes(Exec& x, const Inst& inst, const uint64_t* addresses, uint64_t offset, LaneMask mask,
                          int size, AccessKind kind);
// The same for local memory.
LaneMask CheckLocalLanes(Exec& x, const Inst& inst, const uint64_t* addresses, uint64_t offset, LaneMask mask, int size,
                         AccessKind kind);
// Reports races of this access with earlier ones, and remembers it. REQUIRES: addresses are in bounds and aligned.
void CheckSharedRace(Exec& x, const Inst& inst, const uint64_t* addresses, uint64_t offset, LaneMask mask, int size,
                     AccessKind kind);

}  // namespace warpgrade::emulator
