// What a warp and a block know about the order of memory accesses. checks/happens_before.h explains the model and uses
// it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "grader/emulator/program/program.h"

namespace warpgrade::emulator {

// What one warp knows about order within its block.
struct WarpOrder {
  uint32_t tick = 0;       // since the block's last barrier
  uint32_t full_sync = 0;  // accesses of this warp before this tick are ordered before its later ones
  // By FenceScope: lanes that have made no strong write since their last fence. Their next one is a release.
  LaneMask fresh[2] = {0, 0};
  LaneMask fenced = 0;  // lanes that executed a fence since the block began
  int partial_count = 0;
  struct PartialSync {
    uint32_t tick;
    LaneMask lanes;
  };
  std::array<PartialSync, 16> partial{};  // each __syncwarp() of some lanes, oldest first
  struct Fence {
    uint32_t epoch = 0, tick = 0,
             sync = 0;  // covers the thread's accesses before (epoch, tick), its warp's before sync
  };
  std::array<std::array<Fence, kLanes>, 2> fences{};  // by FenceScope; meaningful for lanes in `fenced`

  void Start();
  void NextEpoch();
};

struct Acquire;
struct SyncVariable;

// A read of a synchronisation variable that becomes an acquire with the next fence.
struct UnfencedRead {
  SyncVariable* variable = nullptr;
  uint64_t key = 0;
  uint32_t count = 0;  // of releases that the variable had
  uint32_t warp = 0, epoch = 0;
  bool of_block = false;      // an access of .cta scope
  bool block_fenced = false;  // a fence of the block has followed, which counts for releases by the block only
};

// What a block knows about barriers of a part of its threads, and about what it has acquired.
struct BlockOrder {
  bool partial_used = false;
  std::array<std::array<uint32_t, kLanes>, kLanes> seen{};  // [w][v]: warp v's accesses before this tick precede w's
  std::array<std::array<uint32_t, kLanes>, 16> arriving{};  // by barrier id: what the warps that arrived have seen
  uint32_t fence_in_epoch[2] = {0, 0};                      // the last epoch in which some thread executed a fence
  uint32_t fenced_before[2] = {0, 0};                       // accesses in epochs before this one are fenced
  const Acquire* acquired = nullptr;                        // latest first
  std::vector<UnfencedRead> unfenced;

  void Start();
};

}  // namespace warpgrade::emulator
