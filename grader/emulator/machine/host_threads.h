// The host threads on which a device runs blocks. They stay alive from launch to launch, because a launch of a few
// milliseconds may be over before a new thread has found a free core. A thread that wakes up tends to continue on its
// previous core.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace warpgrade::emulator {

// The name of these threads, as /proc/self/task/*/comm gives it.
inline constexpr const char* kThreadName = "warpgrade";

// Used by one thread at a time. It starts threads when they are first needed; they sleep between launches and end with
// this object. If the object is never destroyed, they end with the process. A forked child does not inherit its
// parent's threads: there this object starts its own, even if the parent was inside Run() when it forked.
class HostThreads {
 public:
  HostThreads();
  ~HostThreads();
  HostThreads(const HostThreads&) = delete;
  HostThreads& operator=(const HostThreads&) = delete;

  // Starts threads until `wanted` can run, including the calling one. Returns how many Run may use: at least 1, and
  // fewer than `wanted` if the system refuses to start more. REQUIRES: wanted > 0.
  size_t Reserve(size_t wanted);

  // Calls work(0) to work(threads - 1), all at the same time, so that they may wait for each other. work(0) runs on the
  // calling thread, and each other number runs on the same thread in every Run. Returns when all are done. Like new
  // threads, they see what the caller did before, and have its floating-point environment. Unlike new threads, they
  // block signals that other processes send, and keep the priority and the affinity of the thread that reserved them.
  // An exception from `work` ends the process unless `threads` is 1, because other threads may wait for the one that
  // threw. REQUIRES: 0 < threads <= the last result of Reserve in this process.
  void Run(size_t threads, const std::function<void(size_t)>& work);

 private:
  class Pool;
  std::unique_ptr<Pool> pool_;  // null until the first thread is needed
};

}  // namespace warpgrade::emulator
