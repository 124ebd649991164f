// Who may use a GPU: any number of rungs that are checked for correctness, or one that is timed. Where the host's
// memory is timed too, nothing else is judged on any GPU of this host meanwhile: gradings on another one made the
// shares of such a rung differ by 2.4% instead of 0.8 (BENCHMARKS.md). Across processes.
//
// Two lock files for the host and for each GPU: whoever waits for `gate` stands in line, so that a stream of checkers
// cannot starve a timer. The host's are taken before a GPU's, always, so that nobody waits in a circle.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "grader/result/result.h"

namespace warpgrade::judge {

class GpuLock {
 public:
  enum class Use {
    kEmulate,         // no GPU, all of the host's processors
    kCheck,           // this GPU, beside others that check on it
    kTimeGpu,         // this GPU alone
    kTimeGpuAndHost,  // this GPU alone, and nothing else goes on
  };

  // Waits until the lock is there. `uuid` names the GPU, `folder` holds the lock files. Errors: a lock file cannot be
  // made, or `cancel` was set.
  static Result<GpuLock> Take(const std::string& uuid, Use use, const std::atomic<bool>* cancel,
                              const std::string& folder = "/tmp");
  GpuLock(GpuLock&& other) noexcept;
  GpuLock& operator=(GpuLock&&) = delete;
  ~GpuLock();

 private:
  GpuLock() = default;
  // Adds the lock of `stem`.lock, by way of `stem`.gate.
  Status Add(const std::string& stem, bool exclusive, const std::atomic<bool>* cancel);
  Status LockFile(const std::string& path, bool exclusive, const std::atomic<bool>* cancel);

  std::vector<int> fds_;  // with which the locks go
};

}  // namespace warpgrade::judge
