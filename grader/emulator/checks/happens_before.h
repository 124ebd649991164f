// Decides which memory accesses of a launch are ordered: by barriers, by __syncwarp(), or by a release and its acquire.
//
// The time of an access within its block is a pair (epoch, tick). A barrier of the whole block starts a new epoch.
// Within an epoch each warp counts its own ticks: one for each __syncwarp(), each fence, and each barrier of a part of
// the block. An AccessId packs the block, warp, lane, epoch and tick of an access. An access A is ordered before a
// later access B if one of these rules holds:
//   same thread   always
//   same block    A's epoch is over; or A and B are in one warp, and a __syncwarp() between them named both lanes; or
//                 B's warp has learned A's tick at a barrier of a part of the block
//   any blocks    A's thread (or its block, after a barrier) executed a fence and then wrote a synchronisation
//                 variable; and B's warp (or its block, before a barrier) read this variable and then executed a
//                 fence. Several such steps may follow each other
//                 An mbarrier does the same inside a block: a thread that arrives releases, and a thread that has
//                 waited until the phase was over acquires from those that arrived before its end
// A synchronisation variable is any word that is accessed by atomics, or by volatile or relaxed accesses. An access
// with .release or .acquire contains its fence. A fence or an access of .cta scope orders only accesses of one block.
// These are the rules of the PTX memory model. In four points the check is less strict than the model. Published
// programs rely on the second and the third:
//   - The fence after the read counts for the whole warp.
//   - If a thread executes a fence and then an atomic other than a compare-and-swap, the atomic is both a release and
//     an acquire. CUDA's sample threadFenceReduction finds the last block of a reduction in this way.
//   - In shared memory, and for accesses that are volatile or atomic themselves, no fence is needed after the read. But
//     a compare-and-swap takes a lock, so it always needs the fence.
//   - If the search exceeds its budget, the accesses count as ordered.
// So the check may miss a race, but it never reports a false one.
//
// The search goes back from acquire to acquire of a block. Most of them are often atomics in shared memory, as of a
// histogram. Only the block itself releases these, so they seldom add anything (IsIdle in happens_before.cc): the
// search then goes on with the acquires of variables in global memory only. Tested by tests/emulator/exec/race_test.cc
// and global_race_test.cc.
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
  bool everything = false;  // covers all threads of the block, because barriers of a part of the block were used
  uint32_t only_tick = 0;   // not 0: covers only what the warp accessed in this tick, a copy that has landed
  const Acquire* acquired = nullptr;  // what its block had acquired before this release
};

struct SyncVariable {
  std::deque<Release> releases;   // in order; append only
  uint32_t before_phase_end = 0;  // of an mbarrier: how many came before its last phase ended
  std::unordered_map<uint32_t, std::vector<uint32_t>> of_block;  // block -> indices into releases
};

// Which accesses a read of a synchronisation variable orders.
enum class AcquireKind : uint8_t {
  kLock,    // a compare-and-swap without a fence: none
  kRead,    // a read without a fence: volatile and atomic accesses, and all accesses to shared memory
  kFenced,  // a read with a fence, or with .acquire: all accesses
};

// A warp's read of a synchronisation variable, which had `count` releases at that time.
struct Acquire {
  SyncVariable* variable = nullptr;
  uint64_t key = 0;
  uint32_t count = 0;
  uint32_t warp = 0, epoch = 0;
  AcquireKind kind = AcquireKind::kRead;
  bool of_block = false;  // acquires only from releases of its own block
  bool of_phase = false;  // of an mbarrier
  // The acquires before this one in its block, back to the first:
  const Acquire* previous = nullptr;         // the last
  const Acquire* previous_global = nullptr;  // the last of a variable in global memory
  uint32_t number = 1;                       // how many there are, with this one
};

// The synchronisation variables of one launch. Thread-safe.
class SyncTable {
 public:
  // `lane` of the current warp is about to write the variable (see SyncKey). REQUIRES: called before the write is
  // visible to other host threads.
  void OnWrite(const Exec& x, const Inst& inst, uint64_t key, int lane);
  // The current warp has read the variable. `fence`: the scope of the fence that the read itself contains, if any.
  // REQUIRES: called after the read.
  void OnRead(Exec& x, const Inst& inst, uint64_t key, std::optional<FenceScope> fence);
  // The same for an mbarrier: `release` arrives; a phase ends; the current warp has waited for its end.
  void OnArrival(uint64_t key, const Release& release);
  void OnPhaseEnd(uint64_t key);
  void OnWaited(Exec& x, uint64_t key);
  // The current warp has executed a fence.
  void OnFence(Exec& x, FenceScope scope);
  // True if the current warp has read this variable as a synchronisation variable, or if any warp of its block has read
  // it in an earlier epoch.
  bool Observed(const Exec& x, uint64_t key) const;
  // True if a release that covers the access `before` was acquired by the current warp or its block. `least`: the
  // weakest kind of acquire that is enough.
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

// True if barriers or __syncwarp() order `before`, an earlier access of the same block, before an access by `lane` of
// the current warp. `many`: other lanes of this warp take part in the later access too.
bool OrderedInBlock(const Exec& x, AccessId before, uint32_t lane, bool many);

// Handler of membar and fence. Inst::fence is the scope.
void Fence(Exec& x, const Inst& i);

// Events that the machine reports.
void FenceExecuted(Exec& x, LaneMask lanes, FenceScope scope);
void WarpSynced(Exec& x, LaneMask lanes);
void WaveSynced(Block& block, Warp& a, Warp& b);  // all lanes of a wavefront of 64, whose warps are `a` and `b`
void BlockSynced(Block& block);                   // every thread of the block
void PartArrived(Exec& x, int32_t barrier);       // the current warp arrives at a barrier of a part of the block
void PartWaited(Block& block, Warp& warp, int32_t barrier);  // `warp` waited at it, and it is complete
void PartCompleted(Block& block, int32_t barrier);           // after PartWaited for all that waited

// Events of the mbarrier at offset `at` of shared memory. It orders only the threads that arrive before those that
// wait.
void MbarrierArrived(Exec& x, LaneMask lanes, uint64_t at);  // before the phase may end
void MbarrierPhaseEnded(Exec& x, uint64_t at);
void MbarrierWaited(Exec& x, uint64_t at);  // the current warp has seen that the phase is over
// An asynchronous copy of the current warp that an mbarrier tracks writes its destination between these two calls.
void BeginTrackedCopy(Exec& x);
void EndTrackedCopy(Exec& x, uint64_t at);

}  // namespace warpgrade::emulator
