// Finds, measures and signals the descendants of a process, through /proc.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <vector>

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

// The direct children of `pid`, zombies included. May miss a child that is created meanwhile.
std::vector<pid_t> ChildrenOf(pid_t pid);

// The processes below `root`, without `root` itself; no more than `at_most`.
std::vector<ProcessInfo> DescendantsOf(pid_t root, size_t at_most);

// True when no thread of the process can run without a SIGCONT, and when there is no such process any more.
bool IsStopped(pid_t pid);

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
