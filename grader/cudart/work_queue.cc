// Does queued work in rounds: each ready item once, in the order of the calls. A round in which nothing was done and
// no suspended launch wrote memory leaves everything as it was, so only the host can change anything then. A thread of
// its own goes on with suspended launches, because a host that spins on a flag makes no call that could do it. Tested
// by tests/programs/tricky and faulty.
#include "grader/cudart/work_queue.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "grader/cudart/allocations.h"
#include "grader/cudart/device_link.h"
#include "grader/cudart/error_state.h"
#include "grader/cudart/events.h"
#include "grader/cudart/host_function.h"
#include "grader/cudart/other_threads.h"
#include "grader/cudart/runtime.h"
#include "grader/cudart/streams.h"

namespace warpgrade::cudart {
namespace {

// How long a program's other threads may do nothing, and how long they may take altogether, to write what a kernel
// waits for, before that is a deadlock.
constexpr int kPatienceMs = 10'000, kLongestPatienceMs = 100'000;

class ScopedUnlock {
 public:
  explicit ScopedUnlock(std::mutex& mutex) : mutex_(mutex) { mutex_.unlock(); }
  ~ScopedUnlock() { mutex_.lock(); }
  ScopedUnlock(const ScopedUnlock&) = delete;
  ScopedUnlock& operator=(const ScopedUnlock&) = delete;

