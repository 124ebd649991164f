// Runs all blocks of one launch, spread over host threads. Each host thread has a BlockScheduler, which chooses the
// block. That has a WarpScheduler, which chooses the warp and fragment, and an Interpreter, which executes the
// instructions. At the end a GridMerge combines what they counted and found.
#pragma once

#include <vector>

#include "grader/emulator/machine/grid_result.h"
#include "grader/emulator/machine/host_threads.h"
#include "grader/emulator/machine/kept_registers.h"
#include "grader/emulator/state/execution.h"

namespace warpgrade::emulator {

// Uses at most `most_threads` of `host_threads`. Each host thread has at most `resident_blocks` blocks in flight when
// blocks wait for each other. `host_threads` and `kept` belong to the device. `kept` has one entry for each host
// thread, and is empty before the first launch.
// REQUIRES: launch.program, memory, options, grid, block, parameters, warp_threads and resident_blocks are set.
GridResult RunGrid(LaunchShared& launch, int most_threads, HostThreads& host_threads, std::vector<KeptRegisters>& kept);

}  // namespace warpgrade::emulator
