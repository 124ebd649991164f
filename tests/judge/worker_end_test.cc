#include "grader/judge/worker_end.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

namespace warpgrade::judge {
namespace {

using score::RungStatus;
using testing::HasSubstr;

TEST(WorkerEndTest, SignalsHavePlainNames) {
  EXPECT_EQ(PlainSignalName(SIGSEGV), "segmentation fault");
  EXPECT_EQ(PlainSignalName(SIGABRT), "abort()");
  EXPECT_EQ(PlainSignalName(42), "signal 42");
}

TEST(WorkerEndTest, LimitsComeBeforeTheSignalThatEnforcedThem) {
  const config::RunLimits limits;
  sandbox::ProcessResult result;
  result.signal = SIGKILL;
  result.memory_exceeded = true;
  WorkerEnd end = DescribeProcessEnd(result, Stage::kHostCode, limits);
  EXPECT_EQ(end.status, RungStatus::kLimit);
  EXPECT_THAT(end.messages[0], HasSubstr("more than 4096 MB of host memory"));
  result.memory_exceeded = false;
  result.cpu_exceeded = true;
  end = DescribeProcessEnd(result, Stage::kHostCode, limits);
  EXPECT_EQ(end.status, RungStatus::kTimeout);
  EXPECT_THAT(end.messages[0], HasSubstr("60 s of processor time in host code"));
}

TEST(WorkerEndTest, ACallThatTheRuntimeLacksIsNamed) {
  sandbox::ProcessResult result;
  result.exit_code = 127;
  result.output = "/x/rung: symbol lookup error: /x/rung: undefined symbol: cudaGraphLaunch, version libcudart.so.13\n";
  const WorkerEnd end = DescribeProcessEnd(result, Stage::kHostCode, {});
  EXPECT_TRUE(end.unsupported);
  EXPECT_THAT(end.messages[0], HasSubstr("calls cudaGraphLaunch, which"));
}

TEST(WorkerEndTest, AnExitCodeOf127AloneIsAnExit) {
  sandbox::ProcessResult result;
  result.exit_code = 127;
  const WorkerEnd end = DescribeProcessEnd(result, Stage::kHostCode, {});
  EXPECT_FALSE(end.unsupported);
  EXPECT_THAT(end.messages[0], HasSubstr("exit code 127"));
}

TEST(WorkerEndTest, ATimeoutSaysWhereTheTimeWent) {
  EXPECT_THAT(DescribeTimeout(Stage::kKernel, {}, "").messages[0], HasSubstr("a kernel was still running"));
  EXPECT_THAT(DescribeTimeout(Stage::kHostCode, {}, "").messages[0], HasSubstr("(host code)"));
}

}  // namespace
}  // namespace warpgrade::judge
