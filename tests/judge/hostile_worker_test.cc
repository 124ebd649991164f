// Workers that end badly or try something: each costs its own rung, is called by its name, and leaves the judge well.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "grader/sandbox/confinement.h"
#include "tests/judge/fake/fake_rung.h"

namespace warpgrade::judge {
namespace {

using fake::FakeRung;
using score::RungMeasurement;
using score::RungStatus;
using testing::HasSubstr;

std::string First(const RungMeasurement& m) { return m.messages.empty() ? "(no message)" : m.messages[0]; }

TEST(HostileWorkerTest, ASegmentationFaultIsCalledThatAndQuotesTheLastWords) {
  const RungMeasurement m = FakeRung("segfaults").Run();
  EXPECT_EQ(m.status, RungStatus::kCrashed);
  EXPECT_EQ(m.cases_passed, 2);
  EXPECT_THAT(First(m), HasSubstr("crashed: segmentation fault in host code"));
  ASSERT_EQ(m.messages.size(), 2u);
  EXPECT_EQ(m.messages[1], "it last printed:\nabout to fall");
  ASSERT_FALSE(m.failures.empty());
  EXPECT_EQ(m.failures[0].case_name, "n = 100");
}

TEST(HostileWorkerTest, AFailedAssertIsCalledThat) {
  const RungMeasurement m = FakeRung("asserts").Run();
  EXPECT_EQ(m.status, RungStatus::kCrashed);
  EXPECT_THAT(First(m), HasSubstr("abort() in host code: a failed assert"));
  EXPECT_THAT(m.messages.back(), HasSubstr("Assertion"));
}

TEST(HostileWorkerTest, OtherSignalsHavePlainNamesToo) {
  const RungMeasurement m = FakeRung("aborts").Run();
  EXPECT_EQ(m.status, RungStatus::kCrashed);
  EXPECT_THAT(First(m), HasSubstr("division by zero in host code"));
}

TEST(HostileWorkerTest, ConfinedAsOnAGpuItCrashesInTheSameWords) {
  if (const Status works = sandbox::CheckConfinement(); !works.ok())
    GTEST_SKIP() << "skipped: " << works.error().message;
  for (const char* student : {"segfaults", "aborts", "asserts", "crashes_in_constructor", "exits"}) {
    const std::string plain = First(FakeRung(student).Run());
    FakeRung confined(student);
    confined.options.isolation.confine = true;
    confined.device.own_processes = false;
    EXPECT_EQ(First(confined.Run()), plain) << student;
  }
}

TEST(HostileWorkerTest, AnEndlessHostLoopIsStoppedAndCalledHostCode) {
  FakeRung rung("hangs", 1);
  // The clock stands still until the judge has poisoned the outputs and workspaces of n = 1 and n = 100: a busy machine
  // may take longer than the limit before the student gets there.
  rung.options.now_ns = [&rung] { return rung.device.fills < 4 ? 0 : RawNanoseconds() - rung.device.filled_at_ns; };
  const RungMeasurement m = rung.Run();
  EXPECT_EQ(m.status, RungStatus::kTimeout);
  EXPECT_EQ(m.cases_passed, 2);
  EXPECT_EQ(First(m), "ran for 1 s and was stopped: is there a loop that never ends? (host code)");
}

TEST(HostileWorkerTest, ExitZeroInTheMiddleIsNoPass) {
  const RungMeasurement m = FakeRung("exits").Run();
  EXPECT_EQ(m.status, RungStatus::kCrashed);
  EXPECT_EQ(m.cases_passed, 1);
  EXPECT_THAT(First(m), HasSubstr("ended itself with exit code 0 in host code"));
}

TEST(HostileWorkerTest, ExitInAConstructorIsCalledThat) {
  const RungMeasurement m = FakeRung("exits_in_constructor").Run();
  EXPECT_EQ(m.status, RungStatus::kCrashed);
  EXPECT_THAT(First(m), HasSubstr("exit code 0 before the first test"));
  EXPECT_THAT(First(m), HasSubstr("global variable's constructor"));
}

TEST(HostileWorkerTest, ACrashInAConstructorIsCalledThat) {
  const RungMeasurement m = FakeRung("crashes_in_constructor").Run();
  EXPECT_EQ(m.status, RungStatus::kCrashed);
  EXPECT_THAT(First(m), HasSubstr("segmentation fault before the first test, in the constructors"));
}

TEST(HostileWorkerTest, AHangInAConstructorIsCalledThat) {
  const RungMeasurement m = FakeRung("hangs_in_constructor", 1).Run();
  EXPECT_EQ(m.status, RungStatus::kTimeout);
  EXPECT_THAT(First(m), HasSubstr("constructor of a global variable never ends"));
}

TEST(HostileWorkerTest, AMainOfTheStudentsOwnIsGuessedAt) {
  const RungMeasurement m = FakeRung("own_main").Run();
  EXPECT_EQ(m.status, RungStatus::kCrashed);
  EXPECT_THAT(First(m), HasSubstr("define its own main()"));
}

std::string Student(const char* name) { return std::string(STUDENT_FOLDER) + "/" + name; }

// Judges one case of a worker which says, before its first call, that it cannot open the grader's memory.
Status JudgeTheOneThatCannotOpen(bool alone, const char* honest, RungMeasurement* m) {
  FakeRung rung("cannot_open");
  rung.options.isolation.alone = alone;
  rung.options.honest_executable = Student(honest);
  rung.Start();
  Random drawing = rung.random.Next();
  std::vector<Case> cases = rung.lab.Cases(rung.rung, CaseSet::kPublic, drawing);
  cases.erase(cases.begin());  // n = 0 has no buffers to open
  return RunCases(rung.context(), cases, m);
}

TEST(HostileWorkerTest, WhoSaysThatTheMachineFailsIsTriedAgainAlone) {
  RungMeasurement m;
  const Status status = JudgeTheOneThatCannotOpen(/*alone=*/false, "honest", &m);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().kind, ErrorKind::kMachine);
}

TEST(HostileWorkerTest, WhatTheGradersOwnWorkerCanOpenIsNoFaultOfTheMachine) {
  RungMeasurement m;
  ASSERT_TRUE(JudgeTheOneThatCannotOpen(/*alone=*/true, "honest", &m).ok());
  EXPECT_EQ(m.status, RungStatus::kCrashed);
  EXPECT_EQ(m.cases_passed, 0);
  EXPECT_THAT(First(m), HasSubstr("before its first call, the program said that d_in of n = 1 cannot be opened: "
                                  "cudaErrorMemoryAllocation out of memory on this machine; but a program of the "
                                  "grader's can open it"));
}

TEST(HostileWorkerTest, WhatTheGradersOwnWorkerCannotOpenIsAFaultOfTheMachine) {
  RungMeasurement m;
  const Status status = JudgeTheOneThatCannotOpen(/*alone=*/true, "cannot_open", &m);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().kind, ErrorKind::kMachine);
  EXPECT_THAT(status.error().message, HasSubstr("in the grader's own worker, d_in of n = 1 cannot be opened"));
}

