#include "grader/judge/watchdog.h"

#include <chrono>

namespace warpgrade::judge {

Watchdog::Watchdog(std::function<void()> interrupt, const std::atomic<bool>* cancel)
    : interrupt_(std::move(interrupt)), cancel_(cancel), thread_([this] { Run(); }) {}

Watchdog::~Watchdog() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Watchdog::Disarm() {
  std::lock_guard lock(mutex_);
  armed_ = false;
}

void Watchdog::Run() {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, std::chrono::milliseconds(20), [this] { return stop_; })) {
    if (armed_ && cancel_ != nullptr && *cancel_) interrupt_();
  }
}

}  // namespace warpgrade::judge
