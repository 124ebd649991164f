// Loops that only wait: `while (flag == 0) {}`, a grid barrier, the spin of a lock. Such a loop is one basic block that
// reads memory, carries no register from one iteration to the next, and has no effect while it waits. The emulator runs
// its first iteration like any other code. Lanes that iterate again become a polling fragment. The scheduler repeats
// the loop for them without counting it, one iteration at a time, between the turns of all other fragments. So a wait
// costs little however long it is, the emulator can tell when a whole block or launch waits, and counters do not depend
// on how long a wait took. A loop that counts its iterations or backs off is not recognised; it runs like any other
// loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "grader/emulator/program/control_form.h"
#include "grader/emulator/ptx/module.h"

namespace warpgrade::emulator {

struct WaitLoopShape {
  bool waits = false;
  WaitLoopFlags flags = {};
};
// Decides whether the branch at `branch` in the function's body ends a loop that only waits. `labelled` says which
// instructions of the body are the target of a branch.
WaitLoopShape FindWaitLoop(const ptx::Function& function, size_t branch, const std::vector<char>& labelled);

// True for instructions that any loop that waits for another thread contains, whatever its form.
bool SpinsOn(const ptx::Instruction& i);

}  // namespace warpgrade::emulator
