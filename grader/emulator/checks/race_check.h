// The race check of shared and global memory.
//
// Two accesses race if they are by different threads, touch the same bytes, at least one of them is a write, they are
// not both atomic (or volatile, or relaxed), and happens_before.h does not order them. Two lanes of one store
// instruction race only when their values differ. Any other two unordered writes race, even if they write the same
// value. Atomics of .cta scope do not synchronise with other blocks.
//
// `volatile` orders nothing. Two volatile accesses of global memory that nothing orders are a finding of their own
// kind, except those of a watched flag: loads whose value decides a branch, and stores that come right after a fence
// in a program with such loads. In shared memory two volatile accesses race like any others, unless their thread has
// executed a fence: `volatile` alone has never replaced __syncthreads() or __syncwarp().
//
// In a HIP program, the lanes of a wavefront run in lock step (machine/wave.h). This orders two accesses of a wavefront
// if both are volatile or atomic. It does not order plain accesses, because the compiler may move these.
//
// Each pair of source lines that race gives one finding. It is reported at the later line and names the other one.
#pragma once

#include "grader/emulator/checks/access_check.h"

namespace warpgrade::emulator {

// Reports races of this access with earlier ones, and remembers it.
void CheckSharedRace(Exec& x, const Inst& inst, const AccessLanes& a);
void CheckGlobalRace(Exec& x, const Inst& inst, const AccessLanes& a);
// The quick way for the most common reads of shared memory: plain ones by lanes in order, or (`same`) by all lanes of
// one place, in the bytes [low, end). `size`: the bytes of one lane. Does what ObserveShared would, and returns true.
// For some it returns false, and has done nothing. REQUIRES: the block's shared memory is checked.
bool CheckPlainRead(Exec& x, const Inst& inst, LaneMask mask, int size, uint32_t low, uint32_t end, bool same);

// Reports lanes of one store that write different values to one address. `rows` holds one register row for each of the
// `vector` elements, with `cell_bytes` (4 or 8) for each lane.
void CheckCollidingStores(Exec& x, const Inst& inst, bool global, const AccessLanes& a, const uint32_t* rows,
                          int vector, int cell_bytes);

// Records the synchronisation of strong accesses: call the first before a write is visible, and the second after a
// read.
void BeforeStrongWrite(Exec& x, const Inst& inst, bool global, const AccessLanes& a);
void AfterStrongRead(Exec& x, const Inst& inst, bool global, const AccessLanes& a);

// In race_report.cc: reports that `lane` of the current warp raced with an earlier access.
struct RacePartner {
  AccessId id = 0;  // includes the lane
  AccessMeta meta = 0;
  bool one_instruction = false;  // two lanes of one store
  bool both_volatile = false;    // in global memory
};
void ReportRace(Exec& x, const Inst& inst, bool global, int lane, uint64_t address, int size,
                const RacePartner& before);

}  // namespace warpgrade::emulator
