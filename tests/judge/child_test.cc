// Rungs judged in a child process, as the command line does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>

#include "grader/judge/judge.h"
#include "tests/judge/toy_request.h"

namespace warpgrade::judge {
namespace {

using score::RungMeasurement;
using score::RungStatus;
using testing::HasSubstr;

JudgeRequest Request(const std::string& student) {
  JudgeRequest request = RequestToy(student);
  request.gpu_runtime_folder = GPU_RUNTIME_FOLDER;
  return request;
}

TEST(ChildTest, BringsTheMeasurementBack) {
  const Result<RungMeasurement> m = JudgeRungInChild(KIT_EXECUTABLE, Request("honest"));
  ASSERT_TRUE(m.ok()) << m.error().message;
  EXPECT_EQ(m->status, RungStatus::kPassed);
  EXPECT_TRUE(m->technique_measured);
}

TEST(ChildTest, TellsWhichCaseRuns) {
  JudgeRequest request = Request("counts_for_ever");
  request.limits.instruction_budget = 40'000'000;
  request.progress = CaseProgress::Make();
  ASSERT_NE(request.progress, nullptr);
  std::set<int> seen;
  std::atomic<bool> done{false};
  std::thread looking([&] {
    while (!done) {
      const CaseProgress::At at = request.progress->Now();
      if (at.number > 0) seen.insert(at.number);
      if (at.number > 0) {
        EXPECT_EQ(at.of, 5);
      }
    }
  });
  const Result<RungMeasurement> m = JudgeRungInChild(KIT_EXECUTABLE, request);
  done = true;
  looking.join();
  ASSERT_TRUE(m.ok()) << m.error().message;
  EXPECT_THAT(seen, testing::Contains(2)) << "it takes longest, because its kernel never ends";
  EXPECT_EQ(request.progress->Now().number, 0) << "no case runs any more";
}

TEST(ChildTest, AJudgeThatBreaksIsTheMachinesFaultAndSaysSo) {
  setenv("BREAK_THE_JUDGE", "1", 1);
  const Result<RungMeasurement> m = JudgeRungInChild(KIT_EXECUTABLE, Request("honest"));
  unsetenv("BREAK_THE_JUDGE");
  ASSERT_FALSE(m.ok());
  EXPECT_EQ(m.error().kind, ErrorKind::kMachine);
  EXPECT_THAT(m.error().message, HasSubstr("toy honest: the judge itself failed"));
  EXPECT_THAT(m.error().message, HasSubstr("internal error"));
}

TEST(ChildTest, AJudgeThatIsMadeToHoldTooMuchCostsTheRungAlone) {
  setenv("FILL_THE_JUDGE", "1", 1);
  JudgeRequest request = Request("honest");
  request.limits.memory_mb = 64;
  const Result<RungMeasurement> m = JudgeRungInChild(KIT_EXECUTABLE, request);
  unsetenv("FILL_THE_JUDGE");
  ASSERT_TRUE(m.ok()) << m.error().message;
  EXPECT_EQ(m->status, RungStatus::kLimit);
  ASSERT_EQ(m->messages.size(), 1u);
  EXPECT_THAT(m->messages[0], HasSubstr("its processes and the emulated device held more than 256 MB of memory"));
}

TEST(ChildTest, ASlowMachineHasTimeForAllThatTheDeviceMayDo) {
  JudgeRequest request = Request("honest");
  request.limits.wall_s = 60;
  request.limits.total_instruction_budget = 0;
  const int64_t without_device = MostMillisecondsOfChild(request);
  EXPECT_EQ(without_device, 30 * 60'000 + 600'000);
  request.limits.total_instruction_budget = 4'000'000'000;
  EXPECT_EQ(MostMillisecondsOfChild(request) - without_device, 4'000'000) << "a million instructions in a second";
  request.limits.total_instruction_budget = ~uint64_t{0};
  EXPECT_EQ(MostMillisecondsOfChild(request) - without_device, 24 * 3'600'000);
}

TEST(ChildTest, OnAGpuItsOwnArraysAreNotCountedAgainstTheStudent) {
  JudgeRequest request = Request("honest");
  request.limits.memory_mb = 64;
  EXPECT_EQ(MostMemoryOfChild(request), int64_t{256} << 20);
  request.device = DeviceChoice::kGpu;
  EXPECT_EQ(MostMemoryOfChild(request), (int64_t{256} << 20) + (int64_t{16} << 30));
}

// It answers with what it has in CUDA_VISIBLE_DEVICES, as the error of a machine.
TEST(ChildTest, SeesTheGpuThatWasChosenAndElseWhatWeSee) {
  const std::filesystem::path script = testing::TempDir() + "/judge " + std::to_string(getpid());
  std::ofstream(script) << R"(#!/bin/sh
seen=$(tr '\0' '\n' < /proc/$$/environ | grep ^CUDA_VIS | tr '\n' ' ')
printf '{"error": {"kind": 0, "message": "%s"}}' "$seen" >&4
)";
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  const auto seen = [&script](const std::string& gpu) {
    JudgeRequest request = Request("honest");
    request.gpu = gpu;
    const Result<RungMeasurement> m = JudgeRungInChild(script, request);
    return m.ok() ? "" : m.error().message;
  };
  unsetenv("CUDA_VISIBLE_DEVICES");
  EXPECT_EQ(seen(""), "");
  EXPECT_EQ(seen("GPU-12"), "CUDA_VISIBLE_DEVICES=GPU-12 ");
  setenv("CUDA_VISIBLE_DEVICES", "1,0", 1);
  EXPECT_EQ(seen(""), "CUDA_VISIBLE_DEVICES=1,0 ");
  EXPECT_EQ(seen("GPU-12"), "CUDA_VISIBLE_DEVICES=GPU-12 ");
  unsetenv("CUDA_VISIBLE_DEVICES");
  std::filesystem::remove(script);
}

TEST(ChildTest, AMachineErrorComesBackAsItIs) {
  JudgeRequest request = Request("honest");
  request.executable += "_that_is_not_there";
  const Result<RungMeasurement> m = JudgeRungInChild(KIT_EXECUTABLE, request);
  ASSERT_FALSE(m.ok());
  EXPECT_THAT(m.error().message, HasSubstr("honest_that_is_not_there"));
}

TEST(ChildTest, CancellingStopsIt) {
  std::atomic<bool> cancel{true};
  JudgeRequest request = Request("honest");
  request.cancel = &cancel;
  const Result<RungMeasurement> m = JudgeRungInChild(KIT_EXECUTABLE, request);
  ASSERT_FALSE(m.ok());
  EXPECT_EQ(m.error().message, "grading was stopped");
}

// The whole way on a GPU: correctness, the emulator's opinion, and the clock.
TEST(ChildTest, JudgesAnHonestRungOnAGpu) {
  const Result<score::DeviceDescription> gpu = DescribeDevice(DeviceChoice::kGpu);
  if (!gpu) GTEST_SKIP() << "skipped: " << gpu.error().message;
  JudgeRequest request = Request("honest");
  request.device = DeviceChoice::kGpu;
  request.calibrator = request.executable;  // only empty calls are asked of it
  const Result<RungMeasurement> m = JudgeRungInChild(KIT_EXECUTABLE, request);
  ASSERT_TRUE(m.ok()) << m.error().message;
  EXPECT_EQ(m->status, RungStatus::kPassed);
  EXPECT_TRUE(m->technique_measured);
  EXPECT_NE(m->throughput.status, score::ThroughputMeasurement::Status::kNotMeasured) << m->throughput.reason;
  EXPECT_GE(m->throughput.samples, 10);
}

TEST(ChildTest, WithoutAGpuTheGpuIsAMachineError) {
  if (DescribeDevice(DeviceChoice::kGpu)) GTEST_SKIP() << "there is a GPU";
  JudgeRequest request = Request("honest");
  request.device = DeviceChoice::kGpu;
  const Result<RungMeasurement> m = JudgeRungInChild(KIT_EXECUTABLE, request);
  ASSERT_FALSE(m.ok());
  EXPECT_THAT(m.error().message, HasSubstr("no GPU here: "));
}

}  // namespace
}  // namespace warpgrade::judge
