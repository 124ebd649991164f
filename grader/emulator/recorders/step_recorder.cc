// Numbers the steps of the block and of its warps while they run, and keeps each value with the number of its step. The
// counts go on where there is no room for more values. Tested by tests/emulator/exec/steps_test.cc.
#include "grader/emulator/recorders/step_recorder.h"

#include <cstring>

namespace warpgrade::emulator {

void StepCounts::Add(const StepCounts& other) {
  shared_load_requests += other.shared_load_requests;
  shared_store_requests += other.shared_store_requests;
  shared_atomic_requests += other.shared_atomic_requests;
  shuffles += other.shuffles;
  shared_load_lanes += other.shared_load_lanes;
  shared_store_lanes += other.shared_store_lanes;
}

StepRecorder::OfWarp& StepRecorder::Of(int32_t warp) {
  const auto index = static_cast<size_t>(warp);
  if (warps_.size() <= index) warps_.resize(index + 1);
  return warps_[index];
}

void StepRecorder::Count(const StepNumber& step, StepDoes does, StepSpace space, LaneMask lanes) {
  auto known = recorded_.counts.find(step);
  is_kept_ = known != recorded_.counts.end() || recorded_.counts.size() < kMostSteps;
  if (!is_kept_) return;
  if (known == recorded_.counts.end()) known = recorded_.counts.try_emplace(step).first;
  StepCounts& counts = known->second;
  const auto of_request = static_cast<uint64_t>(__builtin_popcount(lanes));
  if (does == StepDoes::kShuffle) counts.shuffles += 1;
  if (space != StepSpace::kShared) return;
  if (does == StepDoes::kRead) {
    counts.shared_load_requests += 1;
    counts.shared_load_lanes += of_request;
  } else if (does == StepDoes::kWrite) {
    counts.shared_store_requests += 1;
    counts.shared_store_lanes += of_request;
  } else {
    counts.shared_atomic_requests += 1;
  }
}

// Nothing has changed shared memory since the atomics, as every access of it comes here first.
void StepRecorder::Settle(const std::vector<uint8_t>& shared) {
  for (const size_t index : unsettled_) {
    StepAccess& atomic = recorded_.accesses[index];
    if (atomic.at + atomic.bytes <= shared.size()) std::memcpy(&atomic.value, shared.data() + atomic.at, atomic.bytes);
  }
  unsettled_.clear();
}

void StepRecorder::Request(uint32_t inst, int32_t warp, StepDoes does, StepSpace space, LaneMask lanes,
                           const std::vector<uint8_t>& shared) {
  Settle(shared);
  recorded_.ran = true;
  OfWarp& of_warp = Of(warp);
  const bool is_shuffle = does == StepDoes::kShuffle;
  if (is_shuffle && of_warp.wrote) {
    ++of_warp.part;
    of_warp.wrote = false;
  }
  request_ = StepAccess{};
  request_.step = {interval_, of_warp.part};
  request_.inst = inst;
  request_.thread = static_cast<uint32_t>(warp) * kLanes;
  request_.does = does;
  request_.space = space;
  Count(request_.step, does, space, lanes);
  if (does == StepDoes::kRead) return;
  wrote_ = of_warp.wrote = true;
  if (is_shuffle) {
    ++of_warp.part;
    of_warp.wrote = false;
  }
}

void StepRecorder::Lane(int lane, const Value& value) {
  std::vector<StepAccess>& accesses = recorded_.accesses;
  if (!is_kept_ || accesses.size() == kMostAccesses) {
    ++recorded_.left_out;
    return;
  }
  StepAccess& access = accesses.emplace_back(request_);
  access.thread += static_cast<uint32_t>(lane);
  access.at = value.at;
  access.bytes = value.bytes;
  access.element = value.element;
  access.value = value.value;
  access.other = value.other;
  if (access.does == StepDoes::kAtomic && access.space == StepSpace::kShared) unsettled_.push_back(accesses.size() - 1);
}

void StepRecorder::BlockSynced() {
  if (!wrote_) return;
  ++interval_;
  wrote_ = false;
  warps_.clear();
}

void StepRecorder::WarpSynced(int32_t warp) {
  OfWarp& of_warp = Of(warp);
  if (!of_warp.wrote) return;
  ++of_warp.part;
  of_warp.wrote = false;
}

}  // namespace warpgrade::emulator
