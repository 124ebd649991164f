// Runs all blocks of one launch, spread over host threads. Each host thread has a BlockScheduler (which block runs),
// that a WarpScheduler (which warp and fragment), and that an Interpreter (the instructions); when all are done, a
// GridMerge puts together what they counted and found.
#pragma once

#include <vector>

#include "grader/emulator/machine/grid_result.h"
#include "grader/emulator/machine/host_threads.h"
#include "grader/emulator/machine/kept_registers.h"
#include "grader/emulator/state/execution.h"

namespace warpgrade::emulator {

// On `most_threads` of `host_threads`, or fewer. At most `resident_blocks` blocks are in flight per host thread when
// blocks wait for each other. `host_threads` and `kept` are the device's; `kept` is by host thread, empty at first.
// REQUIRES: launch.program, memory, options, grid, block, parameters, warp_threads and resident_blocks are set.
GridResult RunGrid(LaunchShared& launch, int most_threads, HostThreads& host_threads, std::vector<KeptRegisters>& kept);

}  // namespace warpgrade::emulator
