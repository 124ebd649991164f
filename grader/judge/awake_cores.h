// What a host does to times, held down.
//
// AwakeCores keeps every core busy with work that gives way to any other, as long as it is there.
//
// An idle core has to wake up before it works: on a virtual machine, whose host takes an idle core away, it took some
// 200 us longer now and then, and how fast a process got on differed by a tenth from one process to the next. A core
// that runs a thread of the class SCHED_IDLE (sched(7)) never halts, and gives way at once to what wakes up there. The
// kernel finds such cores less well than idle ones, though: who starts several threads says where (ParallelFor).
#pragma once

#include <sched.h>

#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace warpgrade::judge {

class AwakeCores {
 public:
  // Of all cores that this process may use. Of none where a control group allows it only so much processor time, which
  // this would use up (`groups`: HasProcessorQuota), or where threads of that class cannot be made: then things are as
  // they are without it.
  explicit AwakeCores(const std::string& groups = "/sys/fs/cgroup");
  ~AwakeCores();
  AwakeCores(const AwakeCores&) = delete;
  AwakeCores& operator=(const AwakeCores&) = delete;

  int cores() const { return static_cast<int>(threads_.size()); }

 private:
  std::atomic<bool> stop_ = false;
  std::vector<std::thread> threads_;
};

// The core that two workers have in turns, so that what one core is slower than another, or shares with a neighbour, is
// the same to both.
class CoreForWorkers {
 public:
  // Keeps the calling thread and those that it starts from now on off that core, as long as this is there.
  CoreForWorkers();
  ~CoreForWorkers();
  CoreForWorkers(const CoreForWorkers&) = delete;
  CoreForWorkers& operator=(const CoreForWorkers&) = delete;

  // CoreToSpare of those that this process may use. nullopt: there is none, or this thread cannot leave it.
  std::optional<int> core() const { return core_; }

 private:
  cpu_set_t before_;
  std::optional<int> core_;
};

// The last of these cores; nullopt when there are fewer than three, which others need. Pure.
std::optional<int> CoreToSpare(const cpu_set_t& usable);

// Whether a control group of this process, or one above it, has a limit on processor time: cpu.max (version 2) or
// cpu.cfs_quota_us (version 1). `groups`: where control groups are mounted; `own`: what /proc/self/cgroup says.
bool HasProcessorQuota(const std::string& groups, const std::string& own);

}  // namespace warpgrade::judge
