// Handles Ctrl-C and a closed terminal. The first signal asks the command to stop soon and keep its results. The second
// one ends the process at once.
#pragma once

#include <atomic>

namespace warpgrade::cli {

// Handles SIGINT, SIGTERM and (except under nohup) SIGHUP from now on. The returned flag becomes true on the first
// signal, and lives as long as the process.
const std::atomic<bool>& CatchInterrupts();

}  // namespace warpgrade::cli
