#include "grader/judge/correctness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/judge/fake/fake_rung.h"

namespace warpgrade::judge {
namespace {

using fake::FakeRung;
using score::RungStatus;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr int kAllCases = 5;  // n = 0, 1, 100, 1000 and the hidden 777

TEST(CorrectnessTest, AnHonestRungPassesEveryCase) {
  FakeRung rung("honest");
  const score::RungMeasurement m = rung.Run();
  EXPECT_EQ(m.status, RungStatus::kPassed);
  EXPECT_EQ(m.cases, kAllCases);
  EXPECT_EQ(m.cases_passed, kAllCases);
  EXPECT_THAT(m.failures, IsEmpty());
  EXPECT_THAT(m.messages, IsEmpty());
  EXPECT_EQ(rung.device.live_buffers, 0);
}

TEST(CorrectnessTest, AWrongTailFailsItsSizesAndNamesTheFirstWrongElement) {
  FakeRung rung("wrong_tail");
  const score::RungMeasurement m = rung.Run();
  EXPECT_EQ(m.status, RungStatus::kFailed);
  EXPECT_EQ(m.cases, kAllCases);
  EXPECT_EQ(m.cases_passed, 3);  // n = 0, 100 and 1000
  ASSERT_EQ(m.failures.size(), 2u);
  EXPECT_EQ(m.failures[0].case_name, "n = 1");
  EXPECT_EQ(m.failures[0].index, 0u);
  EXPECT_EQ(m.failures[0].got, "never written");
  EXPECT_EQ(m.failures[1].case_name, "n = 777");
  EXPECT_EQ(m.failures[1].index, 700u);
}

TEST(CorrectnessTest, OutputsThatNobodyWroteAreWrong) {
  FakeRung rung("does_nothing");
  const score::RungMeasurement m = rung.Run();
  EXPECT_EQ(m.status, RungStatus::kFailed);
  EXPECT_EQ(m.cases_passed, 1);  // n = 0 has nothing to write
  ASSERT_FALSE(m.failures.empty());
  EXPECT_EQ(m.failures[0].got, "never written");
}

TEST(CorrectnessTest, EveryCallHasFreshContent) {
  FakeRung rung("remembers");
  rung.Start();
  Case twice;
  twice.name = "n = 64";
  twice.sizes = {64};
  score::RungMeasurement m;
  ASSERT_TRUE(RunCases(rung.context(), {twice, twice}, &m).ok());
  EXPECT_EQ(m.cases_passed, 1);
  EXPECT_EQ(m.status, RungStatus::kFailed);
}

TEST(CorrectnessTest, ACaseInWhichAnAllocationFailsIsLeftOutOnADeviceThatCannotDoThat) {
  FakeRung rung("honest");
  rung.Start();
  ASSERT_FALSE(rung.device.CanFailAllocations());
  Case ordinary, fails;
  ordinary.sizes = fails.sizes = {64};
  fails.failing_allocation = 2;
  score::RungMeasurement m;
  ASSERT_TRUE(RunCases(rung.context(), {fails, ordinary, fails}, &m).ok());
  EXPECT_EQ(m.cases, 1);
  EXPECT_EQ(m.cases_passed, 1);
}

TEST(CorrectnessTest, AChangedInputIsAFailureOfItsOwn) {
  FakeRung rung("changes_input");
  const score::RungMeasurement m = rung.Run();
  EXPECT_EQ(m.status, RungStatus::kFailed);
  EXPECT_EQ(m.cases_passed, 2);  // n = 0 and n = 1 have no third element
  ASSERT_FALSE(m.failures.empty());
  EXPECT_THAT(m.failures[0].message, HasSubstr("changed its input d_in (first at byte 8)"));
}

TEST(CorrectnessTest, AWriteBehindABufferIsSeenByTheGuard) {
  FakeRung rung("writes_past_end");
  const score::RungMeasurement m = rung.Run();
  EXPECT_EQ(m.status, RungStatus::kFailed);
  ASSERT_FALSE(m.failures.empty());
  EXPECT_THAT(m.failures[0].message, HasSubstr("wrote past the end of d_out (4 bytes)"));
}

TEST(CorrectnessTest, AStarterIsNotWrittenAndNotWrong) {
  FakeRung rung("not_written");
  const score::RungMeasurement m = rung.Run();
  EXPECT_EQ(m.status, RungStatus::kNotWritten);
  EXPECT_EQ(m.cases, kAllCases);
  EXPECT_EQ(m.cases_passed, 0);
  EXPECT_THAT(m.failures, IsEmpty());
}

TEST(CorrectnessTest, AHalfWrittenRungIsWrongWhereItIsNotWritten) {
  FakeRung rung("half_written");
  const score::RungMeasurement m = rung.Run();
  EXPECT_EQ(m.status, RungStatus::kFailed);
  EXPECT_EQ(m.cases_passed, 3);
  ASSERT_FALSE(m.failures.empty());
  EXPECT_EQ(m.failures[0].message, "not written yet for this case");
}

TEST(CorrectnessTest, AnExceptionFailsItsCaseAndTheNextOneIsRun) {
  FakeRung rung("throws");
  const score::RungMeasurement m = rung.Run();
  EXPECT_EQ(m.status, RungStatus::kFailed);
  EXPECT_EQ(m.cases_passed, 3);
  ASSERT_EQ(m.failures.size(), 2u);
  EXPECT_EQ(m.failures[0].message, "your host function threw an exception: bad \\x1b[31mluck");
  EXPECT_THAT(m.failures[1].message, HasSubstr("not a std::exception"));
}

TEST(CorrectnessTest, AnErrorThatTheFunctionReturnsIsNoException) {
  FakeRung rung("returns_error");
  const score::RungMeasurement m = rung.Run();
  ASSERT_EQ(m.failures.size(), 1u);
  EXPECT_EQ(m.failures[0].message, "your host function returned cudaErrorInvalidValue");
}

TEST(CorrectnessTest, ABadLaunchFailsItsCaseAndTheNextOneIsRun) {
  FakeRung rung("bad_launch");
  const score::RungMeasurement m = rung.Run();
  EXPECT_EQ(m.status, RungStatus::kFailed);
  EXPECT_EQ(m.cases_passed, 4);
  ASSERT_EQ(m.failures.size(), 1u);
  EXPECT_EQ(m.failures[0].case_name, "n = 0");
  EXPECT_THAT(m.failures[0].message, HasSubstr("cudaErrorInvalidConfiguration (9) from one of your launches"));
  EXPECT_THAT(m.failures[0].message, HasSubstr("has the grid 0 blocks (was their number rounded down?)"));
}

// The process that faulted fails whatever comes: each case after a fault has a new one.
TEST(CorrectnessTest, AnIllegalAddressFailsItsCaseAndTheNextOneIsRun) {
  FakeRung rung("illegal_address");
  const score::RungMeasurement m = rung.Run();
  EXPECT_EQ(m.status, RungStatus::kFailed);
  EXPECT_EQ(m.cases, kAllCases);
  EXPECT_EQ(m.cases_passed, kAllCases - 1);
  EXPECT_EQ(m.cases_run, kAllCases);
  ASSERT_EQ(m.failures.size(), 1u);
  EXPECT_EQ(m.failures[0].case_name, "n = 100");
  EXPECT_THAT(m.failures[0].message, HasSubstr("accessed memory that is not its own: cudaErrorIllegalAddress (700)"));
  EXPECT_EQ(rung.device.live_buffers, 0);
}

TEST(CorrectnessTest, AFaultThatTheHostFunctionNoticesIsToldAsOneThatItDoesNot) {
  FakeRung rung("throws_after_fault");
  const score::RungMeasurement m = rung.Run();
  EXPECT_EQ(m.status, RungStatus::kFailed);
  EXPECT_EQ(m.cases_passed, kAllCases - 2);
  ASSERT_EQ(m.failures.size(), 2u);
  EXPECT_THAT(m.failures[0].message, HasSubstr("accessed memory that is not its own: cudaErrorIllegalAddress (700)"));
  EXPECT_THAT(m.failures[0].message, testing::Not(HasSubstr("threw")));
  EXPECT_EQ(m.failures[1].message, "your host function threw an exception: no luck");
}

TEST(CorrectnessTest, OnAGpuOnlySoManyFaultsAreLookedAt) {
  FakeRung rung("always_faults");
  rung.Start();
  Case c;
  c.sizes = {1};
  score::RungMeasurement m;
  ASSERT_TRUE(RunCases(rung.context(), std::vector<Case>(kMostFaultsOnGpu + 2, c), &m).ok());
  EXPECT_EQ(m.status, RungStatus::kFailed);
  ASSERT_EQ(m.messages.size(), 1u);
  EXPECT_EQ(m.messages[0], "stopped after 8 cases in which a kernel faulted; 2 cases were not run");
}

TEST(CorrectnessTest, AFindingFailsTheRungEvenWhenTheValuesAreRight) {
  FakeRung rung("honest");
  score::Finding race;
  race.kind = "shared-memory-race";
  race.kernel = "toy_kernel";
  race.file = "/somewhere/build/v1_toy.cu";
  race.line = 12;
  race.message = "two threads wrote tile[3]";
  rung.device.findings = {race};
  rung.device.sticky_findings = true;
  const score::RungMeasurement m = rung.Run();
  EXPECT_EQ(m.status, RungStatus::kFailed);
  EXPECT_EQ(m.cases_passed, 0);
  ASSERT_EQ(m.findings.size(), 1u);
  EXPECT_EQ(m.findings[0].file, "v1_toy.cu");
  EXPECT_EQ(m.findings[0].count, static_cast<uint64_t>(kAllCases));
  EXPECT_EQ(m.findings[0].message, "two threads wrote tile[3]");
  EXPECT_EQ(m.findings[0].cases, kAllCases);
  EXPECT_EQ(m.cases_faulty, kAllCases) << "all values are right";
  EXPECT_THAT(m.failures, IsEmpty()) << "the finding is told once";
}

TEST(CorrectnessTest, AFailureInACaseWithAFaultIsMarkedAsItsConsequence) {
  FakeRung rung("wrong_tail");
  score::Finding race;
  race.kind = "shared-memory-race";
  rung.device.findings = {race};
  rung.device.sticky_findings = true;
  const score::RungMeasurement m = rung.Run();
  ASSERT_EQ(m.failures.size(), 2u);
  EXPECT_TRUE(m.failures[0].explained);
  EXPECT_EQ(m.cases_faulty, 3);
  EXPECT_EQ(m.cases_passed, 0);
}

TEST(CorrectnessTest, DeviceMemoryThatIsUsedUpCostsTheStudentAndNotTheMachine) {
  FakeRung rung("honest");
  rung.device.out_of_memory = true;
  const score::RungMeasurement m = rung.Run();
  EXPECT_EQ(m.status, RungStatus::kLimit);
  ASSERT_EQ(m.messages.size(), 1u);
  EXPECT_THAT(m.messages[0], HasSubstr("never free"));
}

TEST(CorrectnessTest, KeepsTheFirstFewFailuresAndPutsWhatEndedTheRungFirst) {
  score::RungMeasurement m;
  for (int i = 0; i < 9; ++i) {
    score::CaseFailure failure;
    failure.case_name = std::to_string(i);
    AddFailure(failure, false, &m);
  }
  score::CaseFailure crash;
  crash.case_name = "crash";
  AddFailure(crash, true, &m);
  ASSERT_EQ(m.failures.size(), kMaxFailures);
  EXPECT_EQ(m.failures[0].case_name, "crash");
  EXPECT_EQ(m.failures[1].case_name, "0");
}

TEST(CorrectnessTest, KeepsFailuresOfEachKindAndCountsTheOthers) {
  score::RungMeasurement m;
  const auto add = [&m](const std::string& message, uint64_t elements, int number) {
    score::CaseFailure failure;
    failure.case_name = "n = " + std::to_string(elements);
    failure.message = failure.case_name + ": " + message;
    failure.case_elements = elements;
    failure.case_number = number;
    AddFailure(failure, false, &m);
  };
  for (int i = 1; i <= 8; ++i) add("d_out[0] was never written", 0, i);
  add("d_out[0] is 12, and should be 13", 100, 9);
  add("d_out[5] is 4, and should be 7", 200, 10);
  add("d_out[0] was never written", 300, 11);
  add("d_out[0] was never written", 400, 0);
  ASSERT_EQ(m.failures.size(), kMaxFailures);
  EXPECT_EQ(m.failures[0].message, "n = 0: d_out[0] was never written");
  EXPECT_EQ(m.failures[3].message, "n = 300: d_out[0] was never written") << "not of an empty case, and public";
  EXPECT_EQ(m.failures[4].message, "n = 100: d_out[0] is 12, and should be 13");
  EXPECT_EQ(m.failures[4].alike, 1);
  int cases = 0;
  for (const score::CaseFailure& failure : m.failures) cases += 1 + failure.alike;
  EXPECT_EQ(cases, 12);
}

// Otherwise a student who may not see hidden cases would see no failure of this kind.
TEST(CorrectnessTest, AHiddenCaseDoesNotTakeThePlaceOfAnEmptyPublicOne) {
  score::RungMeasurement m;
  score::CaseFailure failure;
  failure.message = "d_out[0] was never written";
  for (failure.case_number = 1; failure.case_number <= static_cast<int>(kMaxFailures); ++failure.case_number) {
    AddFailure(failure, false, &m);
  }
  failure.case_number = 0;
  failure.case_elements = 400;
  AddFailure(failure, false, &m);
  ASSERT_EQ(m.failures.size(), kMaxFailures);
  EXPECT_EQ(m.failures.back().case_number, static_cast<int>(kMaxFailures));
  EXPECT_EQ(m.failures.back().alike, 1);
}

TEST(CorrectnessTest, CancellingIsAnErrorAndNoVerdict) {
  FakeRung rung("hangs");
  std::atomic<bool> cancel{false};
  rung.options.cancel = &cancel;
  rung.Start();
  cancel = true;
  Random drawing = rung.random.Next();
  score::RungMeasurement m;
  const Status status = RunCases(rung.context(), rung.lab.Cases(rung.rung, CaseSet::kPublic, drawing), &m);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message, "grading was stopped");
}

}  // namespace
}  // namespace warpgrade::judge
