// A lab whose arrays are host memory that the judge shares with the worker: it writes the inputs, reads the answers
// from its own mapping, and is fooled no more easily than by device memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/judge/fake/fake_rung.h"

namespace warpgrade::judge {
namespace {

using fake::FakeRung;
using score::RungMeasurement;
using score::RungStatus;
using testing::AllOf;
using testing::HasSubstr;

class HostArraysTest : public testing::TestWithParam<BufferSpec::Place> {
 protected:
  RungMeasurement Run(const std::string& student) {
    FakeRung rung(student);
    rung.lab.place = GetParam();
    return rung.Run();
  }
};

TEST_P(HostArraysTest, AnHonestRungPassesEveryCase) {
  const RungMeasurement m = Run("honest");
  EXPECT_EQ(m.status, RungStatus::kPassed);
  EXPECT_EQ(m.cases_passed, m.cases);
}

TEST_P(HostArraysTest, AWrongTailIsWrong) { EXPECT_EQ(Run("wrong_tail").status, RungStatus::kFailed); }

TEST_P(HostArraysTest, AWritePastTheEndIsSeenInTheGuard) {
  const RungMeasurement m = Run("writes_past_end");
  EXPECT_EQ(m.status, RungStatus::kFailed);
  ASSERT_FALSE(m.failures.empty());
  EXPECT_THAT(m.failures[0].message, HasSubstr("wrote past the end of d_out"));
}

TEST_P(HostArraysTest, AnInputThatWasChangedIsSeen) {
  const RungMeasurement m = Run("changes_input");
  EXPECT_EQ(m.status, RungStatus::kFailed);
  ASSERT_FALSE(m.failures.empty());
  EXPECT_THAT(m.failures[0].message, HasSubstr("changed its input d_in"));
}

TEST_P(HostArraysTest, WhatIsRememberedFromAnEarlierCallIsWrong) {
  FakeRung rung("remembers");
  rung.lab.place = GetParam();
  rung.Start();
  RungMeasurement m;
  Case c = rung.lab.Cases("", CaseSet::kHidden, *std::make_unique<Random>())[0];
  ASSERT_TRUE(RunCases(rung.context(), {c, c}, &m).ok());
  EXPECT_EQ(m.cases_passed, 1);
  EXPECT_EQ(m.status, RungStatus::kFailed);
}

// What the student's calls took is the student's, and no fault of the machine's.
TEST_P(HostArraysTest, ACallAfterWhichNothingCanBeOpenedEndsTheRung) {
  FakeRung rung("fills_address_space");
  rung.lab.place = GetParam();
  rung.options.limits.memory_mb = 512;
  const RungMeasurement m = rung.Run();
  EXPECT_EQ(m.status, RungStatus::kCrashed);
  EXPECT_GE(m.cases_passed, 1);
  ASSERT_FALSE(m.messages.empty());
  EXPECT_THAT(m.messages[0],
              AllOf(HasSubstr("after an earlier call d_in of n = "), HasSubstr(" cannot be opened: cudaError")));
}

// The judge looks at a copy of its own: whatever such a program does, the verdict is one or the other, and the judge
// goes on.
TEST_P(HostArraysTest, AProgramThatWritesAfterItsAnswerDoesNotHarmTheJudge) {
  const RungMeasurement m = Run("writes_after_done");
  EXPECT_TRUE(m.status == RungStatus::kPassed || m.status == RungStatus::kFailed || m.status == RungStatus::kCrashed);
  EXPECT_GE(m.cases_passed, 3);
}

TEST_P(HostArraysTest, AWorkerThatEndsLeavesTheJudgeWell) {
  EXPECT_EQ(Run("segfaults").status, RungStatus::kCrashed);
  EXPECT_EQ(Run("exits").status, RungStatus::kCrashed);
}

INSTANTIATE_TEST_SUITE_P(Places, HostArraysTest,
                         testing::Values(BufferSpec::Place::kHost, BufferSpec::Place::kLockedHost),
                         [](const auto& info) {
                           return info.param == BufferSpec::Place::kHost ? "Host" : "LockedHost";
                         });

}  // namespace
}  // namespace warpgrade::judge
