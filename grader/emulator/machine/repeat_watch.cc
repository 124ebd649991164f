// The state of a block as bytes, and what must hold so that a state which came back proves an endless loop. Blocks that
// read global memory need each other's word: RepeatTally (state/execution.h) counts those that repeat and write
// nothing, and begins anew whenever a block ends or begins to repeat. Tested by
// tests/emulator/exec/endless_loop_test.cc.
#include "grader/emulator/machine/repeat_watch.h"

#include <algorithm>
#include <cstring>

namespace warpgrade::emulator {
namespace {

constexpr size_t kMostMemory = size_t{64} << 20;  // bytes of global memory that are saved
constexpr uint64_t kLongestSkip = 64;             // looks; each comes after at least kBlockSlice instructions

// Calls f(pointer, bytes) for each part of the block's state until f says false. What differs most likely comes first.
template <typename F>
class StateParts {
 public:
  explicit StateParts(F f) : f_(f) {}

  bool All(const Block& block) {
    for (const Warp& w : block.warps) {
      if (!Lanes(w) || (!w.done && !Frames(w))) return false;
    }
    for (const Barrier& b : block.barriers) {
      if (!Value(b.arrived) || !Value(b.expected) || !Value(b.first) || !Value(b.some_only_arrive) ||
          !Value(b.reduction_popc)) {
        return false;
      }
    }
    return Value(block.live_threads) && f_(block.shared.data(), block.shared.size());
  }

 private:
  template <typename T>
  bool Value(const T& value) {
    return f_(&value, sizeof(value));  // NOLINT(bugprone-sizeof-expression): of a pointer, its own bytes
  }

  bool Lanes(const Warp& w) {
    if (!Value(w.alive) || !Value(w.current) || !Value(w.impatient)) return false;
    for (const Fragment& f : w.fragments) {
      if (!Value(f.state)) return false;
      if (f.state == FragmentState::kDone) continue;
      if (!Value(f.pc) || !Value(f.mask) || !Value(f.frame) || !Value(f.join) || !Value(f.barrier) ||
          !Value(f.waits_at) || !Value(f.sync_mask) || !Value(f.polling) || !Value(f.forced)) {
        return false;
      }
    }
    for (const Join& j : w.joins) {
      if (!Value(j.live)) return false;
      if (!j.live) continue;
      if (!Value(j.parent) || !Value(j.frame) || !Value(j.pc) || !Value(j.expected) || !Value(j.arrived) ||
          !Value(j.is_call)) {
        return false;
      }
    }
    return true;
  }

  bool Frames(const Warp& w) {
    for (size_t k = 0; k < w.frames.size(); ++k) {
      const bool is_free =
          std::find(w.free_frames.begin(), w.free_frames.end(), static_cast<int32_t>(k)) != w.free_frames.end();
      if (!Value(is_free)) return false;
      if (is_free) continue;
      const Frame& frame = w.frames[k];
      if (!Value(frame.code) || !Value(frame.local_base) || !Value(frame.dynamic_bytes) || !Value(frame.return_join) ||
          !Value(frame.lanes) || !f_(frame.registers, frame.code->frame_bytes)) {
        return false;
      }
    }
    return f_(w.local.data(), w.local.size());
  }

