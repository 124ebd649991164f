// Which work comes before which, for each of CUDA's rules.
#include "grader/cudart/order/clocks.h"

#include <gtest/gtest.h>

namespace warpgrade::cudart {
namespace {

constexpr uint64_t kDefault = Clocks::kLegacy, kA = 3, kB = 4, kFree = 5;  // kFree: cudaStreamNonBlocking
constexpr uint64_t kEvent = 77;

class ClocksTest : public testing::Test {
 protected:
  ClocksTest() {
    for (const uint64_t stream : {kA, kB}) clocks_.Apply({OrderOp::kStreamMade, stream, 1});
    clocks_.Apply({OrderOp::kStreamMade, kFree, 0});
  }
  Moment Work(uint64_t stream) { return clocks_.Begin(stream, &clock_); }
  // Whether new work in `stream` comes after `moment`.
  bool Follows(uint64_t stream, const Moment& moment) {
    Work(stream);
    return moment.IsBefore(clock_);
  }

  Clocks clocks_;
  Clock clock_;
};

TEST_F(ClocksTest, WorkOfOneStreamIsInOrderAndOfTwoIsNot) {
  const Moment first = Work(kA);
  EXPECT_TRUE(Follows(kA, first));
  EXPECT_FALSE(Follows(kB, first));
  EXPECT_FALSE(clocks_.IsPast(first));
}

TEST_F(ClocksTest, TheDefaultStreamWaitsForBlockingStreamsAndTheyForIt) {
  const Moment a = Work(kA), b = Work(kB);
  const Moment middle = Work(kDefault);
  EXPECT_TRUE(a.IsBefore(clock_) && b.IsBefore(clock_));
  EXPECT_TRUE(Follows(kA, middle));
  EXPECT_TRUE(Follows(kA, b)) << "through the default stream";
}

TEST_F(ClocksTest, TheDefaultStreamAndANonBlockingOneDoNotWaitForEachOther) {
  const Moment early = Work(kFree);
  EXPECT_FALSE(Follows(kDefault, early));
  const Moment middle = Work(kDefault);
  EXPECT_FALSE(Follows(kFree, middle));
}

TEST_F(ClocksTest, AnEventOrdersWhatCameBeforeItWithWhatComesAfterTheWait) {
  const Moment before = Work(kA);
  clocks_.Apply({OrderOp::kRecord, kA, kEvent});
  const Moment after = Work(kA);
  EXPECT_FALSE(Follows(kB, before)) << "there was no wait yet";
  clocks_.Apply({OrderOp::kWaitEvent, kB, kEvent});
  EXPECT_TRUE(Follows(kB, before));
  EXPECT_FALSE(Follows(kB, after));
}

TEST_F(ClocksTest, AWaitIsForTheLatestRecordBeforeIt) {
  clocks_.Apply({OrderOp::kRecord, kA, kEvent});
  const Moment work = Work(kA);
  clocks_.Apply({OrderOp::kWaitEvent, kB, kEvent});
  clocks_.Apply({OrderOp::kRecord, kA, kEvent});
  EXPECT_FALSE(Follows(kB, work));
}

TEST_F(ClocksTest, AnEventInTheDefaultStreamMarksTheBlockingStreamsToo) {
  const Moment work = Work(kA);
  clocks_.Apply({OrderOp::kRecord, kDefault, kEvent});
  clocks_.Apply({OrderOp::kHostWaitsEvent, 0, kEvent});
  EXPECT_TRUE(clocks_.IsPast(work));
}

TEST_F(ClocksTest, WhatTheHostWaitedForComesBeforeAllThatItIssuesLater) {
  const Moment a = Work(kA), b = Work(kB);
  clocks_.Apply({OrderOp::kHostWaitsStream, kA, 0});
  EXPECT_TRUE(clocks_.IsPast(a));
  EXPECT_FALSE(clocks_.IsPast(b));
  EXPECT_TRUE(Follows(kFree, a));
  EXPECT_FALSE(Follows(kFree, b));
  clocks_.Apply({OrderOp::kHostWaitsAll, 0, 0});
  EXPECT_TRUE(Follows(kFree, b));
}

TEST_F(ClocksTest, ABarrierOfTheDeviceOrdersStreamsAndNotTheHost) {
  const Moment work = Work(kA);
  clocks_.Apply({OrderOp::kDeviceBarrier, 0, 0});
  EXPECT_TRUE(Follows(kFree, work));
  EXPECT_FALSE(clocks_.IsPast(work));
}

TEST_F(ClocksTest, AnEventThatIsGoneOrWasNeverRecordedOrdersNothing) {
  const Moment work = Work(kA);
  clocks_.Apply({OrderOp::kWaitEvent, kB, kEvent});
  EXPECT_FALSE(Follows(kB, work));
  clocks_.Apply({OrderOp::kRecord, kA, kEvent});
  clocks_.Apply({OrderOp::kEventGone, 0, kEvent});
  clocks_.Apply({OrderOp::kWaitEvent, kB, kEvent});
  EXPECT_FALSE(Follows(kB, work));
}

TEST_F(ClocksTest, AStreamThatTakesTheLaneOfAnotherIsNotOrderedByIt) {
  Work(kA);
  clocks_.Apply({OrderOp::kStreamGone, kA, 0});
  const Moment other = Work(kB);
  clocks_.Apply({OrderOp::kHostWaitsAll, 0, 0});
  for (uint64_t stream = 100; stream < 100 + 2 * Clocks::kMostStreams; ++stream) {
    clocks_.Apply({OrderOp::kStreamMade, stream, 1});
    const Moment work = Work(stream);
    EXPECT_TRUE(other.IsBefore(clock_));
    EXPECT_FALSE(clocks_.IsPast(work));
    EXPECT_FALSE(Follows(kB, work));
    clocks_.Apply({OrderOp::kStreamGone, stream, 0});
    clocks_.Apply({OrderOp::kHostWaitsAll, 0, 0});
  }
  EXPECT_TRUE(clocks_.known());
}

TEST_F(ClocksTest, TooManyStreamsOrEventsMakeAllOfItUnknown) {
  Clocks streams, events;
  for (uint64_t k = 0; k <= Clocks::kMostStreams; ++k) streams.Begin(k, &clock_);
  EXPECT_FALSE(streams.known());
  streams.Begin(1, &clock_);
  for (const OrderOp op : {OrderOp::kRecord, OrderOp::kHostWaitsStream, OrderOp::kStreamGone}) {
    streams.Apply({op, 12345, 1});
  }
  for (uint64_t k = 0; k <= Clocks::kMostEvents; ++k) events.Apply({OrderOp::kRecord, 1, k});
  EXPECT_FALSE(events.known());
}

}  // namespace
}  // namespace warpgrade::cudart
