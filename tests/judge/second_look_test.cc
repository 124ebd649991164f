#include "grader/judge/second_look.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/emulator/checks/finding.h"

namespace warpgrade::judge {
namespace {

using score::RungStatus;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// A case with a wrong value. `number` 0: one that has none, as hidden cases.
score::CaseFailure WrongValue(int number, uint64_t elements) {
  score::CaseFailure failure;
  failure.index = 3;
  failure.case_number = number;
  failure.case_elements = elements;
  return failure;
}

score::RungMeasurement Wrong(std::vector<score::CaseFailure> failures) {
  score::RungMeasurement m;
  m.status = RungStatus::kFailed;
  m.failures = std::move(failures);
  return m;
}

score::Finding InLocal(const std::string& kind, int line) {
  score::Finding finding;
  finding.kind = kind;
  finding.file = "v1_naive.cu";
  finding.line = line;
  finding.message = "what";
  finding.in_local = true;
  return finding;
}

std::vector<score::Finding> TakenOver(std::vector<score::Finding> seen, score::RungMeasurement first = Wrong({})) {
  score::RungMeasurement look;
  look.findings = std::move(seen);
  AddSecondLook(std::move(look), &first);
  return first.findings;
}

TEST(SecondLookTest, AWrongValueThatNoFindingExplainsNeedsOne) {
  EXPECT_TRUE(NeedsSecondLook(Wrong({WrongValue(1, 10)})));
  score::RungMeasurement explained = Wrong({WrongValue(1, 10)});
  explained.failures[0].explained = true;
  EXPECT_FALSE(NeedsSecondLook(explained));
  score::RungMeasurement threw = Wrong({WrongValue(1, 10)});
  threw.failures[0].index.reset();
  EXPECT_FALSE(NeedsSecondLook(threw)) << "an exception, or a launch that failed, has said what it is";
  explained.failures.push_back(WrongValue(2, 10));
  EXPECT_TRUE(NeedsSecondLook(explained)) << "one of two";
}

TEST(SecondLookTest, ACrashWithoutAFindingNeedsOne) {
  score::CaseFailure ended;
  ended.case_number = 4;
  score::RungMeasurement crashed = Wrong({ended});
  crashed.status = RungStatus::kCrashed;
  EXPECT_TRUE(NeedsSecondLook(crashed));
  EXPECT_EQ(RequestForSecondLook({}, crashed).only_case, 4);
  crashed.findings = {InLocal("out-of-bounds", 3)};
  EXPECT_FALSE(NeedsSecondLook(crashed));
  crashed.findings.clear();
  crashed.failures.clear();
  EXPECT_FALSE(NeedsSecondLook(crashed)) << "it crashed before the first case";
}

TEST(SecondLookTest, ARightRungAndOneThatDidNotEndNeedNone) {
  EXPECT_FALSE(NeedsSecondLook({}));
  for (const RungStatus status :
       {RungStatus::kPassed, RungStatus::kTimeout, RungStatus::kLimit, RungStatus::kRefused, RungStatus::kNotWritten}) {
    score::RungMeasurement m = Wrong({WrongValue(1, 10)});
    m.status = status;
    EXPECT_FALSE(NeedsSecondLook(m)) << Name(status);
  }
}

TEST(SecondLookTest, TheSmallestPublicCaseThatIsNotEmptyRunsAgain) {
  const auto number = [](std::vector<score::CaseFailure> failures) {
    return RequestForSecondLook({}, Wrong(std::move(failures))).only_case;
  };
  EXPECT_EQ(number({WrongValue(1, 0), WrongValue(2, 900), WrongValue(3, 50), WrongValue(0, 4)}), 3);
  EXPECT_EQ(number({WrongValue(2, 900), WrongValue(1, 0)}), 2);
  EXPECT_EQ(number({WrongValue(1, 0)}), 1);
  score::CaseFailure explained = WrongValue(1, 10);
  explained.explained = true;
  EXPECT_EQ(number({explained, WrongValue(2, 900)}), 2);
}

TEST(SecondLookTest, AHiddenCaseCannotBeRepeatedSoThereIsNone) {
  EXPECT_FALSE(NeedsSecondLook(Wrong({WrongValue(0, 900), WrongValue(0, 50)})));
  score::RungMeasurement crashed = Wrong({score::CaseFailure()});
  crashed.status = RungStatus::kCrashed;
  EXPECT_FALSE(NeedsSecondLook(crashed));
  EXPECT_FALSE(RequestForSecondLook({}, Wrong({WrongValue(0, 5), WrongValue(2, 10)})).parts.hidden_cases);
}

TEST(SecondLookTest, WhatIsSeenInAHeaderOfCudaIsLeftOut) {
  EXPECT_THAT(TakenOver({InLocal("out-of-bounds", 0), InLocal("uninitialised-read", 0)}), IsEmpty());
}

TEST(SecondLookTest, NothingElseIsMeasuredOrDelayedAndTheLimitsAreLower) {
  JudgeRequest first;
  first.delay_seed = 7;
  first.parts.pictures = true;
  const JudgeRequest request = RequestForSecondLook(first, Wrong({WrongValue(2, 10)}));
  EXPECT_FALSE(request.parts.technique);
  EXPECT_FALSE(request.parts.throughput);
  EXPECT_FALSE(request.parts.pictures);
  EXPECT_EQ(request.delay_seed, 0u);
  EXPECT_LT(request.limits.total_instruction_budget, first.limits.total_instruction_budget);
  EXPECT_LE(request.limits.instruction_budget, request.limits.total_instruction_budget);
  EXPECT_LT(request.limits.wall_s, first.limits.wall_s);
  EXPECT_LT(request.limits.cpu_s, first.limits.cpu_s);
}

TEST(SecondLookTest, TakesOverOnlyWhatIsAboutLocalMemory) {
  score::Finding global = InLocal("out-of-bounds", 4);
  global.in_local = false;
  const std::vector<score::Finding> taken =
      TakenOver({InLocal("out-of-bounds", 3), global, InLocal("uninitialised-read", 5), InLocal("stack-overflow", 6)});
  ASSERT_THAT(taken, SizeIs(2));
  EXPECT_EQ(taken[0].line, 3);
  EXPECT_EQ(taken[1].line, 5);
  for (const score::Finding& finding : taken) {
    EXPECT_THAT(finding.message, HasSubstr("what. This was seen in a second run, without optimisation."));
    EXPECT_THAT(finding.message, HasSubstr("in registers"));
    EXPECT_NE(finding.advice, "");
    EXPECT_EQ(finding.cases, 0) << "only one case was looked at";
  }
}

TEST(SecondLookTest, AnAtomicOnLocalMemoryIsNoIndexOutsideOfAnArray) {
  score::Finding atomic = InLocal("out-of-bounds", 3);
  atomic.message = emulator::kLocalAtomic;
  EXPECT_THAT(TakenOver({atomic}), IsEmpty());
}

TEST(SecondLookTest, OneIndexThatReachesANeighbourAndTheEndIsToldOnce) {
  const auto taken = TakenOver({InLocal("uninitialised-read", 3), InLocal("out-of-bounds", 3)});
  ASSERT_THAT(taken, SizeIs(1));
  EXPECT_EQ(taken[0].kind, "out-of-bounds");
}

// The emulator leaves out a misaligned store, and what it should have written is unwritten then.
TEST(SecondLookTest, AReadAfterAMisalignedStoreSaysNothing) {
  EXPECT_THAT(TakenOver({InLocal("misaligned", 2), InLocal("uninitialised-read", 3)}), IsEmpty());
  EXPECT_THAT(TakenOver({InLocal("misaligned", 2), InLocal("out-of-bounds", 3)}), SizeIs(1));
  score::Finding global = InLocal("misaligned", 2);
  global.in_local = false;
  EXPECT_THAT(TakenOver({global, InLocal("uninitialised-read", 3)}), SizeIs(1));
}

TEST(SecondLookTest, AFaultThatTheFirstRunShowedIsToldOnce) {
  score::RungMeasurement first = Wrong({});
  first.findings = {InLocal("out-of-bounds", 3)};
  EXPECT_THAT(TakenOver({InLocal("out-of-bounds", 3), InLocal("out-of-bounds", 9)}, first), SizeIs(2));
}

TEST(SecondLookTest, TheVerdictStaysAsItWas) {
  score::RungMeasurement first = Wrong({WrongValue(1, 10)}), look;
  first.cases = first.cases_run = 9;
  look.status = RungStatus::kTimeout;
  look.out_of_time = true;
  look.messages = {"more"};
  look.failures = {WrongValue(2, 5)};
  look.findings = {InLocal("out-of-bounds", 3)};
  AddSecondLook(look, &first);
  EXPECT_EQ(first.status, RungStatus::kFailed);
  EXPECT_FALSE(first.out_of_time);
  EXPECT_EQ(first.cases_run, 9);
  EXPECT_THAT(first.messages, IsEmpty());
  ASSERT_THAT(first.failures, SizeIs(1));
  EXPECT_EQ(first.failures[0].case_number, 1);
}

}  // namespace
}  // namespace warpgrade::judge
