// Handlers of warp-wide exchange (shfl, vote, match, redux, activemask, elect) and of the few instructions that talk to
// the outside: trap, printf, assert. Tested by tests/emulator/exec/collectives_test.cc.
#pragma once

#include "grader/emulator/machine/handlers/table.h"

namespace warpgrade::emulator {

// Keys: "shfl.sync.down.b32", "vote.sync.ballot.b32", "match.sync.any.b32", "redux.sync.add.s32", "activemask.b32", ...
HandlerSpan CollectiveHandlers();

void Unsupported(Exec& x, const Inst& i);  // reports Inst::message
void Trap(Exec& x, const Inst& i);
// Fences and hints. They need no work, because the emulator's memory is sequentially consistent within a launch.
void Nothing(Exec& x, const Inst& i);
void Yield(Exec& x, const Inst& i);       // nanosleep: lets other fragments and warps run
void Vprintf(Exec& x, const Inst& i);     // called from a call site
void AssertFail(Exec& x, const Inst& i);  // called from a call site

}  // namespace warpgrade::emulator
