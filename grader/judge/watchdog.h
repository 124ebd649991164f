// Interrupts the device when a kernel runs past the rung's deadline: the judge's own thread is inside the emulator then
// and cannot look at the clock.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

namespace warpgrade::judge {

class Watchdog {
 public:
  // `interrupt` runs on the watchdog's thread, again and again until disarmed, once the deadline is over or `cancel`
  // (may be null) is set.
  Watchdog(std::function<void()> interrupt, const std::atomic<bool>* cancel);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  // `deadline_ns` on RawNanoseconds()'s clock.
  void Arm(int64_t deadline_ns) { deadline_ns_ = deadline_ns; }
  // No interruption begins after this returns.
  void Disarm();

 private:
  void Run();

  const std::function<void()> interrupt_;
  const std::atomic<bool>* const cancel_;
  std::atomic<int64_t> deadline_ns_{0};  // 0: disarmed
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace warpgrade::judge