TEST(HostileWorkerTest, AFloodOfOutputIsALimit) {
  const RungMeasurement m = FakeRung("floods").Run();
  EXPECT_EQ(m.status, RungStatus::kLimit);
  EXPECT_THAT(First(m), HasSubstr("printed more than 64 KB"));
  ASSERT_EQ(m.messages.size(), 2u);
  EXPECT_LT(m.messages[1].size(), 8000u);
}

TEST(HostileWorkerTest, AnotherProcessIsALimit) {
  const RungMeasurement m = FakeRung("forks").Run();
  EXPECT_EQ(m.status, RungStatus::kLimit);
  EXPECT_THAT(First(m), HasSubstr("started another process"));
}

TEST(HostileWorkerTest, GarbageOnTheControlSocketIsRefused) {
  const RungMeasurement m = FakeRung("speaks_garbage").Run();
  EXPECT_EQ(m.status, RungStatus::kRefused);
  EXPECT_EQ(m.cases_passed, 0);
  EXPECT_THAT(First(m), HasSubstr("sent the grader a message that is shorter than a message header"));
}

TEST(HostileWorkerTest, APacketLongerThanAnyMessageIsRefused) {
  const RungMeasurement m = FakeRung("sends_too_much").Run();
  EXPECT_EQ(m.status, RungStatus::kRefused);
  EXPECT_THAT(First(m), HasSubstr("longer than any message"));
}

TEST(HostileWorkerTest, AnAnswerToAQuestionNobodyAskedIsRefused) {
  const RungMeasurement m = FakeRung("answers_ahead").Run();
  EXPECT_EQ(m.status, RungStatus::kRefused);
  EXPECT_THAT(First(m), HasSubstr("that nothing had asked for"));
}

TEST(HostileWorkerTest, ClosingTheSocketAndLivingOnIsRefused) {
  const RungMeasurement m = FakeRung("closes_socket").Run();
  EXPECT_EQ(m.status, RungStatus::kRefused);
  EXPECT_THAT(First(m), HasSubstr("closed its connection"));
}

TEST(HostileWorkerTest, AnExecutableThatIsNotThereIsTheMachinesFault) {
  FakeRung rung("there_is_no_such_student");
  const Result<std::unique_ptr<Session>> started = Session::Start(rung.options, rung.device, rung.random);
  ASSERT_FALSE(started.ok());
  EXPECT_EQ(started.error().kind, ErrorKind::kMachine);
}

TEST(HostileWorkerTest, TimeThatTheJudgeTakesIsNotTheStudents) {
  FakeRung rung("honest", 1);
  int64_t now_ns = 0;
  rung.options.now_ns = [&now_ns] { return now_ns; };
  rung.Start();
  ASSERT_TRUE(rung.session->alive());
  now_ns += 1'200'000'000;
  EXPECT_TRUE(rung.session->Nop(0).has_value());
}

TEST(HostileWorkerTest, NothingIsAskedOfAWorkerThatHasEnded) {
  FakeRung rung("exits_in_constructor");
  rung.Start();
  ASSERT_FALSE(rung.session->alive());
  EXPECT_FALSE(rung.session->Nop(0).has_value());
  EXPECT_FALSE(rung.session->Call({}).has_value());
}

}  // namespace
}  // namespace warpgrade::judge
