// The race check of shared and global memory.
//
// Two accesses of different threads to the same bytes, at least one of them a write and not both atomic (or volatile,
// or relaxed), race unless happens_before.h orders them. Two lanes of one store instruction race when their values
// differ; any other two unordered writes do, even of the same value. `volatile` makes an access of global memory a
// synchronising one; of shared memory only in a thread that executed a fence before, for volatile alone has never
// replaced __syncthreads() or __syncwarp(). Atomics of .cta scope do not synchronise with other blocks.
//
// A race is one finding for each pair of source lines. It stands at the later line of the two and names the other one.
#pragma once

#include "grader/emulator/checks/access_check.h"

namespace warpgrade::emulator {

// Reports races of this access with earlier ones, and remembers it.
void CheckSharedRace(Exec& x, const Inst& inst, const AccessLanes& a);
void CheckGlobalRace(Exec& x, const Inst& inst, const AccessLanes& a);

// Reports lanes of one store that write different values to one address. `rows` are the data's registers, of
// `cell_bytes` (4 or 8) for each lane, one for each of the `vector` elements.
void CheckCollidingStores(Exec& x, const Inst& inst, bool global, const AccessLanes& a, const uint32_t* rows,
                          int vector, int cell_bytes);

// The synchronisation that goes with strong accesses: before a write is visible, and after a read.
void BeforeStrongWrite(Exec& x, const Inst& inst, bool global, const AccessLanes& a);
void AfterStrongRead(Exec& x, const Inst& inst, bool global, const AccessLanes& a);

// race_report.cc: `lane` of the current warp raced with an earlier access.
struct RacePartner {
  AccessId id = 0;  // with its lane
  AccessMeta meta = 0;
  bool one_instruction = false;  // two lanes of one store
};
void ReportRace(Exec& x, const Inst& inst, bool global, int lane, uint64_t address, int size,
                const RacePartner& before);

}  // namespace warpgrade::emulator
