// Ctrl-C in a program whose findings somebody waits for (`warpgrade run`): the kernel that runs is stopped and what was
// seen in it is reported before the signal takes its course.
#pragma once

#include <atomic>

namespace warpgrade::cudart {

// Handles SIGINT and SIGTERM from now on, unless the program does or they are ignored, and only when
// WARPGRADE_FINDINGS_FILE is set. Gives the flag that stops launches; it lives as long as the process.
const std::atomic<bool>* StopLaunchesOnInterrupt();

// While one of these lives a signal sets the flag; when the last goes, the signal that came takes its course.
class InterruptibleLaunch {
 public:
  InterruptibleLaunch();
  ~InterruptibleLaunch();
  InterruptibleLaunch(const InterruptibleLaunch&) = delete;
  InterruptibleLaunch& operator=(const InterruptibleLaunch&) = delete;
};

}  // namespace warpgrade::cudart
