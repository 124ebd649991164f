// Tested by tests/emulator/exec/branches_test.cc.
#include "grader/emulator/recorders/branch_recorder.h"

#include <utility>

namespace warpgrade::emulator {

void InstBranches::Add(const InstBranches& other) {
  executed += other.executed;
  divergent += other.divergent;
  if (worst.executed == 0 || other.worst.IsBefore(worst)) worst = other.worst;
}

void BranchRecorder::Settle(uint32_t inst, WarpSteps warp) {
  WarpSteps& worst = all_[inst].worst;
  if (worst.executed == 0 || warp.IsBefore(worst)) worst = std::move(warp);
}

void BranchRecorder::Forget(uint64_t but_block) {
  for (auto one = running_.begin(); one != running_.end();) {
    if (one->first.block == but_block) {
      ++one;
      continue;
    }
    Settle(one->first.inst, std::move(one->second));
    one = running_.erase(one);
  }
}

void BranchRecorder::Note(uint32_t inst, uint64_t block, int32_t warp, const BranchStep& step) {
  InstBranches& sums = all_[inst];
  sums.executed += 1;
  sums.divergent += step.IsDivergent() ? 1 : 0;
  const Key key{inst, block, warp};
  auto known = running_.find(key);
  if (known == running_.end()) {
    if (running_.size() >= kMostWarps) Forget(block);
    if (running_.size() >= kMostWarps) return;  // a block with very many branches
    known = running_.try_emplace(key, WarpSteps{block, warp, 0, 0, {}}).first;
  }
  WarpSteps& steps = known->second;
  steps.executed += 1;
  steps.divergent += step.IsDivergent() ? 1 : 0;
  if (steps.steps.size() < kMostSteps) steps.steps.push_back(step);
}

RecordedBranches BranchRecorder::Take() {
  for (auto& [key, warp] : std::exchange(running_, {})) Settle(key.inst, std::move(warp));
  return std::move(all_);
}

}  // namespace warpgrade::emulator
