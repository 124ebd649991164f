// Tested by tests/emulator/child_launch_test.cc.
#include "grader/emulator/state/child_launches.h"

#include <algorithm>

#include "grader/emulator/state/schedule.h"

namespace warpgrade::emulator {

const char* Name(DeviceError error) {
  switch (error) {
    case DeviceError::kNone:
      return "cudaSuccess";
    case DeviceError::kInvalidValue:
      return "cudaErrorInvalidValue";
    case DeviceError::kMemoryAllocation:
      return "cudaErrorMemoryAllocation";
    case DeviceError::kInvalidConfiguration:
      return "cudaErrorInvalidConfiguration";
    case DeviceError::kMaxDepthExceeded:
      return "cudaErrorLaunchMaxDepthExceeded";
    case DeviceError::kPendingCountExceeded:
      return "cudaErrorLaunchPendingCountExceeded";
    case DeviceError::kInvalidDeviceFunction:
      return "cudaErrorInvalidDeviceFunction";
    case DeviceError::kInvalidResourceHandle:
      return "cudaErrorInvalidResourceHandle";
    case DeviceError::kLaunchOutOfResources:
      return "cudaErrorLaunchOutOfResources";
  }
  return "an unknown error";
}

void ChildLaunches::Prepare(uint64_t buffer, ChildLaunch launch) {
  const std::lock_guard lock(mutex_);
  prepared_[buffer] = std::move(launch);
}

bool ChildLaunches::TakePrepared(uint64_t buffer, ChildLaunch* launch) {
  const std::lock_guard lock(mutex_);
  const auto found = prepared_.find(buffer);
  if (found == prepared_.end()) return false;
  *launch = std::move(found->second);
  prepared_.erase(found);
  return true;
}

DeviceError ChildLaunches::Launch(ChildLaunch launch, uint64_t stream) {
  const std::lock_guard lock(mutex_);
  const bool is_tail = stream == kTailLaunch;
  if (stream > kFireAndForget && !handles_.contains(stream)) return DeviceError::kInvalidResourceHandle;
  if (const DeviceError error = check_(launch); error != DeviceError::kNone) return error;
  if (!is_tail && depth_ > kMaxDepth) return DeviceError::kMaxDepthExceeded;
  if (children_.size() + tail_.size() >= room_) return DeviceError::kPendingCountExceeded;
  if (stream > kFireAndForget) in_time_ = true;
  (is_tail ? tail_ : children_).push_back(std::move(launch));
  return DeviceError::kNone;
}

std::vector<uint64_t> ChildLaunches::Unused() const {
  const std::lock_guard lock(mutex_);
  std::vector<uint64_t> buffers;
  for (const auto& [buffer, launch] : prepared_) buffers.push_back(buffer);
  return buffers;
}

uint64_t ChildLaunches::MakeHandle() {
  const std::lock_guard lock(mutex_);
  handles_.insert(++next_handle_);
  return next_handle_;
}

bool ChildLaunches::DropHandle(uint64_t handle) {
  const std::lock_guard lock(mutex_);
  return handles_.erase(handle) > 0;
}

bool ChildLaunches::HasHandle(uint64_t handle) const {
  const std::lock_guard lock(mutex_);
  return handles_.contains(handle);
}

void ChildLaunches::Fail(const FailedChild& failed) {
  const std::lock_guard lock(mutex_);
  failed_[{failed.block, failed.thread}] = failed;
}

DeviceError ChildLaunches::LastError(uint64_t block, uint64_t thread, bool clear) {
  const std::lock_guard lock(mutex_);
  const auto found = failed_.find({block, thread});
  if (found == failed_.end()) return DeviceError::kNone;
  const DeviceError error = found->second.error;
  if (clear) failed_.erase(found);
  return error;
}

ChildrenInOrder ChildLaunches::Take(uint64_t seed) {
  ChildrenInOrder all{std::move(children_), std::move(tail_)};
  if (in_time_) return all;
  const auto place = [seed](const ChildLaunch& launch) {
    return seed == 0 ? launch.parent_block : Random(seed ^ launch.parent_block).Next();
  };
  for (std::vector<ChildLaunch>* launches : {&all.children, &all.tail}) {
    std::stable_sort(launches->begin(), launches->end(),
                     [&place](const ChildLaunch& a, const ChildLaunch& b) { return place(a) < place(b); });
  }
  return all;
}

}  // namespace warpgrade::emulator
