// Block-wide barriers (bar, barrier) and warp-wide synchronisation (bar.warp.sync and the gathering of lanes that every
// .sync instruction needs).
#pragma once

#include "grader/emulator/state/execution.h"

namespace warpgrade::emulator {

// Handlers. a = barrier id row, b = thread count row (0: all). bar.red also uses Inst::reduction, c = predicate and imm
// (1: the predicate is negated).
void BarrierSync(Exec& x, const Inst& i);
void BarrierArrive(Exec& x, const Inst& i);
void BarrierReduce(Exec& x, const Inst& i);
void WarpSync(Exec& x, const Inst& i);  // bar.warp.sync: a = member mask row

// Lanes have exited: completes the barriers that waited only for them.
void BarriersAfterExit(Exec& x);
// Lanes have exited: completes the warp synchronisations that waited only for them.
void WarpSyncsAfterExit(Exec& x);

// Makes the lanes named by `members` execute this instruction together. Returns true if all of them are here. x.mask
// then holds all of them, including lanes of other fragments, which have been moved past the instruction. Returns false
// if this fragment must wait.
bool GatherLanes(Exec& x, const Inst& i, LaneMask members);
// The same for a row of member masks, which may differ from lane to lane (the tiles of a warp). Each set of lanes with
// the same mask executes the instruction on its own. Returns true if x.mask is one such set that the caller must
// execute now. Returns false if the instruction is done or waits.
bool GatherByRow(Exec& x, const Inst& i, uint32_t row);

// Call this when no warp of the block can continue. It reports why: a barrier that some threads never reach, or a mask
// that names absent lanes. In the second case the waiting lanes then continue without the absent ones. Returns false if
// the block cannot continue.
bool ResolveDeadlock(Exec& x);

}  // namespace warpgrade::emulator
