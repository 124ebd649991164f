// Decides which processes may use a GPU: one at a time, whether it checks or times a rung. A program could take all
// memory of the GPU, and then no other program would start there. While a rung whose speed depends on the host's memory
// is timed, nothing else is judged on any GPU of the host. Gradings on another GPU made the shares of such a rung (lab0
// v5) vary by 2.4%. Alone on the host they vary by 0.57% (BENCHMARKS.md).
//
// There are two lock files for the host and one for each GPU. Every process takes the host's `gate` before its `lock`.
// So a process that waits to be alone on the host gets its lock, even if new processes come all the time. The host's
// files are always taken before a GPU's, so there is no deadlock.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "grader/result/result.h"

namespace warpgrade::judge {

class GpuLock {
 public:
  enum class Use {
    kEmulate,     // no GPU, all of the host's processors
    kGpu,         // this GPU alone
    kGpuAndHost,  // this GPU alone, with nothing else judged on the host
  };

  // Waits for the lock. `uuid` names the GPU, `folder` holds the lock files. Errors: a lock file cannot be made, or
  // `cancel` was set.
  static Result<GpuLock> Take(const std::string& uuid, Use use, const std::atomic<bool>* cancel,
                              const std::string& folder = "/tmp");
  GpuLock(GpuLock&& other) noexcept;
  GpuLock& operator=(GpuLock&&) = delete;
  ~GpuLock();

 private:
  GpuLock() = default;
  // Takes `stem`.lock after `stem`.gate, and keeps it.
  Status Add(const std::string& stem, bool exclusive, const std::atomic<bool>* cancel);
  Status LockFile(const std::string& path, bool exclusive, const std::atomic<bool>* cancel);

  std::vector<int> fds_;  // the lock files; closing one gives its lock back
};

}  // namespace warpgrade::judge
