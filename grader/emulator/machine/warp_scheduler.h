// Gives the warps of one block, and the fragments of each warp, their turns on one host thread. A turn lasts until the
// warp waits; a warp that spins is interrupted, so that what it waits for can happen. PTX ISA "Independent Thread
// Scheduling" is the promise that this keeps: diverged lanes of one warp all make progress.
#pragma once

#include <cstdint>
#include <vector>

#include "grader/emulator/machine/interpreter.h"
#include "grader/emulator/state/execution.h"

namespace warpgrade::emulator {

// Why a block gave up the host thread.
enum class BlockOutcome {
  kDone,
  kWaits,  // every fragment that can run polls in vain
  kSpins,  // it runs, but seems to wait
  kStuck   // the launch ends
};

class WarpScheduler {
 public:
  // `number` is that of this host thread in `activity`. REQUIRES: all three outlive this.
  WarpScheduler(Interpreter& interpreter, Activity& activity, size_t number);

  // Runs the block until it is done or seems to wait for another block. Sets *ran if it did more than poll in vain;
  // leaves it alone otherwise.
  BlockOutcome RunBlock(Block& block, bool* ran);

 private:
  // In the order of how much happened: RunWarps takes the largest.
  enum class Turn {
    kNone,    // nothing can run
    kPolled,  // only lanes that wait for memory ran, in vain
    kSlept,   // it ran up to a nanosleep
    kRan
  };
  Turn RunWarps(Block& block);
  Turn RunWarp(Warp& warp);
  Turn PickFragment(Warp& warp, int32_t* pick);
  bool Charge(uint64_t instructions);

  Interpreter& interpreter_;
  Exec& x_;  // the interpreter's
  LaunchShared& launch_;
  Activity& activity_;
  const size_t number_;
  const bool seeded_;
  uint64_t used_ = 0;            // warp instructions so far, with those of polls in vain
  std::vector<uint32_t> turns_;  // the order of the warps in this round
};

}  // namespace warpgrade::emulator
