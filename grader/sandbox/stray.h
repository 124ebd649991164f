// The second line of defence: what to do when a program has killed its own supervisor. Its descendants, cut loose, then
// come to us, because we are a subreaper too; here they are told from our supervisors and killed.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>

namespace warpgrade::sandbox {

// Runs `spawn`, which starts a supervisor and returns its number or -1, and takes note of that supervisor. Makes this
// process a subreaper on first use. Thread-safe.
pid_t SpawnNoted(const std::function<pid_t()>& spawn);

// Waits for a supervisor that is ending, and forgets it. `killed` says that it did not end by itself: the descendants
// that it leaves behind are killed, and waited for. Thread-safe.
void ReapSupervisor(pid_t supervisor, uint64_t start_ticks, bool killed);

}  // namespace warpgrade::sandbox
