#include "grader/judge/empty_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "grader/judge/clock_arithmetic.h"
#include "tests/judge/fake/fake_rung.h"
#include "tests/judge/fake/timing_rules.h"

namespace warpgrade::judge {
namespace {

using fake::FakeRung;
using fake::FewSamples;
using fake::Unbounded;
using testing::HasSubstr;

constexpr EmptyCalls::Kind kShort = {1e3, 0, false};

// A calibrator, and the buffers of one call that is never made.
struct Calibrating {
  explicit Calibrating(const std::string& calibrator = "honest") : rung("honest") {
    rung.Start();
    Session::Options options = rung.options;
    options.executable = std::string(STUDENT_FOLDER) + "/" + calibrator;
    session = std::move(*Session::Start(options, rung.device, rung.random));
    Random random(1);
    const Case c = rung.lab.Cases(rung.rung, CaseSet::kThroughput, random).front();
    batch = std::move(*CallBatch::Make(rung.lab, c, rung.device, *rung.session));
    EXPECT_TRUE(batch->Refresh(rung.random).ok());
    delivery.emplace(*batch, rung.device);
  }
  FakeRung rung;
  std::unique_ptr<Session> session;
  std::unique_ptr<CallBatch> batch;
  std::optional<Delivery> delivery;
};

TEST(EmptyCallsTest, AFirstSetIsTakenOnceWhereTheHostIsSteady) {
  Calibrating with;
  EmptyCalls calls(Unbounded(*with.session), with.rung.device, *with.delivery);
  ASSERT_TRUE(calls.TakeFirst(kShort, FewSamples()).ok());
  EXPECT_EQ(with.rung.device.flushes, 15);
  EXPECT_GT(calls.OverheadNs(false), 0);
  EXPECT_GT(calls.CollectingNs(), 0);
  EXPECT_EQ(calls.CopyGbS(), 100);
}

TEST(EmptyCallsTest, AHostThatNeverSettlesEndsTheSessionAsNotTimed) {
  Calibrating with;
  EmptyCalls calls(Unbounded(*with.session), with.rung.device, *with.delivery);
  TimingRule rule = FewSamples();
  rule.max_overhead_ns = -1;  // no overhead is short enough
  const TimingStatus status = calls.TakeFirst(kShort, rule);
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(std::get<NotTimed>(status.end()).reason, HasSubstr("an empty call takes too long"));
  EXPECT_EQ(with.rung.device.flushes, 60 * 15);
}

TEST(EmptyCallsTest, OneThatDoesNotCountChangesNothing) {
  Calibrating with;
  EmptyCalls calls(Unbounded(*with.session), with.rung.device, *with.delivery);
  ASSERT_TRUE(calls.TakeFirst(kShort, FewSamples()).ok());
  const double overhead_ns = calls.OverheadNs(false), collecting_ns = calls.CollectingNs();
  ASSERT_TRUE(calls.Take(kShort, EmptyCalls::Counts::kNo).ok());
  EXPECT_EQ(calls.OverheadNs(false), overhead_ns);
  EXPECT_EQ(calls.CollectingNs(), collecting_ns);
}

TEST(EmptyCallsTest, CopiesThatAreSlowForAWhileDoNotCount) {
  for (const bool slow_first : {false, true}) {
    Calibrating with;
    bool slow = slow_first;
    with.rung.device.at_synchronize = [&slow] {
      if (slow) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    };
    EmptyCalls calls(Unbounded(*with.session), with.rung.device, *with.delivery);
    ASSERT_TRUE(calls.TakeFirst(kShort, FewSamples()).ok());
    slow = !slow_first;
    for (int i = 0; i < 17; ++i) ASSERT_TRUE(calls.Take(kShort, EmptyCalls::Counts::kYes).ok());
    EXPECT_LT(calls.CollectingNs(), 15e6) << slow_first;
  }
}

TEST(EmptyCallsTest, OverheadAndCopyAreBoundedByWhatTheyWereAlone) {
  Calibrating with;
  const Calibrator tight{*with.session, 0, 1e12, 200};
  EmptyCalls calls(tight, with.rung.device, *with.delivery);
  ASSERT_TRUE(calls.TakeFirst(kShort, FewSamples()).ok());
  EXPECT_LE(calls.OverheadNs(false), BoundedOverhead(1e12, 0));
  EXPECT_GE(calls.OverheadNs(true), calls.OverheadNs(false)) << "a worker that stands still has a bound of its own";
  EXPECT_EQ(calls.CopyGbS(), 190);
}

TEST(EmptyCallsTest, TheGpuCopiesAtLeastAsLongAsADelivery) {
  Calibrating with;
  EmptyCalls calls(Unbounded(*with.session), with.rung.device, *with.delivery);
  ASSERT_TRUE(calls.Take(kShort, EmptyCalls::Counts::kYes).ok());
  EXPECT_EQ(with.rung.device.copies, 1);
  // The fake device copies in no time, so a delivery of 6 ms takes it more than one copy.
  ASSERT_TRUE(calls.Take({1e3, 6e6, false}, EmptyCalls::Counts::kYes).ok());
  EXPECT_GT(with.rung.device.copies, 2);
}

TEST(EmptyCallsTest, ACalibratorThatEndsIsTheMachinesFault) {
  Calibrating with("exits_in_constructor");
  EmptyCalls calls(Unbounded(*with.session), with.rung.device, *with.delivery);
  const TimingStatus status = calls.TakeFirst(kShort, FewSamples());
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(std::get<Error>(status.end()).message, HasSubstr("the calibrator"));
}

}  // namespace
}  // namespace warpgrade::judge
