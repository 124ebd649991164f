#include "grader/judge/gpu_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace warpgrade::judge {
namespace {

using Use = GpuLock::Use;

class GpuLockTest : public testing::Test {
 protected:
  GpuLockTest() { std::filesystem::create_directory(folder_); }
  ~GpuLockTest() override { std::filesystem::remove_all(folder_); }

  Result<GpuLock> Take(const std::string& gpu, Use use, const std::atomic<bool>* cancel = nullptr) const {
    return GpuLock::Take(gpu, use, cancel, folder_);
  }
  // Takes the lock, giving up at once when it is taken.
  bool IsFree(const std::string& gpu, Use use) const {
    const std::atomic<bool> give_up{true};
    return Take(gpu, use, &give_up).ok();
  }

  const std::string folder_ = testing::TempDir() + "/gpu_lock " + std::to_string(getpid());
};

TEST_F(GpuLockTest, ManyMayCheckAtOnce) {
  const Result<GpuLock> one = Take("a", Use::kCheck);
  ASSERT_TRUE(one.ok());
  EXPECT_TRUE(IsFree("a", Use::kCheck));
  EXPECT_TRUE(IsFree("a", Use::kEmulate));
  EXPECT_FALSE(IsFree("a", Use::kTimeGpu));
}

TEST_F(GpuLockTest, OneWhoTimesIsAloneOnThatGpu) {
  {
    const Result<GpuLock> one = Take("a", Use::kTimeGpu);
    ASSERT_TRUE(one.ok());
    EXPECT_FALSE(IsFree("a", Use::kCheck));
    EXPECT_FALSE(IsFree("a", Use::kTimeGpu));
    EXPECT_TRUE(IsFree("a", Use::kEmulate));
    EXPECT_TRUE(IsFree("b", Use::kTimeGpu));
  }
  EXPECT_TRUE(IsFree("a", Use::kTimeGpu));
}

TEST_F(GpuLockTest, OneWhoTimesTheHostTooIsAloneOnAllGpus) {
  {
    const Result<GpuLock> one = Take("a", Use::kTimeGpuAndHost);
    ASSERT_TRUE(one.ok());
    for (const char* gpu : {"a", "b"}) {
      for (const Use use : {Use::kEmulate, Use::kCheck, Use::kTimeGpu, Use::kTimeGpuAndHost}) {
        EXPECT_FALSE(IsFree(gpu, use)) << gpu << ' ' << static_cast<int>(use);
      }
    }
  }
  EXPECT_TRUE(IsFree("b", Use::kTimeGpuAndHost));
}

TEST_F(GpuLockTest, WhoTimesTheHostTooWaitsForWhatGoesOnOnAnotherGpu) {
  for (const Use use : {Use::kEmulate, Use::kCheck, Use::kTimeGpu}) {
    const Result<GpuLock> other = Take("b", use);
    ASSERT_TRUE(other.ok());
    EXPECT_FALSE(IsFree("a", Use::kTimeGpuAndHost)) << static_cast<int>(use);
  }
  EXPECT_TRUE(IsFree("a", Use::kTimeGpuAndHost));
}

// Whoever waits stands in line as soon as no second one gets in.
TEST_F(GpuLockTest, ACheckerQueuesBehindAWaitingTimer) {
  for (const Use use : {Use::kTimeGpu, Use::kTimeGpuAndHost}) {
    std::optional<Result<GpuLock>> checker = Take("a", Use::kCheck);
    std::atomic<bool> timed{false};
    std::thread timer([&] {
      const Result<GpuLock> lock = Take("a", use);
      timed = lock.ok();
    });
    while (IsFree("a", Use::kCheck)) std::this_thread::yield();
    EXPECT_FALSE(timed);
    checker.reset();
    timer.join();
    EXPECT_TRUE(timed);
  }
}

// How many locks there are on the file, as the kernel says.
int LocksOn(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return 0;
  const std::string inode = ":" + std::to_string(info.st_ino) + " ";
  std::ifstream locks("/proc/locks");
  int count = 0;
  for (std::string line; std::getline(locks, line);) count += line.find(inode) != std::string::npos ? 1 : 0;
  return count;
}

TEST_F(GpuLockTest, ACheckerLetsAllTimersThatWaitPass) {
  constexpr int kTimers = 8;
  std::optional<Result<GpuLock>> first = Take("a", Use::kTimeGpu);
  std::atomic<int> timed{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kTimers; ++i) {
    threads.emplace_back([&] {
      const Result<GpuLock> lock = Take("a", Use::kTimeGpu);
      timed += lock.ok() ? 1 : 0;
    });
  }
  while (LocksOn(folder_ + "/warpgrade-a.timers") < 1 + kTimers) std::this_thread::yield();
  int timed_before_the_check = -1;
  std::thread checker([&] {
    const Result<GpuLock> lock = Take("a", Use::kCheck);
    timed_before_the_check = lock.ok() ? timed.load() : -1;
  });
  first.reset();
  for (std::thread& thread : threads) thread.join();
  checker.join();
  EXPECT_EQ(timed_before_the_check, kTimers);
}

TEST_F(GpuLockTest, SaysWhichFileCannotBeMade) {
  const Result<GpuLock> lock = GpuLock::Take("a", Use::kCheck, nullptr, folder_ + "/none");
  ASSERT_FALSE(lock.ok());
  EXPECT_THAT(lock.error().message, testing::HasSubstr("/none/warpgrade-host.gate: cannot be opened to lock the GPU"));
  EXPECT_THAT(lock.error().message,
              testing::HasSubstr("make this path writable for every user who grades on this machine"));
}

}  // namespace
}  // namespace warpgrade::judge
