#include "grader/judge/watchdog.h"

#include <gtest/gtest.h>

#include <limits>

#include "grader/judge/raw_clock.h"

namespace warpgrade::judge {
namespace {

void WaitFor(const std::atomic<bool>& flag) {
  while (!flag) std::this_thread::yield();
}

TEST(WatchdogTest, InterruptsWhenTheDeadlineIsOver) {
  std::atomic<bool> interrupted{false};
  Watchdog watchdog([&] { interrupted = true; }, nullptr);
  watchdog.Arm(RawNanoseconds());
  WaitFor(interrupted);
}

TEST(WatchdogTest, InterruptsAtOnceWhenCancelled) {
  std::atomic<bool> interrupted{false}, cancel{false};
  Watchdog watchdog([&] { interrupted = true; }, &cancel);
  watchdog.Arm(std::numeric_limits<int64_t>::max());
  cancel = true;
  WaitFor(interrupted);
}

TEST(WatchdogTest, LeavesTheDeviceAloneOnceDisarmed) {
  std::atomic<bool> interrupted{false}, cancel{true};
  Watchdog watchdog([&] { interrupted = true; }, &cancel);
  watchdog.Arm(1);
  watchdog.Disarm();
  interrupted = false;
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_FALSE(interrupted);
}

}  // namespace
}  // namespace warpgrade::judge
