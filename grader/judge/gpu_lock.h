// Decides which processes may use a GPU: any number of rungs that are checked for correctness, or one rung that is
// timed. While a rung whose speed depends on the host's memory is timed, nothing else is judged on any GPU of the host.
// Gradings on another GPU made the shares of such a rung (lab0 v5) vary by 2.4%. Alone on the host they vary by 0.57%
// (BENCHMARKS.md).
//
// There are two lock files for the host and three for each GPU. Every process takes `gate` before `lock`. So a process
// that waits to time a rung gets its lock, even if new processes that only check come all the time. The host's files
// are always taken before a GPU's, so there is no deadlock.
//
// A process that checks also waits until nobody wants to time (`timers`). Otherwise the two kinds would take turns, and
// the GPU would be mostly idle, because checks use it little. All rungs that wait to be timed are timed one after the
// other; then all that wait to be checked are checked at the same time. Each rung is checked before it is timed, so
// nobody waits forever.
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
    kCheck,           // this GPU, together with others that check on it
    kTimeGpu,         // this GPU alone
    kTimeGpuAndHost,  // this GPU alone, with nothing else judged on the host
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
  Status LetTimersPass(const std::string& path, Use use, const std::atomic<bool>* cancel);
  // Takes `stem`.lock after `stem`.gate, and keeps it.
  Status Add(const std::string& stem, bool exclusive, const std::atomic<bool>* cancel);
  Status LockFile(const std::string& path, bool exclusive, const std::atomic<bool>* cancel);

  std::vector<int> fds_;  // the lock files; closing one gives its lock back
};

}  // namespace warpgrade::judge
