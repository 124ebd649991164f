// Records the branches of one host thread, while it runs a launch: for each branch instruction the steps of the warp
// whose lanes went both ways most often. A step is one execution of the branch by lanes of this warp.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "grader/emulator/program/program.h"

namespace warpgrade::emulator {

struct BranchStep {
  LaneMask alive = 0;   // lanes that have not ended
  LaneMask at = 0;      // those that are at the branch
  LaneMask inside = 0;  // of these, those that go where a loop repeats, or an `if` does its work
  bool IsDivergent() const { return inside != 0 && inside != at; }
};

// One warp at one branch.
struct WarpSteps {
  uint64_t block = 0;  // linear
  int32_t warp = 0;
  uint64_t executed = 0, divergent = 0;
  std::vector<BranchStep> steps;  // the first BranchRecorder::kMostSteps
  // True if this one is shown rather than `other`.
  bool IsBefore(const WarpSteps& other) const {
    return std::tie(other.divergent, block, warp) < std::tie(divergent, other.block, other.warp);
  }
};

struct InstBranches {
  uint64_t executed = 0, divergent = 0;  // sums over all warps
  WarpSteps worst;
  void Add(const InstBranches& other);
};
using RecordedBranches = std::map<uint32_t, InstBranches>;  // by Inst::index

class BranchRecorder {
 public:
  static constexpr size_t kMostSteps = 64;
  // Warps that are remembered at a time. Beyond it, the warps of other blocks are forgotten, but for the worst one of
  // each branch. A block runs to its end before many others start, so nothing is lost of a kernel that a person wrote.
  static constexpr size_t kMostWarps = 4096;

  void Note(uint32_t inst, uint64_t block, int32_t warp, const BranchStep& step);
  // REQUIRES: called once, after the last Note.
  RecordedBranches Take();

 private:
  struct Key {
    uint32_t inst = 0;
    uint64_t block = 0;
    int32_t warp = 0;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  void Forget(uint64_t but_block);
  void Settle(uint32_t inst, WarpSteps warp);

  RecordedBranches all_;
  std::map<Key, WarpSteps> running_;
};

}  // namespace warpgrade::emulator
