// Ctrl-C under `warpgrade run`: the running kernel is stopped and its findings are reported before the signal ends the
// program.
#pragma once

#include <atomic>

namespace warpgrade::cudart {

// Handles SIGINT and SIGTERM from now on, unless the program does or they are ignored, and only when
// WARPGRADE_FINDINGS_FILE is set. Gives the flag that stops launches; it lives as long as the process.
const std::atomic<bool>* StopLaunchesOnInterrupt();

// While one of these exists, a signal only sets the flag. When the last one is destroyed, a signal that came meanwhile
// ends the program.
class InterruptibleLaunch {
 public:
  InterruptibleLaunch();
  ~InterruptibleLaunch();
  InterruptibleLaunch(const InterruptibleLaunch&) = delete;
  InterruptibleLaunch& operator=(const InterruptibleLaunch&) = delete;
};

}  // namespace warpgrade::cudart
