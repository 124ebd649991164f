// Holds the work of streams that is not done at its call, because it must wait or because a seed delays it. For
// example, a kernel may wait until the host, or later work, has written some memory. Then the launch of this kernel is
// suspended, and all work that CUDA orders after this launch must wait too:
//
//   wait<<<1, 1, 0, s>>>(flag)        starts, and is suspended while *flag is 0: item 1
//   cudaMemcpyAsync(h, d, n, k, s)    item 2, after item 1; work in other streams is done when it is called
//   *flag = 1
//   cudaStreamSynchronize(s)          continues item 1, does item 2, and returns
//
// Suspended launches continue in each call that waits for work or queries its state. But the host may also poll memory
// that these launches write, without any call. So while there are suspended launches, a thread of ours continues them
// from time to time. This thread holds the runtime's lock, so two threads never do the work of a program at the same
// time.
//
// Each item keeps its place in the order of the calls (OrderOp::kReserve), also if it is done later. So the findings do
// not depend on the time at which an item is done. Without a suspended launch and without a seed, nothing is ever
// queued.
//
// A seed delays work as far as CUDA allows: some work is queued, chosen at random, and it is done in a random order
// when a call waits for it. So a program with missing synchronisation shows wrong results. If the program has memory
// that the host can access too, kernels are not delayed. They run at their call, after all work that must come before
// them, because the accesses of a kernel to such memory can be watched only then (host_guard.h).
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
  // True if new work of `use` would have to wait for queued work.
  bool IsBehind(const StreamUse& use) const;
  // True if work in the stream of `use` is queued. For the default stream, this includes the work of other streams that
  // the default stream waits for.
  bool HasWorkOf(const StreamUse& use) const { return !WorkOf(use).empty(); }
  // True if this item is still queued. False for 0, because no item has the number 0.
  bool IsLeft(uint64_t item) const { return items_.contains(item); }

  // True if a seed may delay the current work.
  bool MayDelay(Runtime& runtime);

  // Does `work` in the stream of the device's current use: now, or when the earlier work is done. `work` may not refer
  // to the caller's variables. If `work` fails later, the next call that waits for it returns the error.
  enum class When {
    kAtTheCall,  // unless the work before it cannot be done, because a kernel waits
    kSoon,       // a seed may delay it
  };
  cudaError_t Do(Runtime& runtime, DeviceWork work, When when = When::kAtTheCall,
                 const std::vector<HostVisibleBytes>& used = {});
  // Queues work and returns the number of its item. `event`: one more item that must be done first. `used`: the bytes
  // that the work uses, as far as is known, in memory that the host can access too.
  uint64_t Add(Runtime& runtime, const StreamUse& use, DeviceWork work, uint64_t event = 0,
               const std::vector<HostVisibleBytes>& used = {});
  // Queues the record of an event.
  uint64_t AddRecord(Runtime& runtime, const StreamUse& use, cudaEvent_t event);
  // Queues a host function of the program. It is called without the runtime's lock.
  void AddHostWork(Runtime& runtime, const StreamUse& use, HostWork work);

  // Each of these functions returns when certain work is done: all work; the work of a stream (as in HasWorkOf); the
  // work that must come before new work of `use`; or one item. Meanwhile they may also do other work that is ready. If
  // a kernel waits, and no other work can write what it waits for, this is reported as a deadlock.
  cudaError_t WaitForAll(Runtime& runtime);
  cudaError_t WaitFor(Runtime& runtime, const StreamUse& use);
  cudaError_t WaitBefore(Runtime& runtime, const StreamUse& use);
  cudaError_t WaitForItem(Runtime& runtime, uint64_t item);
  // Does the work that is ready.
  void Progress(Runtime& runtime);
  // Forgets all queued work, also suspended launches.
  void Clear(Runtime& runtime);
  // Does the work that is ready, at the end of the process. It calls no host function of the program, because none may
  // run any more.
  void ProgressAtExit(Runtime& runtime);
  // Asks the thread that continues suspended launches to end soon. Thread-safe.
  void StopThread() { stops_ = true; }
  // True if this thread has not ended. Thread-safe.
  bool HasThread() const { return thread_of_ != 0; }

  // For the kernel that is running: true if nobody else will write the memory that the kernel waits for.
  bool is_alone() const { return alone_; }

 private:
  struct Item {
    StreamUse use;
    std::vector<uint64_t> after;
    DeviceWork device;  // at most one of these
    HostWork host;
    bool has_ticket = false;        // its number is its ticket
    bool suspended = false;         // a launch that has begun and waits
    bool running = false;           // a thread runs `host`
    Moment moment;                  // for the host's guard
    const char* api = "";           // the API function that queued it
    uint64_t call = 0;              // the place of its call (call_site.h)
    emulator::LaunchId launch = 0;  // of a suspended launch
  };

  std::vector<uint64_t> WorkOf(const StreamUse& use) const;
  uint64_t Keep(Runtime& runtime, Item item);
  bool IsReady(const Item& item) const;
  // Marks the item as a suspended launch.
  static void Suspend(Runtime& runtime, Item& item);
  bool Run(Runtime& runtime, uint64_t number);
  bool RunHost(Runtime& runtime, uint64_t number);
  bool RunRound(Runtime& runtime);
  bool RunSome(Runtime& runtime);
  cudaError_t Wait(Runtime& runtime, const std::vector<uint64_t>& wanted);
  // The first suspended launch among `wanted` and the items that must be done before them. 0: there is none.
  uint64_t SuspendedBefore(const std::vector<uint64_t>& wanted) const;
  // Starts the thread that continues suspended launches, because the host may wait for work without a call.
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
  cudaError_t error_ = cudaSuccess;  // the first error of queued work that no call has returned yet
  bool alone_ = false;
  std::set<pid_t> waiting_;  // threads that wait for work
  std::atomic<bool> stops_{false};
  std::atomic<pid_t> thread_of_{0};  // the process in which the thread runs; a forked process has no such thread
};

// Allocates memory (Allocations::Acquire). On a GPU an allocation waits for running kernels. So the work that a seed
// has delayed is done first.
cudaError_t AcquireAfterWork(Runtime& runtime, MemoryKind kind, uint64_t bytes, unsigned flags, void** pointer);

}  // namespace warpgrade::cudart
