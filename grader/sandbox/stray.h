// The second line of defence, for a program that has killed its own supervisor. The program's processes then become our
// children, because we are a subreaper, too. This file tells them apart from our supervisors and kills them.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>

namespace warpgrade::sandbox {

// Runs `spawn`, which starts a supervisor and returns its process number or -1, and remembers that number. Makes this
// process a subreaper on first use. Thread-safe.
pid_t SpawnNoted(const std::function<pid_t()>& spawn);

// Waits for a supervisor that is ending, and forgets it. `killed`: it did not end by itself, so the processes that it
// leaves behind are killed and waited for. Thread-safe.
void ReapSupervisor(pid_t supervisor, uint64_t start_ticks, bool killed);

}  // namespace warpgrade::sandbox
