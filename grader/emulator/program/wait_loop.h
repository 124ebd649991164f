// Loops that only wait: `while (flag == 0) {}`, a grid barrier, the spin of a lock. Such a loop is one basic block that
// reads memory, carries no register from one turn to the next, and has no effect while it goes round. The emulator runs
// its first turn like any other code. Lanes that go round again become a polling fragment: the scheduler repeats the
// loop for them, uncounted, one turn at a time and between the turns of everything else. So a wait costs little however
// long it is, a block or a launch in which everybody waits is known for what it is, and what is counted does not depend
// on how long somebody waited. A loop that counts its turns or backs off is not recognised; it runs as any loop does.
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
// Whether the branch at `branch` in the function's body ends a loop that only waits. `labelled` says which instructions
// of the body some branch goes to.
WaitLoopShape FindWaitLoop(const ptx::Function& function, size_t branch, const std::vector<char>& labelled);

// Loops that wait for another thread, of whatever shape, are made of such instructions.
bool SpinsOn(const ptx::Instruction& i);

}  // namespace warpgrade::emulator
