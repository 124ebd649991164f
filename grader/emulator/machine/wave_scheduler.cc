// Gives turns to the wavefronts of a HIP program: WarpScheduler's RunWarps and RunWarp for two warps in lock step.
// Tested by tests/emulator/exec/wave_test.cc.
#include <algorithm>
#include <numeric>

#include "grader/emulator/machine/warp_scheduler.h"
#include "grader/emulator/machine/wave.h"
#include "grader/emulator/state/heuristics.h"

namespace warpgrade::emulator {

WarpScheduler::Turn WarpScheduler::RunWaves(Block& block) {
  const size_t waves = (block.warps.size() + 1) / 2;
  if (turns_.size() != waves) {
    turns_.resize(waves);
    std::iota(turns_.begin(), turns_.end(), 0u);
  }
  if (seeded_) block.random.Shuffle(turns_);
  Turn best = Turn::kNone;
  for (const uint32_t w : turns_) {
    Wave wave(block, w);
    const uint64_t start = used_;
    while (!wave.Done() && !launch_.Stopped()) {
      const Turn turn = RunWave(wave);
      best = std::max(best, turn);
      if (turn != Turn::kRan || !x_.leave || used_ - start > kFragmentSlice) break;
    }
  }
  return best;
}

// One turn of one fragment of a wavefront. The same one continues until it waits or ends: diverged lanes of a wavefront
// do not take turns.
WarpScheduler::Turn WarpScheduler::RunWave(Wave& wave) {
  const std::vector<Fragment>& fragments = wave.half(0).fragments;
  const auto count = static_cast<int32_t>(fragments.size());
  int32_t pick = wave.half(0).current;
  for (int32_t k = 0; k < count && fragments[static_cast<size_t>(pick)].state != FragmentState::kRunnable; ++k) {
    pick = (pick + 1) % count;
  }
  if (fragments[static_cast<size_t>(pick)].state != FragmentState::kRunnable) return Turn::kNone;
  wave.Enter(x_, pick);
  activity_.Worked(number_);
  x_.leave = x_.yields = false;
  const uint64_t slice = seeded_ ? kShortestSeededSlice << x_.block->random.Below(kSeededSlices) : kFragmentSlice;
  const uint64_t ran = interpreter_.RunWave(wave, slice);
  if (!x_.gone) wave.Leave(x_);
  used_ += ran;
  wave.half(0).ran += ran;
  bool slept = false;
  if (!x_.leave || (!x_.gone && fragments[static_cast<size_t>(pick)].state == FragmentState::kRunnable)) {
    slept = x_.leave;
    yielded_ |= slept && x_.yields;
    x_.leave = false;
  }
  activity_.Worked(number_);
  return slept ? Turn::kSlept : Turn::kRan;
}

}  // namespace warpgrade::emulator
