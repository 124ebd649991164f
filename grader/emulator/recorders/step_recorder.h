// Records what the threads of one block read and write, in the order in which they do it, while one host thread runs a
// launch. A *step* is what the block does up to a barrier after it has written something. Within it, a warp makes steps
// of its own: up to a __syncwarp() after it has written something, and each shuffle is one. Steps with the same numbers
// belong together.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "grader/emulator/program/program.h"
#include "grader/emulator/state/device_options.h"

namespace warpgrade::emulator {

enum class StepSpace : uint8_t { kShared, kGlobal, kRegisters };
enum class StepDoes : uint8_t { kRead, kWrite, kAtomic, kShuffle };

struct StepNumber {
  uint32_t interval = 0;  // between barriers of the block
  uint32_t part = 0;      // of a warp within it
  friend auto operator<=>(const StepNumber&, const StepNumber&) = default;
};

// One value that one thread read or wrote.
struct StepAccess {
  StepNumber step;
  uint32_t inst = 0;    // Inst::index
  uint32_t thread = 0;  // in its block, linear
  StepDoes does = StepDoes::kRead;
  StepSpace space = StepSpace::kShared;
  uint8_t bytes = 0;    // of the value: 1, 2, 4 or 8
  uint8_t element = 0;  // of a vector access: which one
  uint64_t at = 0;      // an offset in shared memory, a global address, or the thread whose register a shuffle reads
  uint64_t value = 0;   // what was read or written. Of a global atomic: its operand. Of a shuffle: what the thread gets
  uint64_t other = 0;   // of a shuffle: what the thread offers. Of an atomic in shared memory: the value before it
};

// The requests of all warps in one step, as the counters count them, and the lanes that take part in them.
struct StepCounts {
  uint64_t shared_load_requests = 0, shared_store_requests = 0, shared_atomic_requests = 0, shuffles = 0;
  uint64_t shared_load_lanes = 0, shared_store_lanes = 0;
  void Add(const StepCounts& other);
};

struct RecordedSteps {
  uint64_t block = 0;          // linear
  uint64_t wanted_launch = 0;  // BlockToRecord
  bool ran = false;            // false: another host thread has run the block, or the grid has no such block
  std::vector<StepAccess> accesses;
  std::map<StepNumber, StepCounts> counts;
  uint64_t left_out = 0;  // values beyond kMostAccesses, of steps beyond kMostSteps, or of a kind that is not recorded
};

class StepRecorder {
 public:
  // Chosen: 6 MB. The trees of the labs take a hundredth of it.
  static constexpr size_t kMostAccesses = size_t{1} << 17;
  static constexpr size_t kMostSteps = 4096;

  explicit StepRecorder(const BlockToRecord& of) {
    recorded_.block = of.block;
    recorded_.wanted_launch = of.launch;
  }
  bool IsOf(uint64_t block) const { return block == recorded_.block; }

  // Begins a request of a warp. `shared`: the block's memory, as it is now.
  void Request(uint32_t inst, int32_t warp, StepDoes does, StepSpace space, LaneMask lanes,
               const std::vector<uint8_t>& shared);
  struct Value {
    uint64_t at = 0;
    uint8_t bytes = 0, element = 0;
    uint64_t value = 0, other = 0;
  };
  // Adds a value of a lane of that request. The new value of an atomic in shared memory is looked up later.
  void Lane(int lane, const Value& value);
  // Values that the recorder cannot hold, such as those of asynchronous copies.
  void LeaveOut(uint64_t values) { recorded_.left_out += values; }

  void BlockSynced();
  void WarpSynced(int32_t warp);
  // The block has ended. `shared`: its memory.
  void Ended(const std::vector<uint8_t>& shared) { Settle(shared); }

  // REQUIRES: called once, after everything has run.
  RecordedSteps Take() { return std::move(recorded_); }

 private:
  struct OfWarp {
    uint32_t part = 0;
    bool wrote = false;  // since its part began
  };
  OfWarp& Of(int32_t warp);
  void Count(const StepNumber& step, StepDoes does, StepSpace space, LaneMask lanes);
  void Settle(const std::vector<uint8_t>& shared);

  RecordedSteps recorded_;
  uint32_t interval_ = 0;
  bool wrote_ = false;  // since the interval began
  std::vector<OfWarp> warps_;
  std::vector<size_t> unsettled_;  // atomics whose new values are not known yet
  StepAccess request_;             // what all lanes of the last request have in common
  bool is_kept_ = false;           // the step of the last request is one of the first kMostSteps
};

}  // namespace warpgrade::emulator
