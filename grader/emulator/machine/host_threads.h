// The host's threads that a device runs blocks on, kept parked from launch to launch. A launch of a few milliseconds
// may be over before a new thread has found a core of its own; one that is woken tends to go on where it ran before.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace warpgrade::emulator {

// Used by one thread at a time. Threads are started when they are first needed, sleep in between, and end with this
// object; one that is never destroyed ends with the process. A forked child has none of its parent's threads: there
// this object starts its own, even if a Run went on at the fork.
class HostThreads {
 public:
  HostThreads();
  ~HostThreads();
  HostThreads(const HostThreads&) = delete;
  HostThreads& operator=(const HostThreads&) = delete;

  // Starts what `wanted` threads need, the calling one included. Gives how many there are for Run: at least 1, and
  // fewer than `wanted` where the system gives no more. REQUIRES: wanted > 0.
  size_t Reserve(size_t wanted);

  // Calls work(0) to work(threads - 1), all at a time, so that they may wait for each other: work(0) on the calling
  // thread, the same number on the same thread from Run to Run. Returns when all are done. As new threads would, they
  // see what the caller did before and have its floating-point environment; unlike those, they block the signals that
  // others send, and keep the priority and the affinity of the thread that reserved them. What `work` throws
  // ends the process, unless `threads` is 1: others may wait for the one that threw.
  // REQUIRES: 0 < threads <= what Reserve gave last, in this process.
  void Run(size_t threads, const std::function<void(size_t)>& work);

 private:
  class Pool;
  std::unique_ptr<Pool> pool_;  // none before the first thread is needed
};

}  // namespace warpgrade::emulator
