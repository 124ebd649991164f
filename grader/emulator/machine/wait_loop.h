// Runs loops that only wait. program/wait_loop.h says which loops these are and how the emulator handles them.
#pragma once

#include "grader/emulator/state/execution.h"

namespace warpgrade::emulator {

// Handler of the branch that ends such a loop.
void WaitLoop(Exec& x, const Inst& i);

enum class PollResult {
  kWaits,   // every lane iterates again
  kGoesOn,  // x is ready to run lanes that have left the loop
  kFreed,   // every lane iterates again, and lanes that took their lock no longer wait for these at the join
};
// Executes one more iteration of the wait loop of the current fragment, which is polling. `unread` is as large as
// x.stats and receives counts that nobody reads.
PollResult Poll(Exec& x, InstStats* unread);

}  // namespace warpgrade::emulator
