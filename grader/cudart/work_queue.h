// The work of streams that is not done when it is called. A kernel may wait until the host, or work that the host
// launches later, has written some memory. Then its launch is suspended, and everything that CUDA orders after it has
// to wait as well:
//
//   wait<<<1, 1, 0, s>>>(flag)        starts, and is suspended while *flag is 0: item 1
//   cudaMemcpyAsync(h, d, n, k, s)    item 2, after item 1; work in other streams is done when it is called
//   *flag = 1
//   cudaStreamSynchronize(s)          continues item 1, does item 2, and returns
//
// Suspended launches continue in each call that waits for work or asks about it. The host may also poll memory that
// they write, and call nothing. So as long as there are suspended launches, a thread continues them from time to time.
// It holds the runtime's lock meanwhile, so never do two threads do the work of a program at the same time.
//
// Each item has its place in the order of the calls (OrderOp::kReserve). So the findings do not depend on the time at
// which an item is done. Without a suspended launch and without a seed, nothing is ever queued.
//
// A seed delays work as far as CUDA allows, so that a program with a missing order shows wrong results: work is queued
// at random, and done in a random order when a call waits for it. If the program has memory that the host can access
// too, kernels are not delayed, and the work that they come after is done before them: the accesses of a kernel to such
// memory can be watched only when it runs at its call (host_guard.h).
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "grader/cudart/device/backend.h"
#include "grader/cudart/device/timeline.h"
#include "grader/cudart/graph.h"
#include "grader/cudart/order/clocks.h"

namespace warpgrade::cudart {

struct Runtime;

// Thread-compatible: Runtime::mutex guards it.
class WorkQueue {
 public:
  bool empty() const { return items_.empty(); }
  // True if new work of `use` would have to wait for work that is not done.
  bool IsBehind(const StreamUse& use) const;
  // True if work in that stream is not done. For the default stream, this includes the work that its own waits for.
  bool HasWorkOf(const StreamUse& use) const { return !WorkOf(use).empty(); }
  // True if the item is not done. False for 0, which is no item.
  bool IsLeft(uint64_t item) const { return items_.contains(item); }

  // True if a seed may delay the current work.
  bool MayDelay(Runtime& runtime) const;

  // Does `work` in the stream of the device's current use: now, or when the work before it is done. `work` may not
  // refer to the caller's variables. If it fails later, the next call that waits for it returns the error.
  enum class When {
    kAtTheCall,  // unless the work before it cannot be done, because a kernel waits
    kSoon,       // a seed may delay it
  };
  cudaError_t Do(Runtime& runtime, DeviceWork work, When when = When::kAtTheCall,
                 const std::vector<HostVisibleBytes>& used = {});
  // Queues work and returns the number of its item. `event`: another item that it comes after. `used`: the bytes that
  // it is known to use in memory that the host can access too.
  uint64_t Add(Runtime& runtime, const StreamUse& use, DeviceWork work, uint64_t event = 0,
               const std::vector<HostVisibleBytes>& used = {});
  // Queues the record of an event.
  uint64_t AddRecord(Runtime& runtime, const StreamUse& use, cudaEvent_t event);
  // Queues a host function of the program. It is called without the runtime's lock.
  void AddHostWork(Runtime& runtime, const StreamUse& use, HostWork work);

  // Each returns when certain work is done: all work; the work of a stream (for the default stream, also the work that
  // its own waits for); the work before new work of `use`; or one item. They also do other work that is ready. If a
  // kernel waits and no other work can write what it waits for, that is a deadlock.
  cudaError_t WaitForAll(Runtime& runtime);
  cudaError_t WaitFor(Runtime& runtime, const StreamUse& use);
  cudaError_t WaitBefore(Runtime& runtime, const StreamUse& use);
  cudaError_t WaitForItem(Runtime& runtime, uint64_t item);
  // Does the work that is ready.
  void Progress(Runtime& runtime);
  // Forgets what is left, also launches that began.
  void Clear(Runtime& runtime);
  // For the end of the process, when no function of the program may run any more: does the work that is ready.
  void ProgressAtExit(Runtime& runtime);
  // Asks the thread that continues suspended launches to end soon. Thread-safe.
  void StopThread() { stops_ = true; }
  // True if that thread has not ended. Thread-safe.
  bool HasThread() const { return thread_of_ != 0; }

  // For the kernel that is running: true if nobody else will write what it waits for.
  bool is_alone() const { return alone_; }

 private:
  struct Item {
    StreamUse use;
    std::vector<uint64_t> after;
    DeviceWork device;  // at most one of these
    HostWork host;
    bool has_ticket = false;        // its number is its ticket
    bool suspended = false;         // a launch that began
    bool running = false;           // a thread runs `host`
    Moment moment;                  // for the host's guard
    const char* api = "";           // the function that asked for it
    emulator::LaunchId launch = 0;  // of a launch that began
  };

  std::vector<uint64_t> WorkOf(const StreamUse& use) const;
  uint64_t Keep(Runtime& runtime, Item item);
  bool IsReady(const Item& item) const;
  // To an item whose launch waits.
  static void Suspend(Runtime& runtime, Item& item);
  bool Run(Runtime& runtime, uint64_t number);
  bool RunHost(Runtime& runtime, uint64_t number);
  bool RunRound(Runtime& runtime);
  bool RunSome(Runtime& runtime);
  cudaError_t Wait(Runtime& runtime, const std::vector<uint64_t>& wanted);
  // The first suspended launch that one of `wanted` comes after, or is; 0: there is none.
  uint64_t SuspendedBefore(const std::vector<uint64_t>& wanted) const;
  // The host may wait for work without a call.
  void StartThread(Runtime& runtime);
  void GoOn(Runtime& runtime);

  std::map<uint64_t, Item> items_;  // by their numbers, in the order of the calls
  // The last item of each stream comes after all others of that stream.
  struct Last {
    uint64_t number = 0;
    StreamUse use;
  };
  std::map<uint64_t, Last> last_of_;  // by stream; some may be done
  uint64_t last_ = 0;
  uint64_t next_progress_ = 0;  // the number at which many delayed items get their turn again
  bool exits_ = false;
  std::mt19937_64 random_;  // used with a seed
  bool is_seeded_ = false;
  cudaError_t error_ = cudaSuccess;  // of work that was done since a call last gave one
  bool alone_ = false;
  std::set<pid_t> waiting_;  // threads that wait for work
  std::atomic<bool> stops_{false};
  std::atomic<pid_t> thread_of_{0};  // the process in which the thread runs; a fork has none
};

// Allocates memory (Allocations::Acquire). On a GPU an allocation waits for the running kernels, so work that a seed
// has delayed is done first.
cudaError_t AcquireAfterWork(Runtime& runtime, MemoryKind kind, uint64_t bytes, unsigned flags, void** pointer);

}  // namespace warpgrade::cudart
