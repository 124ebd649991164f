// Who may use a GPU: any number of rungs that are checked for correctness, or one that is timed. Across processes.
//
// Two lock files per GPU: whoever waits for `gate` stands in line, so that a stream of checkers cannot starve a timer.
#pragma once

#include <atomic>
#include <string>

#include "grader/result/result.h"

namespace warpgrade::judge {

class GpuLock {
 public:
  enum class Mode { kShared, kExclusive };

  // Waits until the lock is there. `uuid` names the GPU. Errors: the lock file cannot be made, or `cancel` was set.
  static Result<GpuLock> Take(const std::string& uuid, Mode mode, const std::atomic<bool>* cancel);
  GpuLock(GpuLock&& other) noexcept;
  GpuLock& operator=(GpuLock&&) = delete;
  ~GpuLock();

 private:
  explicit GpuLock(int fd) : fd_(fd) {}
  int fd_ = -1;
};

}  // namespace warpgrade::judge
