// How many instructions the same blocks would issue on hardware whose wavefronts have 64 lanes instead of 32: warps 2k
// and 2k + 1 of a block as one wavefront. An instruction that both would execute is then issued once; one that only one
// of them executes is issued for the whole wavefront, with the other's lanes idle.
//
// The warps still run one by one, and which issues of the two would have met is worked out afterwards. Warps line up at
// each barrier of the whole block, and between two of those an instruction that one warp of a pair issued a times and
// the other b times counts as max(a, b):
//
//                         warp 0   warp 1   wavefront 0
//   add.s32  (both)          1        1          1
//   ld.shared (a branch)     1        0          1          half of the 64 lanes idle
//   bar.sync                 1        1          1
//
// That is exact as long as an instruction's first execution of one warp may be paired with the other's first, its
// second with the second, and so on: straight lines, loops without branches in them, and any loop with a barrier in its
// body, since each turn of it then stands alone. Where it may not (a branch in a loop without a barrier: one warp takes
// it in the even turns, the other in the odd ones), a wavefront issues more than is counted here, so that this is a
// lower bound. An upper bound is the number of instructions that warps of 32 issue.
#pragma once

#include <cstdint>
#include <vector>

#include "grader/emulator/state/execution.h"

namespace warpgrade::emulator {

// Of one host thread, whose counts it reads: how often each instruction was executed, and each run entered.
class Wave64Counter {
 public:
  // REQUIRES: all three outlive it; `stats` and `runs` are by Inst::index and keep their size.
  Wave64Counter(const Program& program, const std::vector<InstStats>& stats, const std::vector<RunStats>& runs);

  // All that the host thread executed since the last call was executed by this warp.
  void Ran(Block& block, const Warp& warp);
  // All warps of the block met, or it ended.
  void LineUp(Block& block);

  // By Inst::index.
  const std::vector<uint64_t>& issued() const { return issued_; }

 private:
  const Program& program_;
  const std::vector<InstStats>& stats_;
  const std::vector<RunStats>& runs_;
  std::vector<uint64_t> seen_;    // executions up to the last call of Ran
  std::vector<uint64_t> issued_;  // of wavefronts
};

}  // namespace warpgrade::emulator