  F f_;
};

template <typename F>
bool ForState(const Block& block, F f) {
  return StateParts<F>(f).All(block);
}

bool IsReleasable(const Join& j) { return j.live && !j.is_call && j.arrived != 0; }

size_t MemoryBytes(const GlobalMemory& memory) {
  size_t bytes = 0;
  for (const auto& [base, allocation] : memory.live()) bytes += allocation.bytes;
  return bytes;
}

}  // namespace

RepeatWatch::Traffic RepeatWatch::TrafficOf(const Exec& x) {
  Traffic t{0, x.atomic_changes};
  for (const FunctionCode& f : x.launch->program->functions) {
    for (const Inst& i : f.code) {
      const uint64_t requests = x.stats[i.index].global.requests;  // of a branch and a barrier: something else
      if (requests == 0 || i.count_class == CountClass::kBranch || i.count_class == CountClass::kBarrier) continue;
      if (i.count_class == CountClass::kPlain || i.count_class == CountClass::kConstantLoad) continue;
      const bool generic = i.count_class == CountClass::kGeneric;
      const auto is = [&](CountClass c, AccessDirection direction) {
        return i.count_class == c || (generic && i.access == direction);
      };
      const bool atomic = is(CountClass::kGlobalAtomic, AccessDirection::kAtomic);
      if (!is(CountClass::kGlobalStore, AccessDirection::kStore)) t.reads += requests;
      if (!is(CountClass::kGlobalLoad, AccessDirection::kLoad) && !atomic) t.writes += requests;
    }
  }
  return t;
}

// REQUIRES: `stamp` is not older than this call.
void RepeatWatch::Save(const Exec& x, uint64_t stamp) {
  stamp_ = stamp;
  state_.clear();
  ForState(*x.block, [this](const void* part, size_t bytes) {
    const uint8_t* const from = static_cast<const uint8_t*>(part);
    state_.insert(state_.end(), from, from + bytes);
    return true;
  });
  spun_.clear();
  for (const Warp& w : x.block->warps) spun_.push_back(w.spun);
  clock_ = x.clock;
  traffic_ = TrafficOf(x);
  memory_.clear();
  looks_ = 0;
}

bool RepeatWatch::IsSaved(const Exec& x) const {
  size_t at = 0;
  const bool same = ForState(*x.block, [&](const void* part, size_t bytes) {
    if (bytes > state_.size() - at || (bytes > 0 && std::memcmp(state_.data() + at, part, bytes) != 0)) return false;
    at += bytes;
    return true;
  });
  return same && at == state_.size();
}

// From here on the lanes take the same turns as from the saved state on: no lanes will go on because others let them
// wait for too long (heuristics.h), and every fragment gets its turn.
bool RepeatWatch::LanesStay(const Exec& x) const {
  const bool seeded = x.launch->options->seed != 0;
  for (size_t k = 0; k < x.block->warps.size(); ++k) {
    const Warp& w = x.block->warps[k];
    if (w.done) continue;
    if (w.spun > spun_[k] && std::any_of(w.joins.begin(), w.joins.end(), IsReleasable)) return false;
    const auto can_run = [](const Fragment& f) { return f.state == FragmentState::kRunnable; };
    if (seeded && std::count_if(w.fragments.begin(), w.fragments.end(), can_run) > 1) return false;
  }
  return true;
}

RepeatWatch::Verdict RepeatWatch::Look(const Exec& x) {
  if (x.block->async != nullptr || x.launch->program->allocates) return Verdict::kMovesOn;  // there is more state
  if (skip_ > 0) {
    --skip_;
    return verdict_;
  }
  if (!state_.empty()) {
    if (IsSaved(x)) return Returned(x);
    if (++looks_ < most_looks_) return Verdict::kMovesOn;
    most_looks_ *= 2;
  }
  Save(x, x.launch->repeats.Stamp());
  return Verdict::kMovesOn;
}

RepeatWatch::Verdict RepeatWatch::LookLater(Verdict verdict, uint64_t longest_skip) {
  skip_ = next_skip_;
  next_skip_ = std::min(2 * next_skip_, longest_skip);
  return verdict_ = verdict;
}

RepeatWatch::Verdict RepeatWatch::Returned(const Exec& x) {
  if (x.clock != clock_ || !LanesStay(x)) {
    Save(x, x.launch->repeats.Stamp());
    return Verdict::kMovesOn;
  }
  const Traffic now = TrafficOf(x);
  const bool polls = std::any_of(x.block->warps.begin(), x.block->warps.end(), [](const Warp& w) {
    return std::any_of(w.fragments.begin(), w.fragments.end(), [](const Fragment& f) { return f.IsPolling(); });
  });
  if (now.reads == traffic_.reads && !polls) return Verdict::kNeverEnds;
  const bool may_wait = x.launch->may_be_suspended;
  const bool writes = now.writes != traffic_.writes;
  if (!x.launch->memory_is_its_own && (writes || !may_wait)) return LookLater(Verdict::kRepeats, kLongestSkip);
  const Verdict verdict = writes ? ReturnedAfterWrites(x) : ReturnedAfterReads(x, now.writes);
  return verdict == Verdict::kNeverEnds && may_wait ? Verdict::kWaits : verdict;
}

// It never ends if nobody else will write: each other block is done, or has come back to a state of its own, without a
// write, since the last of them began to.
RepeatWatch::Verdict RepeatWatch::ReturnedAfterReads(const Exec& x, uint64_t writes) {
  RepeatTally& tally = x.launch->repeats;
  const std::lock_guard lock(tally.mutex);
  tally.watched = true;
  if (!repeats_ || writes != writes_before_) {
    repeats_ = true;
    writes_before_ = writes;
    tally.Renew();
  }
  if (stamp_ != tally.stamp) {
    Save(x, tally.stamp);
    return Verdict::kRepeats;
  }
  if (confirmed_in_ != tally.stamp) tally.confirmed += 1;
  confirmed_in_ = tally.stamp;
  const uint64_t blocks = x.launch->grid.Count();
  const uint64_t started = x.launch->started_blocks.load();
  // Blocks that are not started never will be if those that repeat fill the device.
  const bool no_more = started == blocks || tally.confirmed >= x.launch->resident_blocks;
  if (no_more && tally.done + tally.confirmed >= started) return Verdict::kNeverEnds;
  return LookLater(Verdict::kRepeats, kLongestSkip);
}

// It never ends if memory is the same as well, and no other block is left.
RepeatWatch::Verdict RepeatWatch::ReturnedAfterWrites(const Exec& x) {
  constexpr uint64_t kLongestSkipOfCopies = 64 * kLongestSkip;
  const bool is_last = x.launch->repeats.done + 1 == x.launch->grid.Count();
  const GlobalMemory& memory = *x.launch->memory;
  if (!is_last || MemoryBytes(memory) > kMostMemory) {
    Save(x, x.launch->repeats.Stamp());  // it may have been the last write
    return LookLater(Verdict::kRepeats, kLongestSkip);
  }
  std::vector<uint8_t> all;
  for (const auto& [base, allocation] : memory.live()) {
    const uint8_t* const from = memory.Host(base);
    all.insert(all.end(), from, from + allocation.bytes);
  }
  if (all == memory_) return Verdict::kNeverEnds;
  const bool saved_before = !memory_.empty();
  Save(x, x.launch->repeats.Stamp());
  memory_ = std::move(all);
  return saved_before ? LookLater(Verdict::kMovesOn, kLongestSkipOfCopies) : Verdict::kMovesOn;
}

void CountDone(LaunchShared& launch) {
  RepeatTally& tally = launch.repeats;
  tally.done += 1;
  if (!tally.watched) return;  // whoever watches later begins after what this block wrote
  const std::lock_guard lock(tally.mutex);
  tally.Renew();
}

}  // namespace warpgrade::emulator
