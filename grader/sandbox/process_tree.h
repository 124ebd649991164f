// Finds, measures and signals the descendants of a process, through /proc.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "grader/sandbox/descriptor.h"

namespace warpgrade::sandbox {

struct ProcessInfo {
  pid_t pid = 0;
  bool zombie = false;
  int64_t cpu_ticks = 0;     // processor time of itself and of children it has waited for, in units of _SC_CLK_TCK
  uint64_t start_ticks = 0;  // when it started, in ticks since boot
  int64_t threads = 0;
  int64_t resident_bytes = 0;  // counts shared pages in full
};

// Reads the state of one process. False when there is no such process, or no longer.
bool ReadProcessInfo(pid_t pid, ProcessInfo* info);

// The memory of the kernel that holds the tables of a process's pages. 0 if there is no such process. A process that
// reads far apart addresses makes these tables large, while its resident pages stay few.
int64_t PageTableBytes(pid_t pid);

// The direct children of `pid`, zombies included. May miss a child that is created meanwhile.
std::vector<pid_t> ChildrenOf(pid_t pid);

// The processes below `root`, without `root` itself; no more than `at_most`.
std::vector<ProcessInfo> DescendantsOf(pid_t root, size_t at_most);

// The same for one root, again and again. While no process or thread starts on the machine, it mostly asks those that
// it knows and does not search for others, which is much cheaper.
class Descendants {
 public:
  Descendants(pid_t root, size_t at_most);

  // The processes below the root, as they are now.
  const std::vector<ProcessInfo>& Now();

 private:
  bool AskKnown();

  const pid_t root_;
  const size_t at_most_;
  Descriptor load_average_;  // its last field is the number of the process or thread that was started last
  int64_t last_started_ = -1;
  int unchanged_ = 0;  // how many looks in a row found the same last number
  std::vector<ProcessInfo> known_;
  std::vector<Descriptor> stats_;  // of known_
};

// True when no thread of the process can run without a SIGCONT, and when there is no such process any more.
bool IsStopped(pid_t pid);

// How long a thread of the process was ready to run while all cores worked for others, since the thread started: of the
// thread that has waited longest. 0 where the kernel does not tell (it needs CONFIG_SCHED_INFO).
int64_t WaitedForCoreNs(pid_t pid);

// A limit on wall-clock time only ends a program that is stuck. So it is stretched by the time in which the program
// waited for a core, because the machine was busy: by so many times itself at most, so that every program ends.
inline constexpr int64_t kMostExcuses = 20;

// Binds every thread of a process to one core; threads and processes that they start later inherit it. A thread that
// may not be moved stays where it is.
void MoveToCore(pid_t pid, int core);

// The number of threads of the user `uid` in the whole system, with which the kernel compares RLIMIT_NPROC.
int64_t ThreadsOfUser(uid_t uid);

// Sends SIGKILL to every process below `root` and to the process groups that they lead. It may miss processes that are
// created meanwhile, so call it until none is left. It can outrun a fork bomb: it reads only the lists of children, and
// takes from each process the right to create more. That right cannot be taken from a privileged user's processes.
void KillDescendantsOf(pid_t root);

}  // namespace warpgrade::sandbox
