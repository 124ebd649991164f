// The state of running warps. One host thread runs one block at a time. Host threads share only GlobalMemory and
// LaunchShared.
//
// Divergence: the lanes of a warp that share a pc are a Fragment. A divergent branch splits a fragment in two and
// leaves a Join at the branch's reconvergence point. Lanes that reach the join wait there until all expected lanes have
// arrived or exited. Then they continue together. A call also makes a join, at the return address in the caller's
// frame. Any runnable fragment may run next, so diverged lanes all make progress. If one fragment spins for a long time
// while other lanes wait at a join, the waiting lanes continue without it (independent thread scheduling).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "grader/emulator/memory/global_memory.h"
#include "grader/emulator/memory/shadow_memory.h"
#include "grader/emulator/memory/touched_memory.h"
#include "grader/emulator/program/address_space.h"
#include "grader/emulator/program/program.h"
#include "grader/emulator/state/access_order.h"
#include "grader/emulator/state/device_options.h"
#include "grader/emulator/state/dim3.h"
#include "grader/emulator/state/inst_stats.h"
#include "grader/emulator/state/schedule.h"

namespace warpgrade::emulator {

// A frame of registers for one call of one function by (some) lanes of a warp.
struct Frame {
  uint8_t* registers = nullptr;
  const FunctionCode* code = nullptr;
  uint32_t local_base = 0;     // where this call's local variables start in each lane's local memory
  uint32_t dynamic_bytes = 0;  // of alloca, above the local variables
  uint32_t guards = 0;         // FunctionCode::guards of this call and of its callers
  int32_t return_join = -1;    // the join at the return address; -1 for the kernel itself
  LaneMask lanes = 0;          // lanes that have not returned yet
  const CallSite* call_site = nullptr;
  std::vector<uint8_t> storage;
};

struct Join {
  int32_t parent = -1;
  int32_t frame = 0;
  int32_t pc = 0;
  LaneMask expected = 0, arrived = 0;
  bool is_call = false;
  bool live = false;
};

enum class FragmentState : uint8_t { kRunnable, kBarrier, kWarpSync, kDone };

struct Fragment {
  int32_t pc = 0;
  LaneMask mask = 0;
  int32_t frame = 0;
  int32_t join = -1;
  FragmentState state = FragmentState::kRunnable;
  int32_t barrier = -1;            // kBarrier: barrier id
  const Inst* waits_at = nullptr;  // kBarrier, kWarpSync: the instruction
  LaneMask sync_mask = 0;          // kWarpSync: lanes named by the instruction
  bool polling = false;            // kRunnable at the branch of a wait loop (wait_loop.h): all lanes iterate again
  bool forced = false;             // execute the next .sync instruction with the lanes that are here
  bool IsPolling() const { return state == FragmentState::kRunnable && polling; }
};

struct Warp {
  int32_t index = 0;   // within the block
  LaneMask alive = 0;  // lanes that exist and have not exited
  LaneMask existing = 0;
  const Inst* last_strong = nullptr;  // the last volatile or atomic access, and its generic
  uint64_t last_strong_address = 0;   // address: a loop that never ends probably waits for it
  bool done = false;
  std::vector<Fragment> fragments;
  std::vector<Frame> frames;
  uint64_t frame_bytes = 0;  // of the storage of all frames
  std::vector<Join> joins;
  std::vector<int32_t> free_frames, free_joins;
  std::vector<uint8_t> local;        // lane-major: lane * local_stride + offset
  std::vector<uint8_t> local_valid;  // the same, 1 for each byte that was written; empty: not checked
  uint32_t local_stride = 0;
  int32_t current = 0;     // index of the fragment that runs
  uint64_t spun = 0;       // instructions since lanes last left, arrived or waited: see ReleaseJoins
  bool impatient = false;  // joins were released, because lanes spin while others wait at a join
  uint64_t ran = 0;        // instructions since it started
  bool starts = false;     // it has executed nothing in this block
  LaneMask launched = 0;   // lanes that have launched a child (child_launches.h)

  // The block whose start (FunctionCode::start_again) the kernel's frame holds the results of, if there is one.
  bool has_start = false;
  Dim3 start_of;

