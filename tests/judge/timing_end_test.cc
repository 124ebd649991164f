#include "grader/judge/timing_end.h"

#include <gtest/gtest.h>

#include "grader/judge/correctness.h"

namespace warpgrade::judge {
namespace {

using score::RungStatus;
using score::ThroughputMeasurement;

// A rung that was measured before the session ended.
score::RungMeasurement Measured() {
  score::RungMeasurement m;
  m.throughput.status = ThroughputMeasurement::Status::kMeasured;
  m.throughput.value = 100;
  return m;
}

TEST(TimingEndTest, AnErrorOfTheMachineIsPassedOn) {
  score::RungMeasurement m = Measured();
  const Status status = RecordTimingEnd(Error{ErrorKind::kMachine, "no GPU any more"}, &m);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message, "no GPU any more");
  EXPECT_EQ(m.status, RungStatus::kPassed);
}

TEST(TimingEndTest, WhatCannotBeTimedSaysWhyAndStillPasses) {
  score::RungMeasurement m = Measured();
  ASSERT_TRUE(RecordTimingEnd(NotTimed{"the GPU is busy"}, &m).ok());
  EXPECT_EQ(m.throughput.status, ThroughputMeasurement::Status::kNotMeasured);
  EXPECT_EQ(m.throughput.reason, "the GPU is busy");
  EXPECT_EQ(m.throughput.value, 0);
  EXPECT_EQ(m.status, RungStatus::kPassed);
  EXPECT_TRUE(m.failures.empty());
}

FailedCall Failing(const std::string& message, RungStatus status, bool fatal) {
  FailedCall failed;
  failed.failure.message = message;
  failed.status = status;
  failed.fatal = fatal;
  return failed;
}

TEST(TimingEndTest, AFailedCallFailsTheRung) {
  score::RungMeasurement m = Measured();
  ASSERT_TRUE(RecordTimingEnd(Failing("wrong sum", RungStatus::kFailed, false), &m).ok());
  EXPECT_EQ(m.status, RungStatus::kFailed);
  ASSERT_EQ(m.failures.size(), 1u);
  EXPECT_EQ(m.failures[0].message, "wrong sum");
  EXPECT_EQ(m.throughput.status, ThroughputMeasurement::Status::kNotMeasured);
}

TEST(TimingEndTest, AFatalFailureComesBeforeTheOthers) {
  score::RungMeasurement m = Measured();
  m.failures.emplace_back();
  ASSERT_TRUE(RecordTimingEnd(Failing("illegal address", RungStatus::kCrashed, true), &m).ok());
  EXPECT_EQ(m.status, RungStatus::kCrashed);
  ASSERT_EQ(m.failures.size(), 2u);
  EXPECT_EQ(m.failures[0].message, "illegal address");
}

TEST(TimingEndTest, AWorkerThatEndedGivesTheRungItsStatusAndMessages) {
  score::RungMeasurement m = Measured();
  WorkerEnd end;
  end.status = RungStatus::kTimeout;
  end.messages = {"was stopped after 10 s"};
  ASSERT_TRUE(RecordTimingEnd(end, &m).ok());
  EXPECT_EQ(m.status, RungStatus::kTimeout);
  EXPECT_EQ(m.messages, end.messages);
  EXPECT_EQ(m.throughput.status, ThroughputMeasurement::Status::kNotMeasured);
}

TEST(TimingEndTest, AWorkerWhoseEndIsNobodysFaultIsAnError) {
  score::RungMeasurement m = Measured();
  WorkerEnd end;
  end.blameless = true;
  end.messages = {"grading was stopped"};
  const Status status = RecordTimingEnd(end, &m);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message, "grading was stopped");
}

TEST(TimingEndTest, AStepsEndTravelsThroughStatusAndResult) {
  const auto step = []() -> TimingResult<double> { return TimingEnd(NotTimed{"busy"}); };
  const auto session = [&step]() -> TimingStatus {
    const TimingResult<double> result = step();
    if (!result.ok()) return result.end();
    return TimingStatus();
  };
  const TimingStatus status = session();
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(std::get<NotTimed>(status.end()).reason, "busy");
  EXPECT_TRUE(TimingStatus(Status()).ok());
  EXPECT_FALSE(TimingStatus(Status(Error{ErrorKind::kMachine, "disk full"})).ok());
}

}  // namespace
}  // namespace warpgrade::judge
