// Runs all blocks of one launch, spread over host threads.
#pragma once

#include <vector>

#include "grader/emulator/machine/host_threads.h"
#include "grader/emulator/machine/kept_registers.h"
#include "grader/emulator/state/execution.h"

namespace warpgrade::emulator {

struct GridResult {
  LaunchStatus status = LaunchStatus::kOk;
  std::vector<InstStats> stats;          // by Inst::index
  std::vector<uint64_t> wave64;          // by Inst::index; empty: not counted
  std::vector<PendingFinding> findings;  // merged: one per (instruction, kind), in block order
  uint64_t host_visible_bytes = 0;       // these two: LaunchRecord's
  uint64_t instruction_squares = 0;
};

// On `most_threads` of `host_threads`, or fewer. REQUIRES: launch.program, memory, options, grid, block, parameters,
// warp_threads and resident_blocks are set. At most `resident_blocks` blocks are in flight per host thread when blocks
// wait for each other. `host_threads` and `kept` are the device's; kept: by host thread, empty at first.
GridResult RunGrid(LaunchShared& launch, int most_threads, HostThreads& host_threads, std::vector<KeptRegisters>& kept);

}  // namespace warpgrade::emulator
