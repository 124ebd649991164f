// Work of streams that is not done at its call. A kernel may wait for memory that the host, or work that the host asks
// for later, is to write. Then its launch is suspended, and everything that CUDA orders behind it waits as well:
//
//   wait<<<1, 1, 0, s>>>(flag)        begins, and is suspended while *flag is 0: item 1
//   cudaMemcpyAsync(h, d, n, k, s)    item 2, after 1; work in other streams is done at its call
//   *flag = 1
//   cudaStreamSynchronize(s)          goes on with 1, does 2, and returns
//
// Suspended launches go on at each call that waits or asks. The host may also wait for what they write without calling
// anything. For that a thread goes on with them from time to time, as long as there are any. It holds the runtime's
// lock meanwhile, so at no time two threads do the work of a program.
//
// Each item has its place in the order of the calls (OrderOp::kReserve), so what is found does not depend on when it is
// done. Without a suspended launch nothing is ever queued, unless there is a seed.
//
// A seed delays work as CUDA allows, so that a program which does not order it shows wrong results: it is queued at
// random, and done in a random order when a call waits. With memory that the host reaches too, kernels are done at
// their calls, and what they come after before them: what they do there can only be seen at once (host_guard.h).
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
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
  // There is work that is not done and that work of `use` would come after.
  bool IsBehind(const StreamUse& use) const;
  // There is work in that stream that is not done; of the default stream: also work that its own comes after.
  bool HasWorkOf(const StreamUse& use) const { return !WorkOf(use).empty(); }
  // The item is not done. 0: there is no such item.
  bool IsLeft(uint64_t item) const { return items_.contains(item); }

  // A seed may delay work of `use`.
  bool MayDelay(Runtime& runtime) const;

  // Does `work` in the stream of the device's current use: now, or when what it comes after is done. It may refer to
  // nothing of the caller's. What it gives later, the next call gives that waits for it.
  enum class When {
    kAtTheCall,  // unless what it comes after cannot be done, since a kernel waits
    kSoon,       // a seed may delay it
  };
  cudaError_t Do(Runtime& runtime, DeviceWork work, When when = When::kAtTheCall,
                 const std::vector<HostVisibleBytes>& used = {});
  // Queues work. Gives the item's number. `event`: another item that it comes after. `used`: what it is known to use of
  // the memory that the host reaches too.
  uint64_t Add(Runtime& runtime, const StreamUse& use, DeviceWork work, uint64_t event = 0,
               const std::vector<HostVisibleBytes>& used = {});
  // Queues the record of an event.
  uint64_t AddRecord(Runtime& runtime, const StreamUse& use, cudaEvent_t event);
  // Queues a function of the program's, which is called without the runtime's lock.
  void AddHostWork(Runtime& runtime, const StreamUse& use, HostWork work);

  // Return when the work is done: all of it, that of a stream (of the default stream: also what its work comes after),
  // what work of `use` would come after, or one item. They do other work that can be done, too. They call it a deadlock
  // if a kernel waits and nobody is left who could write what it waits for.
  cudaError_t WaitForAll(Runtime& runtime);
  cudaError_t WaitFor(Runtime& runtime, const StreamUse& use);
  cudaError_t WaitBefore(Runtime& runtime, const StreamUse& use);
  cudaError_t WaitForItem(Runtime& runtime, uint64_t item);
  // Does what can be done now.
  void Progress(Runtime& runtime);
  // Forgets what is left.
  void Clear(Runtime& runtime);
  // The thread that goes on with suspended launches ends soon; false: there is none. Thread-safe.
  bool StopThread() {
    stops_ = true;
    return thread_of_ != 0;
  }

  // To a kernel that is done: nobody will write what it waits for.
  bool is_alone() const { return alone_; }

 private:
  struct Item {
    StreamUse use;
    std::vector<uint64_t> after;
    DeviceWork device;  // at most one of these
    HostWork host;
    bool has_ticket = false;  // its number is its ticket
    bool suspended = false;   // a launch that began
    bool running = false;     // a thread runs `host`
    Moment moment;            // for the host's guard
    const char* api = "";     // the function that asked for it
  };

  std::vector<uint64_t> WorkOf(const StreamUse& use) const;
  uint64_t Keep(Runtime& runtime, Item item);
  bool IsReady(const Item& item) const;
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
  uint64_t last_ = 0;
  std::mt19937_64 random_;  // used with a seed
  bool is_seeded_ = false;
  cudaError_t error_ = cudaSuccess;  // of work that was done since a call last gave one
  bool alone_ = false;
  std::atomic<bool> stops_{false};
  std::atomic<pid_t> thread_of_{0};  // the process in which the thread runs; a fork has none
};

// Allocates memory (Allocations::Acquire). On a GPU that waits for the running kernels, so work that a seed delays is
// done first.
cudaError_t AcquireAfterWork(Runtime& runtime, MemoryKind kind, uint64_t bytes, unsigned flags, void** pointer);

}  // namespace warpgrade::cudart
