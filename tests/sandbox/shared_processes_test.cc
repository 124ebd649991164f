// What a confined program can do to other processes where it shares their numbers, as on a GPU: nothing. And what it
// may still do to itself. Skipped, saying so, where bubblewrap does not work.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "grader/sandbox/process.h"
#include "tests/sandbox/subject.h"

namespace warpgrade::sandbox {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

ProcessResult RunConfined(const std::vector<std::string>& arguments, bool own_processes) {
  ProcessOptions options = Subject(arguments);
  options.confinement.emplace();
  options.confinement->read_only = {SANDBOX_SUBJECT};
  options.confinement->own_processes = own_processes;
  const Result<ProcessResult> result = RunProcess(options);
  EXPECT_TRUE(result.ok()) << result.error().message;
  return result ? *result : ProcessResult();
}

// The subject's lines "call errno" whose errno is another.
std::vector<std::string> LinesWithout(int error_number, const std::string& output) {
  std::vector<std::string> others;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (line.substr(line.rfind(' ') + 1) != std::to_string(error_number)) others.push_back(line);
  }
  return others;
}

// A process of our own that does nothing, in a group of its own.
class SharedProcessesTest : public testing::Test {
 protected:
  void SetUp() override {
    const Status works = CheckConfinement();
    if (!works.ok()) GTEST_SKIP() << "skipped: " << works.error().message;
    victim_ = fork();
    if (victim_ == 0) {
      while (true) pause();
    }
    ASSERT_EQ(setpgid(victim_, victim_), 0);
  }
  void TearDown() override {
    if (victim_ <= 0) return;
    kill(victim_, SIGKILL);
    waitpid(victim_, nullptr, 0);
  }

  std::string VictimsFile(const std::string& name) const { return "/proc/" + std::to_string(victim_) + "/" + name; }

  pid_t victim_ = -1;
};

TEST_F(SharedProcessesTest, NoSignalReachesAnotherProcess) {
  const ProcessResult result = RunConfined({"signal_process", std::to_string(victim_)}, false);
  EXPECT_EQ(result.exit_code, 0) << Describe(result, {}) << "\n" << result.output;
  EXPECT_THAT(result.output, HasSubstr("SIOCSPGRP"));
  EXPECT_THAT(LinesWithout(EPERM, result.output), IsEmpty());
  EXPECT_TRUE(IsRunning(victim_));
}

TEST_F(SharedProcessesTest, NoOtherProcessIsSlowedOrLimited) {
  const ProcessResult result = RunConfined({"slow_process", std::to_string(victim_)}, false);
  EXPECT_EQ(result.exit_code, 0) << Describe(result, {}) << "\n" << result.output;
  EXPECT_THAT(result.output, HasSubstr("ioprio_set of a user"));
  EXPECT_THAT(LinesWithout(EPERM, result.output), IsEmpty());
  EXPECT_EQ(getpriority(PRIO_PROCESS, static_cast<id_t>(victim_)), getpriority(PRIO_PROCESS, 0));
  EXPECT_EQ(sched_getscheduler(victim_), sched_getscheduler(0));
  rlimit limit = {};
  ASSERT_EQ(prlimit(victim_, RLIMIT_CPU, nullptr, &limit), 0);
  EXPECT_NE(limit.rlim_cur, 0u);
}

TEST_F(SharedProcessesTest, ItsFilesInProcAreItsOwnAndThoseOfOthersAreOnlyRead) {
  ProcessOptions options;
  options.argv = {"/bin/sh", "-c",
                  "echo 300 > /proc/self/oom_score_adj && cat /proc/self/oom_score_adj;"
                  "echo 300 > " +
                      VictimsFile("oom_score_adj") + "; echo 10 > " + VictimsFile("autogroup")};
  options.confinement.emplace();
  options.confinement->own_processes = false;
  const Result<ProcessResult> result = RunProcess(options);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_THAT(result->output, HasSubstr("300\n"));
  EXPECT_THAT(result->output, HasSubstr("oom_score_adj: Read-only file system"));
  std::string score;
  std::getline(std::ifstream(VictimsFile("oom_score_adj")), score);
  EXPECT_NE(score, "300");
}

TEST_F(SharedProcessesTest, ItMayTouchItself) {
  for (const bool own_processes : {true, false}) {
    const ProcessResult result = RunConfined({"touch_itself"}, own_processes);
    EXPECT_EQ(result.exit_code, 0) << Describe(result, {}) << "\n" << result.output;
    EXPECT_THAT(result.output, HasSubstr("pthread_cancel"));
    // As a program of root it is another user than its parent, which is bubblewrap.
    std::vector<std::string> refused;
    if (GivesUpRoot({.own_processes = own_processes})) refused.push_back("is its parent there 1");
    EXPECT_EQ(LinesWithout(0, result.output), refused) << (own_processes ? "own" : "shared") << " numbers";
  }
}

