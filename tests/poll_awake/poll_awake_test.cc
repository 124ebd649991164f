#include "grader/poll_awake/poll_awake.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <chrono>
#include <thread>
#include <utility>

namespace warpgrade {
namespace {

class PollAwakeTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends_), 0);
    readable_ = {ends_[0], POLLIN, 0};
  }
  void TearDown() override {
    for (const int end : ends_) close(end);
  }
  void Write() { ASSERT_EQ(write(ends_[1], "x", 1), 1); }

  int ends_[2] = {-1, -1};
  pollfd readable_ = {};
};

TEST_F(PollAwakeTest, FindsWhatIsThereAlready) {
  Write();
  EXPECT_EQ(PollAwake(&readable_, 1, -1), 1);
  EXPECT_EQ(readable_.revents, POLLIN);
}

TEST_F(PollAwakeTest, FindsNothingWhenTheTimeIsUp) {
  EXPECT_EQ(PollAwake(&readable_, 1, 0), 0);
  EXPECT_EQ(PollAwake(&readable_, 1, 1), 0);
}

TEST_F(PollAwakeTest, WaitsForWhatComesLongAfterItHasGoneToSleep) {
  std::thread other([this] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    Write();
  });
  EXPECT_EQ(PollAwake(&readable_, 1, -1), 1);
  other.join();
}

TEST_F(PollAwakeTest, SeesThatTheOtherEndIsClosed) {
  close(std::exchange(ends_[1], -1));
  EXPECT_EQ(PollAwake(&readable_, 1, -1), 1);
  EXPECT_NE(readable_.revents & POLLHUP, 0);
}

// A yield is no sleep: the system counts those apart.
TEST_F(PollAwakeTest, DoesNotSleepWhenItComesAfterAFewMicroseconds) {
  constexpr int kTries = 100;
  const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  ASSERT_GE(timer, 0);
  pollfd expires{timer, POLLIN, 0};
  int slept = 0;
  for (int i = 0; i < kTries; ++i) {
    rusage before, after;
    getrusage(RUSAGE_THREAD, &before);
    const itimerspec soon = {{0, 0}, {0, 10'000}};
    ASSERT_EQ(timerfd_settime(timer, 0, &soon, nullptr), 0);
    ASSERT_EQ(PollAwake(&expires, 1, -1), 1);
    getrusage(RUSAGE_THREAD, &after);
    slept += after.ru_nvcsw > before.ru_nvcsw;
  }
  EXPECT_LT(slept, kTries / 2);
  close(timer);
}

}  // namespace
}  // namespace warpgrade
