// Ctrl-C: the first asks the command to stop soon and keep what it has; the second ends the process at once.
#pragma once

#include <atomic>

namespace warpgrade::cli {

// Handles SIGINT and SIGTERM from now on. The flag becomes true on the first; it lives as long as the process.
const std::atomic<bool>& CatchInterrupts();

}  // namespace warpgrade::cli
