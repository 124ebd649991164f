// All blocks of one launch, spread over host threads. Each host thread has a BlockScheduler, which chooses the block.
// That has a WarpScheduler, which chooses the warp and fragment, and an Interpreter, which executes the instructions.
// At the end a GridMerge combines what they counted and found.
//
// A launch that only waits may be suspended (LaunchShared::may_be_suspended): Run returns, all blocks stay as they are,
// and the next Run goes on with them.
#pragma once

#include <memory>
#include <vector>

#include "grader/emulator/machine/block_scheduler.h"
#include "grader/emulator/machine/grid_result.h"
#include "grader/emulator/machine/host_threads.h"
#include "grader/emulator/machine/kept_registers.h"
#include "grader/emulator/state/execution.h"

namespace warpgrade::emulator {

// Sets launch->warp_threads. REQUIRES: launch->block is set.
void FillWarpThreads(LaunchShared* launch);

class Grid {
 public:
  // Uses at most `most_threads` of `host_threads`. Each host thread has at most `resident_blocks` blocks in flight when
  // blocks wait for each other. `host_threads` and `kept` belong to the device. `kept` has one entry for each host
  // thread, and is empty before the first launch. REQUIRES: all but `most_threads` outlive this; launch.program,
  // memory, options, grid, block, parameters, warp_threads and resident_blocks are set.
  Grid(LaunchShared& launch, int most_threads, HostThreads& host_threads, std::vector<KeptRegisters>& kept);

  // Runs the blocks. False: the launch was suspended, and is to be run again.
  bool Run();
  // How many instructions so far wrote global memory.
  uint64_t Writes() const;
  // REQUIRES: called once, after the last Run.
  GridResult Finish();

 private:
  LaunchShared& launch_;
  HostThreads& host_threads_;
  std::vector<KeptRegisters>& kept_;
  const size_t threads_;
  Activity activity_;
  std::vector<std::unique_ptr<BlockScheduler>> schedulers_;
};

}  // namespace warpgrade::emulator
