// Keeps what the threads of a grid launch, from several host threads at a time, and puts it in order at the end. Tested
// by tests/emulator/child_launch_test.cc.
#include "grader/emulator/state/child_launches.h"

#include <algorithm>
#include <iterator>

#include "grader/emulator/state/schedule.h"

namespace warpgrade::emulator {

namespace {

struct ErrorRow {
  DeviceError error;
  const char *name, *text;
};

constexpr ErrorRow kErrors[] = {
    {DeviceError::kNone, "cudaSuccess", "no error"},
    {DeviceError::kInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {DeviceError::kMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {DeviceError::kInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {DeviceError::kPendingCountExceeded, "cudaErrorLaunchPendingCountExceeded",
     "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount"},
    {DeviceError::kInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {DeviceError::kInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {DeviceError::kLaunchOutOfResources, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
};

const ErrorRow* RowOf(DeviceError error) {
  const auto* const row =
      std::find_if(std::begin(kErrors), std::end(kErrors), [error](const ErrorRow& r) { return r.error == error; });
  return row == std::end(kErrors) ? nullptr : row;
}

}  // namespace

const char* Name(DeviceError error) {
  const ErrorRow* const row = RowOf(error);
  return row == nullptr ? "unrecognized error code" : row->name;
}

const char* Text(DeviceError error) {
  const ErrorRow* const row = RowOf(error);
  return row == nullptr ? "unrecognized error code" : row->text;
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
  if (children_.size() + tail_.size() >= room_) return DeviceError::kPendingCountExceeded;
  if (stream > kFireAndForget) in_time_ = true;
  launch.number = launched_++;
  (is_tail ? tail_ : children_).push_back(std::move(launch));
  return DeviceError::kNone;
}

uint64_t ChildLaunches::Keep(const std::string& name, const std::function<uint64_t()>& make) {
  const std::lock_guard lock(mutex_);
  uint64_t& place = kept_[name];
  if (place == 0) place = make();
  return place;
}

std::vector<uint64_t> ChildLaunches::Leftovers() const {
  const std::lock_guard lock(mutex_);
  std::vector<uint64_t> buffers;
  for (const auto& [name, place] : kept_) {
    if (place != 0) buffers.push_back(place);
  }
  for (const auto& [buffer, launch] : prepared_) buffers.push_back(buffer);
  return buffers;
}

void ChildLaunches::NoteLater(uint64_t block, uint64_t thread, LaterAccess access) {
  constexpr size_t kMost = size_t{1} << 14, kMostOfThread = 256;
  const std::lock_guard lock(mutex_);
  std::vector<LaterAccess>& of_thread = later_[{block, thread}];
  if (later_count_ >= kMost || of_thread.size() >= kMostOfThread) return;
  access.launched = launched_;
  of_thread.push_back(access);
  ++later_count_;
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
  ChildrenInOrder all{std::move(children_), std::move(tail_), std::move(later_)};
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
