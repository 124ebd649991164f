#include "grader/judge/timed_workers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "tests/judge/fake/fake_rung.h"

namespace warpgrade::judge {
namespace {

using fake::FakeRung;
using score::RungStatus;
using testing::HasSubstr;

// A student's worker, and an honest calibrator beside it.
struct TwoWorkers {
  explicit TwoWorkers(const std::string& student) : rung(student) { rung.Start(); }
  TimedWorkers workers() { return {*rung.session, rung.calibrator(), "n = 3"}; }
  FakeRung rung;
};

Session::Answer Answering(protocol::DoneStatus status, const char* cuda_name = "") {
  Session::Answer answer;
  answer.done.status = status;
  std::strncpy(answer.done.cuda_name, cuda_name, sizeof(answer.done.cuda_name) - 1);
  answer.wall_ns = 7;
  return answer;
}

TEST(TimedWorkersTest, AnAnswerThatSaysOkIsHandedOn) {
  TwoWorkers two("honest");
  const auto answer = two.workers().WentWell(*two.rung.session, Answering(protocol::DoneStatus::kOk));
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->wall_ns, 7);
}

TEST(TimedWorkersTest, AStudentsExceptionFailsTheRungAndItsLostContextIsFatal) {
  TwoWorkers two("honest");
  const auto threw = two.workers().WentWell(*two.rung.session, Answering(protocol::DoneStatus::kException));
  ASSERT_FALSE(threw.ok());
  EXPECT_EQ(std::get<FailedCall>(threw.end()).status, RungStatus::kFailed);
  EXPECT_FALSE(std::get<FailedCall>(threw.end()).fatal);
  EXPECT_EQ(std::get<FailedCall>(threw.end()).failure.case_name, "n = 3");
  const auto lost =
      two.workers().WentWell(*two.rung.session, Answering(protocol::DoneStatus::kCudaError, "cudaErrorIllegalAddress"));
  ASSERT_FALSE(lost.ok());
  EXPECT_EQ(std::get<FailedCall>(lost.end()).status, RungStatus::kCrashed);
  EXPECT_TRUE(std::get<FailedCall>(lost.end()).fatal);
}

TEST(TimedWorkersTest, AFaultOfTheSolutionsOnlyLeavesTheRungUntimed) {
  TwoWorkers two("honest");
  const auto threw = two.workers().WentWell(two.rung.calibrator(), Answering(protocol::DoneStatus::kException));
  ASSERT_FALSE(threw.ok());
  EXPECT_THAT(std::get<NotTimed>(threw.end()).reason, HasSubstr("the course's solution"));
  score::CaseFailure failure;
  failure.message = "wrong at 5";
  const TimingEnd wrong = two.workers().WroteWrong(two.rung.calibrator(), failure);
  EXPECT_THAT(std::get<NotTimed>(wrong).reason, HasSubstr("wrong at 5"));
  EXPECT_EQ(std::get<FailedCall>(two.workers().WroteWrong(*two.rung.session, failure)).failure.message, "wrong at 5");
}

TEST(TimedWorkersTest, AStudentsEndIsTheRungsAndACalibratorsIsTheMachines) {
  TwoWorkers two("exits_in_constructor");
  ASSERT_FALSE(two.rung.session->alive());
  const auto students = two.workers().WentWell(*two.rung.session, std::nullopt);
  ASSERT_FALSE(students.ok());
  EXPECT_EQ(std::get<WorkerEnd>(students.end()).messages, two.rung.session->end().messages);
  const TimedWorkers swapped(two.rung.calibrator(), *two.rung.session, "n = 3");
  const TimingEnd calibrators = swapped.Ended(*two.rung.session);
  EXPECT_EQ(std::get<Error>(calibrators).kind, ErrorKind::kMachine);
  EXPECT_THAT(std::get<Error>(calibrators).message, HasSubstr("the calibrator"));
}

TEST(TimedWorkersTest, EachIsTheOthersOther) {
  TwoWorkers two("honest");
  EXPECT_EQ(&two.workers().OtherThan(*two.rung.session), &two.rung.calibrator());
  EXPECT_EQ(&two.workers().OtherThan(two.rung.calibrator()), two.rung.session.get());
}

}  // namespace
}  // namespace warpgrade::judge
