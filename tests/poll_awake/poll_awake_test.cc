#include "grader/poll_awake/poll_awake.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
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

// A clock that goes on by a microsecond whenever it is read. At its tenth reading the other end writes: whoever sleeps
// before that sleeps until the time is up.
int other_end = -1;
int readings = 0;
int64_t ClockAtWhichTheOtherEndWrites() {
  if (++readings == 10) {
    EXPECT_EQ(write(other_end, "x", 1), 1);
  }
  return readings * 1000;
}

TEST_F(PollAwakeTest, DoesNotSleepWhenItComesAfterAFewMicroseconds) {
  other_end = ends_[1];
  EXPECT_EQ(PollAwakeWithClock(&readable_, 1, 1000, ClockAtWhichTheOtherEndWrites), 1);
  EXPECT_EQ(readings, 10);
}

TEST_F(PollAwakeTest, SleepsAfterFiftyMicroseconds) {
  static int64_t now_ns;
  now_ns = 0;
  EXPECT_EQ(PollAwakeWithClock(&readable_, 1, 1, [] { return now_ns += 10'000; }), 0);
  EXPECT_EQ(now_ns, 60'000);
}

}  // namespace
}  // namespace warpgrade
