// Asynchronous copies (cp.async, cp.async.bulk) and mbarrier objects: PTX ISA "Asynchronous copy", "mbarrier".
//
// A copy reads its source when it is issued, and writes its destination as late as the program allows: when the thread
// waits for its group, or when some thread waits for the phase of the mbarrier that tracks it. If the program forgets
// to wait, it therefore reads the old contents, and the fault shows.
//
// An mbarrier is 64 bits of shared memory, whose layout PTX leaves open. This emulator uses:
//
//    63  62   61..41           40..21     20..1      0
//     0   1   tx-count (signed)  expected   pending    phase
//
// The phase completes when pending and tx-count are both 0. Bit 62 marks an initialised object.
// Tested by tests/emulator/exec/async_test.cc.
#pragma once

#include "grader/emulator/machine/handlers/table.h"
#include "grader/emulator/program/async_form.h"

namespace warpgrade::emulator {

// Keys: "cp.async", "cp.async.wait_group", "mbarrier.arrive", ...
HandlerSpan AsyncHandlers();

}  // namespace warpgrade::emulator