 private:
  std::mutex& mutex_;
};

uint64_t SeedOf(Runtime& runtime) { return runtime.device.facts().delay_seed; }

bool ComesAfter(const StreamUse& later, const StreamUse& earlier) {
  if (later.stream == earlier.stream) return true;
  if (later.stream == StreamUse::kLegacy) return earlier.blocking;
  return earlier.stream == StreamUse::kLegacy && later.blocking;
}

}  // namespace

bool WorkQueue::IsBehind(const StreamUse& use) const {
  return std::any_of(items_.begin(), items_.end(), [&](const auto& i) { return ComesAfter(use, i.second.use); });
}

std::vector<uint64_t> WorkQueue::WorkOf(const StreamUse& use) const {
  std::vector<uint64_t> work;
  for (const auto& [number, item] : items_) {
    const bool is_legacy = use.stream == StreamUse::kLegacy;
    if (is_legacy ? ComesAfter(use, item.use) : item.use.stream == use.stream) work.push_back(number);
  }
  return work;
}

bool WorkQueue::MayDelay(Runtime& runtime) {
  if (!runtime.device.orders() || SeedOf(runtime) == 0) return false;
  // The worker of a grading makes one stream and calls every solution with it. One stream is in order, so a solution
  // that makes no other one would only take more time.
  constexpr size_t kOwnOfWorker = 1;
  const bool delays_anew = runtime.device.facts().delays_anew;
  if (delays_anew && runtime.streams.created() <= kOwnOfWorker) return false;
  if (!is_seeded_) {
    if (delays_anew) runtime.device.AskForFacts();  // the seed is 0 by now where technique is measured
    random_.seed(SeedOf(runtime));
    is_seeded_ = true;
  }
  return SeedOf(runtime) != 0;
}

cudaError_t WorkQueue::Do(Runtime& runtime, DeviceWork work, When when, const std::vector<HostVisibleBytes>& used) {
  const StreamUse use = runtime.device.use();
  if (MayDelay(runtime)) {
    constexpr size_t kMostDelayed = 500;
    if (when == When::kSoon && items_.size() < kMostDelayed) {
      const bool delays = random_() % 4 != 0;
      if (delays || IsBehind(use)) {
        Add(runtime, use, std::move(work), 0, used);
        if (runtime.device.host_may_signal()) StartThread(runtime);
        return cudaSuccess;
      }
    } else if (items_.size() < kMostDelayed || last_ >= next_progress_) {
      Progress(runtime);
      next_progress_ = last_ + items_.size() / 16;  // a turn through many that wait takes long
      if (runtime.errors.sticky() != cudaSuccess) return runtime.errors.sticky();
    }
  }
  if (!items_.empty() && IsBehind(use)) {
    Add(runtime, use, std::move(work), 0, used);
    return cudaSuccess;
  }
  const cudaError_t error = work(runtime);
  if (error != cudaErrorNotReady) return error;
  Item item;
  item.use = use;
  item.device = std::move(work);
  Suspend(runtime, item);
  Keep(runtime, std::move(item));  // the device has reserved its place
  if (runtime.device.host_may_signal()) StartThread(runtime);
  return cudaSuccess;
}

uint64_t WorkQueue::Add(Runtime& runtime, const StreamUse& use, DeviceWork work, uint64_t event,
                        const std::vector<HostVisibleBytes>& used) {
  Item item;
  item.use = use;
  item.has_ticket = work != nullptr;
  item.device = std::move(work);
  if (IsLeft(event)) item.after.push_back(event);
  const uint64_t number = Keep(runtime, std::move(item));
  if (!used.empty()) runtime.device.GuardReserved(use.stream, items_.at(number).moment, used);
  return number;
}

uint64_t WorkQueue::AddRecord(Runtime& runtime, const StreamUse& use, cudaEvent_t event) {
  const uint64_t number = last_ + 1;
  Item item;
  item.use = use;
  item.device = [event, number](Runtime& r) {
    Event* const found = r.events.Find(event);
    if (found != nullptr && found->record == number) found->recorded_ns = r.device.clock_ns();
    return cudaSuccess;
  };
  return Keep(runtime, std::move(item));
}

void WorkQueue::AddHostWork(Runtime& runtime, const StreamUse& use, HostWork work) {
  Item item;
  item.use = use;
  item.host = std::move(work);
  Keep(runtime, std::move(item));
  StartThread(runtime);  // it may set a flag that the host waits for
}

uint64_t WorkQueue::Keep(Runtime& runtime, Item item) {
  std::erase_if(last_of_, [this](const auto& entry) { return !IsLeft(entry.second.number); });
  for (const auto& [stream, earlier] : last_of_) {
    if (ComesAfter(item.use, earlier.use)) item.after.push_back(earlier.number);
  }
  ++last_;
  last_of_[item.use.stream] = {last_, item.use};
  item.api = runtime.errors.api();
  item.call = runtime.device.call();
  if (item.device != nullptr) item.moment = runtime.device.Reserve(item.use.stream, item.has_ticket ? last_ : 0);
  items_.emplace(last_, std::move(item));
  return last_;
}

bool WorkQueue::IsReady(const Item& item) const {
  return !item.running && !(exits_ && item.host != nullptr) &&
         std::none_of(item.after.begin(), item.after.end(), [this](uint64_t earlier) { return IsLeft(earlier); });
}

void WorkQueue::Suspend(Runtime& runtime, Item& item) {
  item.suspended = true;
  item.launch = runtime.device.backend().waiting().id;
}

// True if that may be what other work waits for. REQUIRES: IsReady.
bool WorkQueue::Run(Runtime& runtime, uint64_t number) {
  Item& item = items_.at(number);
  if (item.host != nullptr) return RunHost(runtime, number);
  cudaError_t error = cudaSuccess;
  if (item.device != nullptr) {
    const StreamUse before = runtime.device.use();
    const char* const api = runtime.errors.api();
    const uint64_t call = runtime.device.call();
    runtime.errors.Enter(item.api);
    runtime.device.EnterCall(item.call);
    runtime.device.UseStream(item.use);
    runtime.device.Do(item.has_ticket ? number : 0, item.moment);
    error = item.device(runtime);
    runtime.device.Done(item.has_ticket ? number : 0, error != cudaErrorNotReady);
    runtime.device.EnterCall(call);
    runtime.device.UseStream(before);
    runtime.errors.Enter(api);
  }
  if (runtime.errors.sticky() != cudaSuccess) {
    Clear(runtime);
    return true;
  }
  if (error == cudaErrorNotReady) {
    Suspend(runtime, item);
    return runtime.device.backend().waiting().wrote;
  }
  if (error_ == cudaSuccess) error_ = error;
  items_.erase(number);
  return true;
}

// The function may wait for other threads, which may call the API.
bool WorkQueue::RunHost(Runtime& runtime, uint64_t number) {
  Item& item = items_.at(number);
  item.running = true;
  const bool was_waiting = waiting_.erase(gettid()) > 0;
  {
    const HostWork host = item.host;
    const ScopedUnlock unlock(runtime.mutex);
    HostFunction::Run(host);
  }
  if (was_waiting) waiting_.insert(gettid());
  items_.erase(number);
  return true;
}

bool WorkQueue::RunRound(Runtime& runtime) {
  bool worked = false;
  uint64_t number = 0;
  for (auto next = items_.begin(); next != items_.end(); next = items_.upper_bound(number)) {
    number = next->first;
    if (IsReady(next->second)) worked |= Run(runtime, number);
  }
  return worked;
}

// A seed chooses one item of those that are ready, so what nobody waits for stays for longer.
bool WorkQueue::RunSome(Runtime& runtime) {
  if (SeedOf(runtime) == 0) return RunRound(runtime);
  std::vector<uint64_t> ready;
  for (const auto& [number, item] : items_) {
    if (!item.suspended && IsReady(item)) ready.push_back(number);
  }
  if (ready.empty()) return RunRound(runtime);
  Run(runtime, ready[random_() % ready.size()]);
  return true;  // it may have been suspended, and others are ready
}

void WorkQueue::Progress(Runtime& runtime) {
  while (!items_.empty() && RunRound(runtime)) {
  }
}

void WorkQueue::ProgressAtExit(Runtime& runtime) {
  exits_ = true;
  Progress(runtime);
}

uint64_t WorkQueue::SuspendedBefore(const std::vector<uint64_t>& wanted) const {
  std::set<uint64_t> needed(wanted.begin(), wanted.end());
  uint64_t first = 0;
  for (auto i = items_.rbegin(); i != items_.rend(); ++i) {
    if (!needed.contains(i->first)) continue;
    needed.insert(i->second.after.begin(), i->second.after.end());
    if (i->second.suspended) first = i->first;
  }
  return first;
}

cudaError_t WorkQueue::Wait(Runtime& runtime, const std::vector<uint64_t>& wanted) {
  int waited_ms = 0, patience_ms = kPatienceMs;
  OtherThreads before;
  const bool is_outer = waiting_.insert(gettid()).second;
  while (std::any_of(wanted.begin(), wanted.end(), [this](uint64_t item) { return IsLeft(item); })) {
    if (RunSome(runtime)) {
      waited_ms = 0;
      patience_ms = kPatienceMs;
      continue;
    }
    const uint64_t suspended = SuspendedBefore(wanted);
    if (waited_ms == 0) before = LookAtOtherThreads(waiting_);
    if (waited_ms == patience_ms && waited_ms < kLongestPatienceMs) {
      const OtherThreads now = LookAtOtherThreads(waiting_);
      if (now.MayActSince(before)) patience_ms += kPatienceMs;
      before = now;
    }
    if (suspended == 0 || (waited_ms < patience_ms && HasOtherThreads())) {
      const ScopedUnlock unlock(runtime.mutex);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      ++waited_ms;
      continue;
    }
    alone_ = true;
    Run(runtime, suspended);
    alone_ = false;
  }
  if (is_outer) waiting_.erase(gettid());
  if (runtime.errors.sticky() != cudaSuccess) return runtime.errors.sticky();
  return std::exchange(error_, cudaSuccess);
}

cudaError_t WorkQueue::WaitForAll(Runtime& runtime) {
  if (runtime.device.facts().delays_anew) is_seeded_ = false;
  if (items_.empty()) return std::exchange(error_, cudaSuccess);
  std::vector<uint64_t> all;
  for (const auto& [number, item] : items_) all.push_back(number);
  return Wait(runtime, all);
}

cudaError_t WorkQueue::WaitFor(Runtime& runtime, const StreamUse& use) {
  if (items_.empty()) return std::exchange(error_, cudaSuccess);
  return Wait(runtime, WorkOf(use));
}

cudaError_t WorkQueue::WaitBefore(Runtime& runtime, const StreamUse& use) {
  std::vector<uint64_t> wanted;
  for (const auto& [number, item] : items_) {
    if (ComesAfter(use, item.use)) wanted.push_back(number);
  }
  return Wait(runtime, wanted);
}

cudaError_t WorkQueue::WaitForItem(Runtime& runtime, uint64_t item) {
  if (items_.empty()) return std::exchange(error_, cudaSuccess);
  return Wait(runtime, {item});
}

void WorkQueue::Clear(Runtime& runtime) {
  for (const auto& [number, item] : std::exchange(items_, {})) {
    if (item.suspended) runtime.device.Order(OrderOp::kAbandon, item.use.stream, item.launch);
    if (item.has_ticket) runtime.device.Done(number, true);
  }
  last_of_.clear();
}

cudaError_t AcquireAfterWork(Runtime& runtime, MemoryKind kind, uint64_t bytes, unsigned flags, void** pointer) {
  if (SeedOf(runtime) != 0) runtime.queue.Progress(runtime);
  if (runtime.errors.sticky() != cudaSuccess) return runtime.errors.sticky();
  return runtime.allocations.Acquire(kind, bytes, flags, pointer);
}

void WorkQueue::StartThread(Runtime& runtime) {
  if (thread_of_ == getpid()) return;
  // Signals are for the program's threads. Those of a fault stay, because a blocked one would kill the process.
  sigset_t all, before;
  sigfillset(&all);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT}) sigdelset(&all, fault);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  try {
    std::thread([this, &runtime] { GoOn(runtime); }).detach();
    thread_of_ = getpid();
  } catch (const std::exception&) {  // the system has none: calls that wait still go on with the launches
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

// Often while there is something to do, since host and device may take turns. Delayed work gets its turn when no call
// has come for long: the host may wait for it without one.
void WorkQueue::GoOn(Runtime& runtime) {
  constexpr int kOften = 100, kLong = 150;
  pthread_setname_np(pthread_self(), emulator::kOurThreads);
  uint64_t last = 0;
  for (int idle = 0;;) {
    std::this_thread::sleep_for(std::chrono::microseconds(idle < kOften ? 20 : 1000));
    const std::lock_guard lock(runtime.mutex);
    if (stops_ || items_.empty()) {
      thread_of_ = 0;
      return;
    }
    const bool any = std::any_of(items_.begin(), items_.end(), [](const auto& i) { return i.second.suspended; });
    if (std::exchange(last, last_) != last_) idle = 0;
    const bool worked = (any || idle > kLong) && RunRound(runtime);
    idle = worked && any ? 0 : idle + 1;
  }
}

}  // namespace warpgrade::cudart
