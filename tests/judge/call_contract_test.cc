// What a function may expect of a call and what it must keep to, before the whole judge: students of the toy lab that
// break the contract although their values are right, and one that keeps to it in another way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "grader/emulator/checks/finding.h"
#include "grader/judge/judge.h"
#include "tests/judge/toy_request.h"

namespace warpgrade::judge {
namespace {

using score::RungMeasurement;
using score::RungStatus;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(CallContractTest, AWorkspaceMayHoldWhatTheLastCallLeft) {
  const RungMeasurement m = JudgeToy("trusts_its_workspace");
  EXPECT_EQ(m.status, RungStatus::kFailed);
  EXPECT_FALSE(m.technique_measured);
  ASSERT_EQ(m.failures.size(), 1u) << "only one call has a workspace that another one has left";
  EXPECT_EQ(m.failures[0].case_name, "n = 4032");
  EXPECT_EQ(m.failures[0].got, "never written");
  EXPECT_THAT(m.failures[0].message, HasSubstr("the workspace held what your last call had left there"));
}

TEST(CallContractTest, WhoWaitsOrKeepsMemoryIsToldAndLosesNothing) {
  const RungMeasurement waits = JudgeToy("waits_at_the_end");
  EXPECT_EQ(waits.status, RungStatus::kPassed);
  EXPECT_TRUE(waits.technique_measured);
  EXPECT_THAT(waits.messages, ElementsAre(HasSubstr("waits for the device before it returns")));
  const RungMeasurement leaks = JudgeToy("leaks_n_bytes");
  EXPECT_EQ(leaks.status, RungStatus::kPassed);
  EXPECT_THAT(leaks.messages, ElementsAre(HasSubstr("allocates 1000 bytes that it never frees")));
  EXPECT_THAT(JudgeToy("honest").messages, IsEmpty());
}

// The public cases have up to 1000 elements, and the hidden one has 777. Technique gets another worker if cases are
// hidden.
TEST(CallContractTest, WhatAPublicCaseLeavesAllocatedCountsAlsoInAnotherWorker) {
  JudgeRequest request = RequestToy("leaks_n_bytes");
  EXPECT_EQ(JudgeToy(request).metrics.at("bytes_not_freed"), 1000);
  request.hides_cases = true;
  EXPECT_EQ(JudgeToy(request).metrics.at("bytes_not_freed"), 1000);
  request.parts.public_cases = false;
  EXPECT_EQ(JudgeToy(request).metrics.at("bytes_not_freed"), 0) << "it would tell the size of the hidden case";
}

TEST(CallContractTest, WorkInTheDefaultStreamIsNotInTheGivenStream) {
  const RungMeasurement m = JudgeToy("default_stream");
  EXPECT_EQ(m.status, RungStatus::kFailed);
  EXPECT_THAT(m.failures, IsEmpty()) << "the values are right";
  ASSERT_EQ(m.findings.size(), 1u);
  EXPECT_EQ(m.findings[0].kind, emulator::Name(emulator::FindingKind::kStreamRace));
  EXPECT_EQ(m.findings[0].line, 10);
  EXPECT_EQ(m.findings[0].other_line, 0);
  EXPECT_EQ(m.findings[0].message,
            "the kernel in the default stream reads bytes 0 to 3 of d_in, which are written in the stream that your "
            "function gets, before the call, and nothing orders the two; put all work onto this stream");
}

TEST(CallContractTest, TheGivenStreamMustWaitForWorkInAnotherStream) {
  const RungMeasurement m = JudgeToy("never_joins");
  EXPECT_EQ(m.status, RungStatus::kFailed);
  EXPECT_THAT(m.failures, IsEmpty()) << "the values are right";
  ASSERT_EQ(m.findings.size(), 1u);
  EXPECT_EQ(m.findings[0].kind, emulator::Name(emulator::FindingKind::kStreamRace));
  EXPECT_EQ(m.findings[0].line, 17);
  EXPECT_THAT(m.findings[0].message,
              HasSubstr("d_out, and the stream that your function gets does not wait for this when your function "
                        "returns; put all work onto this stream, or record an event"));
}

TEST(CallContractTest, AnotherStreamThatWaitsForTheGivenStreamIsInOrder) {
  const RungMeasurement m = JudgeToy("stream_after_event");
  EXPECT_EQ(m.status, RungStatus::kPassed);
  EXPECT_THAT(m.findings, IsEmpty());
}

}  // namespace
}  // namespace warpgrade::judge
