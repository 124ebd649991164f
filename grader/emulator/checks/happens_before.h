// Decides which memory accesses of a launch are ordered: by barriers, by __syncwarp(), or by a release and its acquire.
//
// Time within a block is (epoch, tick): a barrier of the whole block starts a new epoch, and within an epoch each warp
// counts its own ticks, one for each __syncwarp(), fence and barrier of a part of the block. An access carries its
// block, warp, lane, epoch and tick, packed in an AccessId. An access A is ordered before a later one B when
//   same thread   always
//   same block    A's epoch is over; or A and B are in one warp and a __syncwarp() named both lanes in between; or a
//                 barrier of a part of the block brought A's tick to B's warp
//   any blocks    A's thread (or its block, after a barrier) executed a fence and then wrote a synchronisation
//                 variable, and B's warp (or its block, before a barrier) read it and then executed a fence; several
//                 such steps may follow each other
// A synchronisation variable is any word that is accessed by atomics, volatile or relaxed accesses. .release and
// .acquire stand for the fence. A fence or an access of .cta scope orders accesses of one block only. These are the
// rules of the PTX memory model. In four points the check asks for less, because published programs rely on it:
//   - The fence after the read counts for the whole warp.
//   - A thread that executes a fence and then an atomic, but no compare-and-swap, both releases and acquires with it.
//     The last block of a reduction is found in this way in CUDA's sample threadFenceReduction.
//   - In shared memory, and for accesses that are volatile or atomic themselves, the read is enough without a fence. A
//     compare-and-swap takes a lock and always needs the fence.
//   - If the search runs out of its budget, it takes the accesses as ordered.
// This can hide a race, but never reports a false one. Tested by tests/emulator/exec/race_test.cc and
// global_race_test.cc.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "grader/emulator/state/execution.h"

namespace warpgrade::emulator {

// One thread's write of a synchronisation variable.
struct Release {
  uint32_t block = 0, warp = 0, lane = 0;
  uint32_t epoch = 0;
  WarpOrder::Fence fence[2];
  bool of_block = false;    // an access of .cta scope
  bool everything = false;  // covers the whole block: after a barrier of a part of the block nothing finer is known
  const Acquire* acquired = nullptr;  // what its block had acquired by then
};

struct SyncVariable {
  std::deque<Release> releases;                                  // in order; append only
  std::unordered_map<uint32_t, std::vector<uint32_t>> of_block;  // block -> indices into releases
};

// How much a read of a synchronisation variable orders.
enum class AcquireKind : uint8_t {
  kLock,    // by compare-and-swap, without a fence: nothing
  kRead,    // without a fence: what counts for volatile accesses and in shared memory
  kFenced,  // with a fence, or .acquire
};

// A warp's read of a synchronisation variable, which had `count` releases at that time.
struct Acquire {
  SyncVariable* variable = nullptr;
  uint64_t key = 0;
  uint32_t count = 0;
  uint32_t warp = 0, epoch = 0;
  AcquireKind kind = AcquireKind::kRead;
  bool of_block = false;  // acquires from releases by its own block only
  const Acquire* previous = nullptr;
};

// The synchronisation variables of one launch. Thread-safe.
class SyncTable {
 public:
  // `lane` of the current warp is about to write the variable (see SyncKey). REQUIRES: called before the write is
  // visible to other host threads.
  void OnWrite(const Exec& x, const Inst& inst, uint64_t key, int lane);
  // The current warp has read the variable. `fence` is how far the read is an acquire by itself. REQUIRES: called after
  // the read.
  void OnRead(Exec& x, const Inst& inst, uint64_t key, std::optional<FenceScope> fence);
  // The current warp has executed a fence.
  void OnFence(Exec& x, FenceScope scope);
  // True if the current warp has itself read this variable as a synchronisation variable, or its block has before a
  // barrier.
  bool Observed(const Exec& x, uint64_t key) const;
  // True if access `before` was released to something that the current warp, or its block, has acquired. `least` is
  // what the acquire must be.
  bool Ordered(const Exec& x, AccessId before, AcquireKind least);

 private:
  static constexpr size_t kShards = 64;
  struct Shard {
    std::mutex mutex;
    std::unordered_map<uint64_t, SyncVariable> variables;
    std::deque<Acquire> acquires;
  };
  Shard& ShardOf(uint64_t key) { return shards_[key * 0x9E3779B97F4A7C15u >> 58]; }
  void Push(Exec& x, Shard& shard, const Acquire& acquire);
  bool Delivers(const Acquire& a, AccessId before, uint32_t block);
  std::array<Shard, kShards> shards_;
  std::atomic<uint64_t> entries_{0};
};

// Identifies the variable that contains a word of global or shared memory.
uint64_t SyncKey(const Exec& x, bool global, uint64_t address);

// The access id of the current warp, without a lane.
AccessId CurrentAccess(const Exec& x);

// True if barriers or __syncwarp() order an earlier access of the same block before one by `lane` of the current warp.
// `many` says that other lanes of the warp take part in the later access too.
bool OrderedInBlock(const Exec& x, AccessId before, uint32_t lane, bool many);

// Handler of membar and fence. Inst::fence says how far it reaches.
void Fence(Exec& x, const Inst& i);

// Events that the machine reports.
void FenceExecuted(Exec& x, LaneMask lanes, FenceScope scope);
void WarpSynced(Exec& x, LaneMask lanes);
void BlockSynced(Block& block);              // every thread of the block
void PartArrived(Exec& x, int32_t barrier);  // the current warp arrives at a barrier of a part of the block
void PartWaited(Block& block, Warp& warp, int32_t barrier);  // `warp` waited at it, and it is complete
void PartCompleted(Block& block, int32_t barrier);           // after PartWaited for all that waited

}  // namespace warpgrade::emulator