  WarpOrder order;  // last, so that what each turn needs lies together: most kernels need only the start of this
};

// The frame of the fragment that runs.
inline Frame& CurrentFrame(Warp& w) {
  return w.frames[static_cast<size_t>(w.fragments[static_cast<size_t>(w.current)].frame)];
}
inline const Frame& CurrentFrame(const Warp& w) { return CurrentFrame(const_cast<Warp&>(w)); }

struct Barrier {
  uint32_t arrived = 0;           // threads
  uint32_t expected = 0;          // 0: all threads of the block that have not exited
  const Inst* first = nullptr;    // of the first arrival, to report mismatches
  bool some_only_arrive = false;  // bar.arrive: they do not wait
  uint32_t reduction_popc = 0;    // bar.red: lanes whose predicate was true
};

// Rows of %tid for each warp index of the launch's block shape, made once per launch.
struct WarpThreads {
  alignas(64) uint32_t tid[3][kLanes] = {};
  LaneMask existing = 0;
};

struct PendingFinding;  // checks/report.h
class SyncTable;        // checks/happens_before.h
class ChildLaunches;    // state/child_launches.h

// Counts the blocks of a launch that, as far as is known, will not write global memory any more. machine/repeat_watch.h
// finds them.
struct RepeatTally {
  std::atomic<uint64_t> done{0};     // blocks that ended
  std::atomic<bool> watched{false};  // some block uses these counts
  std::mutex mutex;                  // guards the members below
  uint64_t stamp = 0;                // counts the events after which all blocks must be confirmed again
  uint64_t confirmed = 0;            // blocks that have repeated a state since then

  // REQUIRES: holds `mutex`.
  void Renew() {
    ++stamp;
    confirmed = 0;
  }
  uint64_t Stamp() {
    const std::lock_guard lock(mutex);
    return stamp;
  }
};

// What all host threads of one launch share. Immutable except for the atomics and the tally.
struct LaunchShared {
  const Program* program = nullptr;
  GlobalMemory* memory = nullptr;
  const DeviceOptions* options = nullptr;
  Dim3 grid, block;
  uint32_t shared_bytes = 0;
  uint32_t dynamic_shared_bytes = 0;
  // The start of the kilobyte that the system reserves for libraries. It lies behind the kernel's own shared memory. 0:
  // the kernel does not use it.
  uint32_t reserved_shared = 0;
  uint32_t SharedSpan() const { return reserved_shared != 0 ? reserved_shared + kReservedSharedBytes : shared_bytes; }
  uint64_t grid_workspace = 0;  // %envreg1/2: cooperative launches
  std::vector<std::byte> parameters;
  std::vector<WarpThreads> warp_threads;
  std::string kernel_name;
  std::atomic<uint64_t> reserved_blocks{0};  // that host threads have taken: they have started them, or will
  std::atomic<uint64_t> started_blocks{0};
  std::atomic<int> fatal{0};            // LaunchStatus of the first fatal finding
  std::atomic<bool> deadlocked{false};  // all threads wait for memory that nobody will write
  uint64_t instruction_budget = 0;      // for this launch: its own, or the rest of the total if that is less
  bool is_cut_by_total = false;         // it is the rest of the total
  std::atomic<uint64_t> instructions_left{0};
  // True if nothing else changes the memory that the launch reads while it runs: neither the host, nor a copy, nor
  // another kernel.
  bool memory_is_its_own = false;
  // True if the host or other work may write the memory that the launch waits for while the launch is suspended. Then a
  // launch that only waits is suspended, and continues later (machine/grid.h).
  bool may_be_suspended = false;
  std::atomic<bool> suspended{false};
  RepeatTally repeats;
  uint64_t launch_index = 0;
  uint64_t resident_blocks = 1;       // how many the device holds at a time
  GlobalShadow* shadow = nullptr;     // of global memory, for the race check; null: not checked
  TouchedMemory* touched = nullptr;   // null: touched bytes are not recorded
  ChildLaunches* children = nullptr;  // null: the program launches no kernels
  SyncTable* sync = nullptr;          // null: the program has no fence, so nothing is ever released
  bool check_uninitialised = false;
  bool check_local = false;  // true if uninitialised reads are checked and the program has local memory

