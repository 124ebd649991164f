// Handlers of warp-wide exchange (shfl, vote, match, redux, activemask, elect) and of the few instructions that talk to
// the outside: trap, printf, assert. Tested by tests/emulator/exec/collectives_test.cc.
#pragma once

#include "grader/emulator/machine/handlers/table.h"

namespace warpgrade::emulator {

// Keys: "shfl.sync.down.b32", "vote.sync.ballot.b32", "match.sync.any.b32", "redux.sync.add.s32", "activemask.b32", ...
HandlerSpan CollectiveHandlers();

void Unsupported(Exec& x, const Inst& i);  // reports Inst::message
void Trap(Exec& x, const Inst& i);
void Nothing(Exec& x, const Inst& i);     // fences, hints: the emulator's memory is sequentially consistent per launch
void Yield(Exec& x, const Inst& i);       // nanosleep: let others run
void Vprintf(Exec& x, const Inst& i);     // of a call site
void AssertFail(Exec& x, const Inst& i);  // of a call site

}  // namespace warpgrade::emulator
