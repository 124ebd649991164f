#include "grader/judge/gpu_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <string>
#include <thread>

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

TEST_F(GpuLockTest, OneProgramAtATimeUsesAGpu) {
  {
    const Result<GpuLock> one = Take("a", Use::kGpu);
    ASSERT_TRUE(one.ok());
    EXPECT_FALSE(IsFree("a", Use::kGpu));
    EXPECT_TRUE(IsFree("a", Use::kEmulate));
    EXPECT_TRUE(IsFree("b", Use::kGpu));
  }
  EXPECT_TRUE(IsFree("a", Use::kGpu));
}

TEST_F(GpuLockTest, OneWhoTimesTheHostTooIsAloneOnAllGpus) {
  {
    const Result<GpuLock> one = Take("a", Use::kGpuAndHost);
    ASSERT_TRUE(one.ok());
    for (const char* gpu : {"a", "b"}) {
      for (const Use use : {Use::kEmulate, Use::kGpu, Use::kGpuAndHost}) {
        EXPECT_FALSE(IsFree(gpu, use)) << gpu << ' ' << static_cast<int>(use);
      }
    }
  }
  EXPECT_TRUE(IsFree("b", Use::kGpuAndHost));
}

TEST_F(GpuLockTest, WhoTimesTheHostTooWaitsForWhatGoesOnOnAnotherGpu) {
  for (const Use use : {Use::kEmulate, Use::kGpu}) {
    const Result<GpuLock> other = Take("b", use);
    ASSERT_TRUE(other.ok());
    EXPECT_FALSE(IsFree("a", Use::kGpuAndHost)) << static_cast<int>(use);
  }
  EXPECT_TRUE(IsFree("a", Use::kGpuAndHost));
}

// Whoever waits stands in line as soon as no second one gets in.
TEST_F(GpuLockTest, WhoComesLaterQueuesBehindOneWhoWaitsForTheHost) {
  std::optional<Result<GpuLock>> emulated = Take("a", Use::kEmulate);
  std::atomic<bool> timed{false};
  std::thread timer([&] {
    const Result<GpuLock> lock = Take("a", Use::kGpuAndHost);
    timed = lock.ok();
  });
  while (IsFree("a", Use::kEmulate)) std::this_thread::yield();
  EXPECT_FALSE(timed);
  emulated.reset();
  timer.join();
  EXPECT_TRUE(timed);
}

TEST_F(GpuLockTest, SaysWhichFileCannotBeMade) {
  const Result<GpuLock> lock = GpuLock::Take("a", Use::kGpu, nullptr, folder_ + "/none");
  ASSERT_FALSE(lock.ok());
  EXPECT_THAT(lock.error().message, testing::HasSubstr("/none/warpgrade-host.gate: cannot be opened to lock the GPU"));
  EXPECT_THAT(lock.error().message,
              testing::HasSubstr("make this path writable for every user who grades on this machine"));
}

}  // namespace
}  // namespace warpgrade::judge
