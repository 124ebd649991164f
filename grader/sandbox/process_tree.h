// Finds, measures and signals the descendants of a process, as /proc shows them.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace warpgrade::sandbox {

struct ProcessInfo {
  pid_t pid = 0;
  pid_t group = 0;
  bool zombie = false;
  int64_t cpu_ticks = 0;       // its own and that of the children it has waited for, in units of _SC_CLK_TCK
  uint64_t start_ticks = 0;    // since boot
  int64_t resident_bytes = 0;  // counts shared pages in full
};

// False when there is no such process (any more).
bool ReadProcessInfo(pid_t pid, ProcessInfo* info);

// The direct children of `pid`, zombies too. May miss one that is born while we look.
std::vector<pid_t> ChildrenOf(pid_t pid);

// All processes below `root`, without `root` itself.
std::vector<ProcessInfo> DescendantsOf(pid_t root);

// SIGKILL to each, and to each one's process group in one call (a fork bomb does not outrun that), except to the group
// `spared`.
void KillAll(const std::vector<ProcessInfo>& processes, pid_t spared_group);

}  // namespace warpgrade::sandbox
