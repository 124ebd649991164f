// Ctrl-C, or a terminal that is closed: the first asks the command to stop soon and keep what it has; the second ends
// the process at once.
#pragma once

#include <atomic>

namespace warpgrade::cli {

// Handles SIGINT, SIGTERM and SIGHUP (but not under nohup) from now on. The flag becomes true on the first; it lives as
// long as the process.
const std::atomic<bool>& CatchInterrupts();

}  // namespace warpgrade::cli