  // True if the host threads must stop: after a fatal finding, when DeviceOptions::cancel is set, or when the launch is
  // suspended.
  bool Stopped() const {
    return fatal.load(std::memory_order_relaxed) != 0 || suspended.load(std::memory_order_relaxed) ||
           (options->cancel != nullptr && options->cancel->load(std::memory_order_relaxed));
  }
};

class Wave64Counter;    // counters/wave64.h
class BranchRecorder;   // recorders/branch_recorder.h
class RequestRecorder;  // recorders/request_recorder.h
class StepRecorder;     // recorders/step_recorder.h
class SharedShapes;     // state/shared_shape.h
struct AsyncState;      // machine/async_copy.cc: copies under way
class RepeatWatch;      // machine/repeat_watch.h
struct DeferredReads;   // checks/deferred_reads.h

struct Block {
  Dim3 id;
  uint64_t linear = 0;
  std::vector<Warp> warps;
  std::vector<uint8_t> shared;
  std::vector<LineShadow> shadow;                 // of shared memory, for the race check; empty: not checked
  GranulePool granules;                           // of `shadow`
  std::shared_ptr<DeferredReads> deferred_reads;  // of shared memory; made when first needed
  uint32_t not_only_reads = 0;  // the last barrier_epoch in which reads of shared memory were not deferred any more
  std::vector<uint64_t> shared_valid;  // a bit for each byte that was written; empty: not checked
  BlockOrder order;
  uint32_t barrier_epoch = 1;  // only grows, also from block to block of one host thread
  uint32_t first_epoch = 1;
  std::array<Barrier, 16> barriers;
  uint32_t barriers_in_use = 0;         // bit n: some thread has arrived at barrier n
  std::shared_ptr<AsyncState> async;    // made when first needed
  std::shared_ptr<RepeatWatch> watch;   // made when the block has run for a long time
  uint64_t ran = 0, ran_unwatched = 0;  // instructions: in all, and since `watch` last looked
  std::vector<uint64_t> wave64;         // by warp, then instruction: executed since the warps lined up (wave64.h)
  uint32_t live_threads = 0;
  uint64_t owed = 0;  // to charge to the instruction budget: for starting the block, or for waiting for the host
  Random random;      // of its schedule, when there is a seed
  uint32_t yields_one_in = 0;  // one in so many strong accesses ends the turn of its warp and of the block; 0: none
  bool progressed = false;     // a barrier completed or a warp finished since it was last cleared
};

// Everything a handler sees: the block, warp and fragment that run, and where to count.
struct Exec {
  uint8_t* frame = nullptr;    // registers of the current fragment's frame
  LaneMask mask = 0;           // lanes to execute: active and guard true
  const Inst* code = nullptr;  // current function's code
  int32_t pc = 0;              // of the next instruction
  bool leave = false;          // the fragment cannot continue: return to the scheduler
  bool yields = false;         // and so should the block: NoteStrong
  bool gone = false;           // the fragment ended or joined others: its slot may hold another fragment now
  LaneMask active = 0;         // the fragment's lanes
  InstStats* stats = nullptr;  // indexed by Inst::index
  Warp* warp = nullptr;
  Block* block = nullptr;
  LaunchShared* launch = nullptr;
  Wave64Counter* wave64 = nullptr;         // null: not counted
  const VectorOperand* vectors = nullptr;  // of the current function
  uint64_t clock = 0;
  uint64_t owed = 0;                // also charged to the instruction budget (instruction_costs.h)
  std::string* printed = nullptr;   // what this block printed so far
  AllocationCache allocation;       // the allocation that the last access hit
  RecentAllocations recent;         // and those that earlier accesses hit
  SharedShapes* shapes = nullptr;   // of shared memory accesses
  uint64_t host_window = 0;         // GlobalMemory::host_window
  uint64_t host_visible_bytes = 0;  // stored in the host window
  uint64_t atomic_changes = 0;      // atomics that changed a value in global memory
  std::vector<PendingFinding>* findings = nullptr;
  RequestRecorder* requests = nullptr;  // this and the next two: null if not recorded
  BranchRecorder* branches = nullptr;
  StepRecorder* steps = nullptr;  // REQUIRES: if it is there, `requests` is, too
};

template <typename T>
inline T* Row(const Exec& x, uint32_t offset) {
  return reinterpret_cast<T*>(x.frame + offset);
}

// The lanes of the current fragment for which the guard of `i` is true. REQUIRES: `i` has one.
inline LaneMask GuardedLanes(const Exec& x, const Inst& i) {
  const LaneMask p = *Row<uint32_t>(x, static_cast<uint32_t>(i.guard));
  return x.active & (i.guard_negated ? ~p : p);
}

}  // namespace warpgrade::emulator
