// Block-wide barriers (bar, barrier) and warp-wide synchronisation (bar.warp.sync and the gathering of lanes that every
// .sync instruction needs).
#pragma once

#include "grader/emulator/state/execution.h"

namespace warpgrade::emulator {

// Handlers. a = barrier id row, b = thread count row (0: all). bar.red: Inst::reduction and c =
// predicate, imm = 1 when it is negated.
void BarrierSync(Exec& x, const Inst& i);
void BarrierArrive(Exec& x, const Inst& i);
void BarrierReduce(Exec& x, const Inst& i);
void WarpSync(Exec& x, const Inst& i);  // bar.warp.sync: a = member mask row

// Lanes exited: barriers that waited for them alone are complete now.
void BarriersAfterExit(Exec& x);
// The same for lanes that wait for others of their warp: those that exited need not come.
void WarpSyncsAfterExit(Exec& x);

// Makes the lanes named by `members` execute this instruction together: true when they are all here (x.mask is then all
// of them, also lanes of other fragments, which have been moved past the instruction). False: this fragment waits.
bool GatherLanes(Exec& x, const Inst& i, LaneMask members);
// The same for the member masks in a row, which may differ from lane to lane (the tiles of a warp): each set of lanes
// with one mask executes the instruction on its own. True: x.mask is one such set, execute it. False: it is done, or
// waits.
bool GatherByRow(Exec& x, const Inst& i, uint32_t row);

// No warp of the block can go on. Says why (a barrier that some never reach, a mask that names absent lanes) and, where
// that makes sense, lets those that wait go on. False: the block cannot continue.
bool ResolveDeadlock(Exec& x);

}  // namespace warpgrade::emulator