// As where a driver works, whose /dev is not closed. They count as memory, which nothing else would.
TEST(MemoryFilesTest, FilesInItsDevAreHeldToTheLimitOfMemory) {
  if (const Status works = CheckConfinement(); !works.ok()) GTEST_SKIP() << "skipped: " << works.error().message;
  for (const char* const folder : {"/dev", "/dev/shm"}) {
    ProcessOptions options = Subject({"write_many_files", folder});
    options.confinement.emplace();
    options.confinement->read_only = {SANDBOX_SUBJECT};
    options.confinement->own_processes = false;
    options.confinement->devices = {"/dev/null"};
    const Result<ProcessResult> enough = RunProcess(options);
    ASSERT_TRUE(enough.ok()) << enough.error().message;
    EXPECT_EQ(enough->output, "wrote 200\n");
    EXPECT_TRUE(enough->succeeded());
    options.argv[1] = "write_many_files_and_stay";
    options.limits.memory_bytes = int64_t{100} << 20;
    const Result<ProcessResult> result = RunProcess(options);
    ASSERT_TRUE(result.ok()) << result.error().message;
    EXPECT_TRUE(result->memory_exceeded) << folder << ": " << Describe(*result, options.limits);
    EXPECT_GT(result->peak_memory, options.limits.memory_bytes);
  }
}

// An empty file takes memory of the kernel, which counts as no process's.
TEST(MemoryFilesTest, TheNumberOfFilesHasALimit) {
  if (const Status works = CheckConfinement(); !works.ok()) GTEST_SKIP() << "skipped: " << works.error().message;
  for (const bool own_processes : {true, false}) {
    for (const std::string folder : {"/tmp", "/dev/shm"}) {
      SCOPED_TRACE(folder + (own_processes ? ", own numbers" : ", shared numbers"));
      ProcessOptions options = Subject({"make_empty_files", folder + " 9000"});
      options.confinement.emplace();
      options.confinement->read_only = {SANDBOX_SUBJECT};
      options.confinement->own_processes = own_processes;
      if (!own_processes) options.confinement->devices = {"/dev/null"};
      const Result<ProcessResult> enough = RunProcess(options);
      ASSERT_TRUE(enough.ok()) << enough.error().message;
      EXPECT_EQ(enough->output, "made 9000\n");
      EXPECT_TRUE(enough->succeeded()) << Describe(*enough, options.limits);
      options.argv[1] = "make_empty_files_and_stay";
      options.argv[2] = folder + " 100000";
      const Result<ProcessResult> result = RunProcess(options);
      ASSERT_TRUE(result.ok()) << result.error().message;
      EXPECT_TRUE(result->files_exceeded) << Describe(*result, options.limits);
      EXPECT_EQ(Describe(*result, options.limits), "stopped: it made more than 10000 files");
    }
  }
}

TEST(MemoryFilesTest, TheMachinesOwnDevIsNobodysMemory) {
  ProcessOptions options = Subject({"echo", "hello"});
  options.limits.memory_bytes = int64_t{100} << 20;
  const std::string megabytes(std::string(20 << 20, 'x'));
  const std::string path = "/dev/shm/warpgrade-test-" + std::to_string(getpid());
  std::ofstream(path) << megabytes;
  const Result<ProcessResult> result = RunProcess(options);
  unlink(path.c_str());
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_LT(result->peak_memory, int64_t{20} << 20);
}

// One who starts a confined program holds nothing of it: that program's own supervisor counts what it makes, and what
// is held on to is not given back when it ends.
TEST(MemoryFilesTest, OnlyTheProgramThatIsConfinedIsLookedAt) {
  if (const Status works = CheckConfinement(); !works.ok()) GTEST_SKIP() << "skipped: " << works.error().message;
  ProcessOptions options;
  options.argv = {"/usr/bin/env", "bwrap", "--ro-bind", "/",  "/",
                  "--dev",        "/dev",  "/bin/sh",   "-c", "head -c 60000000 /dev/zero > /dev/shm/x; sleep 0.5"};
  options.environment = {"PATH=/usr/bin:/bin"};
  options.limits.memory_bytes = int64_t{1} << 30;
  const Result<ProcessResult> result = RunProcess(options);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_TRUE(result->succeeded()) << Describe(*result, options.limits) << "\n" << result->output;
  EXPECT_LT(result->peak_memory, int64_t{50} << 20);
}

struct WayToCrash {
  const char* name;
  int signal;
};
class CrashTest : public testing::TestWithParam<WayToCrash> {};

TEST_P(CrashTest, EndsByTheSignalThatItIs) {
  if (const Status works = CheckConfinement(); !works.ok()) GTEST_SKIP() << "skipped: " << works.error().message;
  for (const bool own_processes : {true, false}) {
    const ProcessResult result = RunConfined({"crash", GetParam().name}, own_processes);
    EXPECT_EQ(result.signal, GetParam().signal) << Describe(result, {}) << "\n" << result.output;
  }
}
INSTANTIATE_TEST_SUITE_P(Ways, CrashTest,
                         testing::Values(WayToCrash{"abort", SIGABRT}, WayToCrash{"assert", SIGABRT},
                                         WayToCrash{"exception", SIGABRT}, WayToCrash{"thread", SIGABRT},
                                         WayToCrash{"raise", SIGSEGV}, WayToCrash{"null", SIGSEGV},
                                         WayToCrash{"division", SIGFPE}, WayToCrash{"trap", SIGILL}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace warpgrade::sandbox
