// Interrupts the device when grading is cancelled while a kernel runs: the judge's own thread is then inside the
// emulator and cannot check the flag. The watchdog has no time limit. A kernel on the emulator is limited by its
// instructions, so that it ends in the same way on slow and fast machines.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace warpgrade::judge {

class Watchdog {
 public:
  // Once `cancel` is set, `interrupt` runs on the watchdog's thread, again and again while armed. A null `cancel` is
  // never set.
  Watchdog(std::function<void()> interrupt, const std::atomic<bool>* cancel);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  void Arm() { armed_ = true; }
  // No interruption begins after this returns.
  void Disarm();

 private:
  void Run();

  const std::function<void()> interrupt_;
  const std::atomic<bool>* const cancel_;
  std::atomic<bool> armed_{false};
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace warpgrade::judge
