// What the program's other threads do while a kernel waits: one of them may write what the kernel waits for.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <set>

namespace warpgrade::cudart {

struct OtherThreads {
  bool any_sleeps = false;  // for a time that it chose, so it will go on
  uint64_t ticks = 0;       // of processor time, of all of them so far

  // True if one of them did something since `before`, or will: it may still end the kernel's wait.
  bool MayActSince(const OtherThreads& before) const { return any_sleeps || ticks != before.ticks; }
};

// Whether there are any now. If the system does not tell, there may be some.
bool HasOtherThreads();
// What they do now, but for `waiting`: threads that wait for the same kernels do nothing that ends a wait.
OtherThreads LookAtOtherThreads(const std::set<pid_t>& waiting);

}  // namespace warpgrade::cudart
