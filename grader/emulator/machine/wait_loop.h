// Runs loops that only wait; program/wait_loop.h tells which those are and what is done about them.
#pragma once

#include "grader/emulator/state/execution.h"

namespace warpgrade::emulator {

// Handler of the branch that ends such a loop.
void WaitLoop(Exec& x, const Inst& i);

enum class PollResult {
  kWaits,   // every lane goes round again
  kGoesOn,  // x is ready to run lanes that left the loop
  kFreed,   // every lane goes round again, but lanes that took their lock no longer wait for these
};
// One more turn of the wait loop of the current fragment, which is polling. `unread` is where statistics that nobody
// reads go, as large as x.stats.
PollResult Poll(Exec& x, InstStats* unread);

}  // namespace warpgrade::emulator
