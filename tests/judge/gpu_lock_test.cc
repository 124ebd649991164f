#include "grader/judge/gpu_lock.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <optional>
#include <thread>

namespace warpgrade::judge {
namespace {

class GpuLockTest : public testing::Test {
 protected:
  // A GPU of this test alone.
  const std::string gpu_ = "test-" + std::to_string(getpid());
  void TearDown() override {
    unlink(("/tmp/warpgrade-" + gpu_ + ".gate").c_str());
    unlink(("/tmp/warpgrade-" + gpu_ + ".lock").c_str());
  }
  // Takes the lock, giving up at once when it is taken.
  bool IsFree(GpuLock::Mode mode) {
    std::atomic<bool> give_up{true};
    return GpuLock::Take(gpu_, mode, &give_up).ok();
  }
};

TEST_F(GpuLockTest, ManyMayCheckAtOnce) {
  const Result<GpuLock> one = GpuLock::Take(gpu_, GpuLock::Mode::kShared, nullptr);
  ASSERT_TRUE(one.ok());
  EXPECT_TRUE(IsFree(GpuLock::Mode::kShared));
  EXPECT_FALSE(IsFree(GpuLock::Mode::kExclusive));
}

TEST_F(GpuLockTest, OneWhoTimesIsAlone) {
  {
    const Result<GpuLock> one = GpuLock::Take(gpu_, GpuLock::Mode::kExclusive, nullptr);
    ASSERT_TRUE(one.ok());
    EXPECT_FALSE(IsFree(GpuLock::Mode::kShared));
    EXPECT_FALSE(IsFree(GpuLock::Mode::kExclusive));
  }
  EXPECT_TRUE(IsFree(GpuLock::Mode::kExclusive));
}

TEST_F(GpuLockTest, ACheckerQueuesBehindAWaitingTimer) {
  std::optional<Result<GpuLock>> checker = GpuLock::Take(gpu_, GpuLock::Mode::kShared, nullptr);
  std::atomic<bool> timed{false};
  std::thread timer([&] {
    const Result<GpuLock> lock = GpuLock::Take(gpu_, GpuLock::Mode::kExclusive, nullptr);
    timed = lock.ok();
  });
  // The timer stands in line as soon as no second checker gets in.
  while (IsFree(GpuLock::Mode::kShared)) std::this_thread::yield();
  EXPECT_FALSE(timed);
  checker.reset();
  timer.join();
  EXPECT_TRUE(timed);
}

}  // namespace
}  // namespace warpgrade::judge
