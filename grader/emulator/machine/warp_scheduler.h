// Gives turns to the warps of one block and to the fragments of each warp, on one host thread. A turn lasts until the
// warp waits. A warp that spins is interrupted, so that the thread that it waits for can run. This keeps the promise of
// PTX ISA "Independent Thread Scheduling": diverged lanes of one warp all make progress.
#pragma once

#include <cstdint>
#include <vector>

#include "grader/emulator/machine/interpreter.h"
#include "grader/emulator/machine/repeat_watch.h"
#include "grader/emulator/state/execution.h"

namespace warpgrade::emulator {

class Wave;  // wave.h

// Why a block gave up the host thread.
enum class BlockOutcome {
  kDone,
  kWaits,   // every fragment that can run only polls in vain
  kSpins,   // it runs, but seems to wait for another block
  kYields,  // it can go on, but the seed gives other blocks a turn
  kStuck    // the launch ends
};

class WarpScheduler {
 public:
  // `number` is this host thread's number in `activity`. REQUIRES: all three outlive this.
  WarpScheduler(Interpreter& interpreter, Activity& activity, size_t number);

  // Runs the block until it is done, seems to wait for another block, or has had its turn under a seed. Sets *ran to
  // true if the block did more than poll in vain, and leaves it unchanged otherwise.
  BlockOutcome RunBlock(Block& block, bool* ran);

 private:
  // Sorted by how much happened: RunWarps takes the largest.
  enum class Turn {
    kNone,    // nothing can run
    kPolled,  // only lanes that wait for memory ran, and none of them could leave its loop
    kSlept,   // it ran up to a nanosleep
    kRan
  };
  RepeatWatch::Verdict Watch(Block& block, uint64_t instructions);
  Turn RunWarps(Block& block);
  Turn RunWarp(Warp& warp);
  Turn RunWaves(Block& block);  // this and the next one for HIP programs, in wave_scheduler.cc
  Turn RunWave(Wave& wave);
  Turn PickFragment(Warp& warp, int32_t* pick);
  bool Charge(uint64_t instructions);

  Interpreter& interpreter_;
  Exec& x_;  // of the interpreter
  LaunchShared& launch_;
  Activity& activity_;
  const size_t number_;
  const bool seeded_;
  bool yielded_ = false;         // some warp has ended its turn in this round because of NoteStrong
  uint64_t used_ = 0;            // warp instructions so far, including polls in vain
  std::vector<uint32_t> turns_;  // the order of the warps in this round
};

}  // namespace warpgrade::emulator
