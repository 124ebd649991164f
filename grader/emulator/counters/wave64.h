// Counts how many instructions the same blocks would issue on hardware whose wavefronts have 64 lanes instead of 32,
// with warps 2k and 2k + 1 of a block as one wavefront. An instruction that both warps would execute is then issued
// once. An instruction that only one of them executes is issued for the whole wavefront, and the other warp's lanes
// idle.
//
// The warps still run one by one, and the count is computed afterwards. Warps line up at each barrier of the whole
// block. Between two such barriers, an instruction that one warp of a pair issued a times and the other b times counts
// as max(a, b):
//
//                         warp 0   warp 1   wavefront 0
//   add.s32  (both)          1        1          1
//   ld.shared (a branch)     1        0          1          half of the 64 lanes idle
//   bar.sync                 1        1          1
//
// This is exact if an instruction's first execution by one warp may be paired with the other warp's first execution,
// its second with the second, and so on. That is true for straight-line code, for loops without branches in them, and
// for any loop with a barrier in its body, because each iteration is then counted alone. It is not true for a branch in
// a loop without a barrier if one warp takes the branch in the even iterations and the other in the odd ones. Then a
// wavefront issues more than is counted here, so this is a lower bound. An upper bound is the number of instructions
// that warps of 32 issue.
#pragma once

#include <cstdint>
#include <vector>

#include "grader/emulator/state/execution.h"

namespace warpgrade::emulator {

// The counter of one host thread. It reads that thread's counts: how often each instruction was executed, and each run
// entered.
class Wave64Counter {
 public:
  // REQUIRES: all three outlive it; `stats` and `runs` are by Inst::index and keep their size.
  Wave64Counter(const Program& program, const std::vector<InstStats>& stats, const std::vector<RunStats>& runs);

  // Credits everything that the host thread executed since the last call to this warp.
  void Ran(Block& block, const Warp& warp);
  // Call this when all warps of the block have met, or the block has ended.
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
