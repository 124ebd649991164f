// A sandbox that fails is told from a program that does, whatever that says. Skipped, saying so, where bubblewrap does
// not work.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "grader/sandbox/process.h"
#include "tests/sandbox/subject.h"

namespace warpgrade::sandbox {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class SandboxFailureTest : public testing::Test {
 protected:
  void SetUp() override {
    const Status works = CheckConfinement();
    if (!works.ok()) GTEST_SKIP() << "skipped: " << works.error().message;
  }

  static ProcessOptions Confined(const std::vector<std::string>& arguments) {
    ProcessOptions options = Subject(arguments);
    options.confinement.emplace();
    options.confinement->read_only = {SANDBOX_SUBJECT};
    return options;
  }

  static ProcessResult Run(const ProcessOptions& options) {
    Result<Process> process = Process::Start(options);
    EXPECT_TRUE(process.ok()) << process.error().message;
    return process ? process->Wait() : ProcessResult();
  }
};

TEST_F(SandboxFailureTest, AProgramThatWasNeverReachedHasNotFailed) {
  for (const bool own_processes : {true, false}) {
    ProcessOptions options = Confined({"echo", "hello"});
    options.confinement->own_processes = own_processes;
    options.working_directory = "/home";  // is not there inside
    const ProcessResult result = Run(options);
    EXPECT_TRUE(result.sandbox_failed);
    EXPECT_THAT(result.output, StartsWith("bwrap: Can't chdir"));
  }
}

TEST_F(SandboxFailureTest, IsTheMachinesFaultAndSaysWhatToDo) {
  ProcessOptions options = Confined({"echo", "hello"});
  options.working_directory = "/home";
  const Result<ProcessResult> result = RunProcess(options);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().kind, ErrorKind::kMachine);
  EXPECT_THAT(result.error().message, StartsWith("bubblewrap failed: bwrap: Can't chdir to /home"));
  EXPECT_THAT(result.error().message, HasSubstr("Grade again; if it fails again, see what `bwrap"));
}

TEST_F(SandboxFailureTest, AProgramThatCannotBeExecutedIsNamedBeforeTheSandboxIsMade) {
  ProcessOptions options = Confined({});
  options.argv = {"/usr/share"};  // a folder may be searched, which looks like executed
  const Result<Process> process = Process::Start(options);
  ASSERT_FALSE(process.ok());
  EXPECT_THAT(process.error().message, HasSubstr("cannot run /usr/share: it is no file"));
}

TEST_F(SandboxFailureTest, TheWordsOfBubblewrapAreNoSign) {
  for (const char* script : {"echo \"bwrap: Can't chdir to /: No such file\"; exit 1", "exit 1", "exit 127", "exit 137",
                             "for fd in 3 4 5 6 7; do echo '{}' >&$fd; done 2>/dev/null; kill -KILL $$"}) {
    ProcessOptions options = Confined({});
    options.argv = {"/bin/sh", "-c", script};
    EXPECT_FALSE(Run(options).sandbox_failed) << script;
  }
}

TEST_F(SandboxFailureTest, AProgramThatKillsItsProcessGroupHasEndedByItself) {
  ProcessOptions options = Confined({});
  options.argv = {"/bin/sh", "-c", "kill -KILL 0; sleep 5"};
  const ProcessResult result = Run(options);
  EXPECT_FALSE(result.sandbox_failed);
  EXPECT_EQ(result.signal, SIGKILL) << Describe(result, {});
}

TEST_F(SandboxFailureTest, ABubblewrapThatWasKilledIsNotTheProgramsFault) {
  Result<Process> process = Process::Start(Confined({"stay"}));
  ASSERT_TRUE(process.ok());
  while (process->output().empty()) process->OnReadable();
  ASSERT_EQ(kill(process->pid(), SIGKILL), 0);
  const ProcessResult& result = process->Wait();
  EXPECT_TRUE(result.sandbox_failed);
  EXPECT_THAT(SandboxFailure(result).message, StartsWith("bubblewrap failed: bwrap crashed: killed (signal 9)."));
}

TEST_F(SandboxFailureTest, WhatWeEndedOurselvesHasNotFailed) {
  ProcessOptions options = Confined({"stay"});
  options.limits.wall_ms = 200;
  ProcessResult result = Run(options);
  EXPECT_TRUE(result.timed_out);
  EXPECT_FALSE(result.sandbox_failed);
  Result<Process> process = Process::Start(Confined({"stay"}));
  ASSERT_TRUE(process.ok());
  process->Kill();
  EXPECT_FALSE(process->Wait().sandbox_failed);
}

}  // namespace
}  // namespace warpgrade::sandbox
