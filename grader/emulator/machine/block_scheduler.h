// Runs blocks of one launch on one host thread. It starts a new block when none of the blocks in flight can continue:
// blocks may wait for each other as long as the device could hold all of them at once (LaunchShared::resident_blocks).
// It also detects a deadlock: every block of the launch waits for memory that nobody will write.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "grader/emulator/machine/grid_result.h"
#include "grader/emulator/machine/interpreter.h"
#include "grader/emulator/machine/kept_registers.h"
#include "grader/emulator/machine/repeat_watch.h"
#include "grader/emulator/machine/warp_scheduler.h"
#include "grader/emulator/state/execution.h"

namespace warpgrade::emulator {

class BlockScheduler {
 public:
  // `number` is this host thread's number in `activity`. `kept` is memory for the registers of its first block.
  // REQUIRES: `launch` and `activity` outlive this.
  BlockScheduler(LaunchShared& launch, Activity& activity, size_t number, KeptRegisters kept);

  // Runs blocks until none is left, the launch ends early, or it is suspended: then Run() is called again later. All
  // host threads of a launch must be in Run() at the same time.
  void Run();
  // To be called for all host threads before each Run().
  void Prepare();
  // Instructions so far that wrote global memory.
  uint64_t Writes() { return RepeatWatch::WritesOf(interpreter_.exec()); }

  // Gives back the memory of registers for the next launch. REQUIRES: called once, after the last Run().
  KeptRegisters TakeKept();
  // Adds the counts and findings of this host thread. REQUIRES: called once, after the last Run().
  void AddTo(GridMerge& merge);

 private:
  struct Round {
    bool worked = false;    // some block did more than poll in vain
    bool fruitful = false;  // and made progress: a block finished, or worked and then began to wait
    bool yielded = false;   // some block can go on
  };
  Round RunInFlight();
  bool StartBlocks(size_t most);
  bool Reserve();
  std::unique_ptr<Block> StartBlock(uint64_t linear);
  void AllWait(uint64_t since);
  bool ReleaseJoinsOfPolling();
  void Flush();

  LaunchShared& launch_;
  Activity& activity_;
  const size_t number_;
  Interpreter interpreter_;
  WarpScheduler warps_;
  BlockSequence order_;
  uint64_t next_ = 0, reserved_end_ = 0;          // blocks that it has taken and not started, as positions in order_
  std::deque<std::unique_ptr<Block>> in_flight_;  // the front runs next
  std::vector<std::unique_ptr<Block>> spare_;     // finished blocks, whose memory is used again
  KeptRegisters kept_;                            // for the first block
  uint64_t yielded_rounds_ = 0;
  int idle_ms_ = 0;                   // how long the whole launch has waited
  uint64_t instruction_squares_ = 0;  // for LaunchRecord
};

}  // namespace warpgrade::emulator
