// Finds, measures and signals the descendants of a process, as /proc shows them.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpgrade::sandbox {

struct ProcessInfo {
  pid_t pid = 0;
  bool zombie = false;
  int64_t cpu_ticks = 0;       // its own and that of the children it has waited for, in units of _SC_CLK_TCK
  uint64_t start_ticks = 0;    // since boot
  int64_t resident_bytes = 0;  // counts shared pages in full
};

// False when there is no such process (any more).
bool ReadProcessInfo(pid_t pid, ProcessInfo* info);

// The direct children of `pid`, zombies too. May miss one that is born while we look.
std::vector<pid_t> ChildrenOf(pid_t pid);

// The processes below `root`, without `root` itself; no more than `at_most`.
std::vector<ProcessInfo> DescendantsOf(pid_t root, size_t at_most);

// Whether no thread of it runs or could run without a SIGCONT. A process that is gone runs none.
bool IsStopped(pid_t pid);

// Puts every thread of it, and what those start from now on, on one core. What may not be moved stays where it is.
void MoveToCore(pid_t pid, int core);

// How many threads the user `uid` has, in the whole system: what RLIMIT_NPROC is compared with.
int64_t ThreadsOfUser(uid_t uid);

// SIGKILL to everything below `root` and to the groups that those lead. What is born meanwhile may be missed: call it
// until nothing is left. Made to outrun a fork bomb: it looks at nothing but the lists of children, and takes from each
// process the right to have more (a privileged user's processes cannot be held by that).
void KillDescendantsOf(pid_t root);

}  // namespace warpgrade::sandbox
