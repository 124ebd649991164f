#include "grader/judge/watchdog.h"

#include <gtest/gtest.h>

namespace warpgrade::judge {
namespace {

void WaitFor(const std::atomic<bool>& flag) {
  while (!flag) std::this_thread::yield();
}

TEST(WatchdogTest, InterruptsAtOnceWhenCancelled) {
  std::atomic<bool> interrupted{false}, cancel{false};
  Watchdog watchdog([&] { interrupted = true; }, &cancel);
  watchdog.Arm();
  cancel = true;
  WaitFor(interrupted);
}

TEST(WatchdogTest, LeavesTheDeviceAloneOnceDisarmed) {
  std::atomic<bool> interrupted{false}, cancel{true};
  Watchdog watchdog([&] { interrupted = true; }, &cancel);
  watchdog.Arm();
  watchdog.Disarm();
  interrupted = false;
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_FALSE(interrupted);
}

}  // namespace
}  // namespace warpgrade::judge
