// Keeps the host from disturbing measured times.
//
// An idle core must wake up before it works. On a virtual machine whose host takes idle cores away, waking up sometimes
// took about 200 us longer. Then the speed varied by 10% from one process to the next. A core that runs a thread of the
// class SCHED_IDLE (sched(7)) never halts, and it switches to any other thread at once. But Linux's scheduler is less
// likely to choose such a core than an idle one. So code that starts several threads binds each of them to a core
// (ParallelFor). If workers have a core of their own, it is enough to keep that one awake: the judge's thread does not
// sleep in the first 50 ms of a call, and timed calls of such rungs are shorter.
#pragma once

#include <sched.h>

#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace warpgrade::judge {

// Keeps cores busy with threads of the class SCHED_IDLE until it is destroyed.
class AwakeCores {
 public:
  // Keeps awake the core `only`, or without one all cores that this process may use. Keeps none awake if a control
  // group limits the processor time, because these threads would use it up (`groups`: see HasProcessorQuota), or if
  // such threads cannot be made.
  explicit AwakeCores(std::optional<int> only = std::nullopt, const std::string& groups = "/sys/fs/cgroup");
  ~AwakeCores();
  AwakeCores(const AwakeCores&) = delete;
  AwakeCores& operator=(const AwakeCores&) = delete;

  int cores() const { return static_cast<int>(threads_.size()); }

 private:
  std::atomic<bool> stop_ = false;
  std::vector<std::thread> threads_;
};

// A core that two workers use alternately. Cores differ in speed and in what they share with a neighbour. So both
// workers use the same core, and have the same conditions.
class CoreForWorkers {
 public:
  // Keeps the calling thread, and threads that it starts from now on, off that core until this is destroyed.
  CoreForWorkers();
  ~CoreForWorkers();
  CoreForWorkers(const CoreForWorkers&) = delete;
  CoreForWorkers& operator=(const CoreForWorkers&) = delete;

  // CoreToSpare of the cores that this process may use. nullopt if there is none, or if this thread cannot leave it.
  std::optional<int> core() const { return core_; }

 private:
  cpu_set_t before_;
  std::optional<int> core_;
};

// The last core of `usable`. nullopt if there are fewer than three cores, because other work needs them. Pure.
std::optional<int> CoreToSpare(const cpu_set_t& usable);

// True when a control group of this process, or one above it, limits processor time: cpu.max (version 2) or
// cpu.cfs_quota_us (version 1). `groups`: where control groups are mounted; `own`: the text of /proc/self/cgroup.
bool HasProcessorQuota(const std::string& groups, const std::string& own);

}  // namespace warpgrade::judge
