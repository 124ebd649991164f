#include "grader/slurm/commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::slurm {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Runner Printing(bool succeeded, const std::string& text) {
  return [=](const std::vector<std::string>&) -> Result<Output> { return Output{succeeded, text}; };
}

Submitted SubmitWith(bool succeeded, const std::string& text) {
  const Result<Submitted> submitted = Submit(Printing(succeeded, text), {"n", "s", "f", "l", 1}, config::Slurm());
  EXPECT_TRUE(submitted);
  return *submitted;
}

TEST(SlurmCommandsTest, WhatCourseYamlLeavesOutIsLeftToTheCluster) {
  const std::vector<std::string> command =
      SbatchCommand({"warpgrade-lab1", "/w/arrays/1.sh", "/w", "/w/logs/1-%a.txt", 5}, config::Slurm());
  EXPECT_THAT(command, ElementsAre("sbatch", "--cpus-per-task=4", "--array=0-4", "--job-name=warpgrade-lab1",
                                   "--chdir=/w", "--output=/w/logs/1-%a.txt", "--nodes=1", "--ntasks=1", "--no-requeue",
                                   "--open-mode=truncate", "--parsable", "/w/arrays/1.sh"));
}

TEST(SlurmCommandsTest, EverythingInCourseYamlReachesSbatchAndOurOptionsStandLast) {
  config::Slurm settings;
  settings.partition = "gpu";
  settings.account = "cs101";
  settings.gres = "gpu:h200:1";
  settings.time_s = 61;
  settings.memory_mb = 512;
  settings.cores = 8;
  settings.at_once = 2;
  settings.options = {"--qos=short", "--array=0-9"};
  const std::vector<std::string> command = SbatchCommand({"n", "s", "f", "l", 3}, settings);
  for (const char* option : {"--partition=gpu", "--account=cs101", "--gres=gpu:h200:1", "--time=2", "--mem=512M",
                             "--cpus-per-task=8", "--qos=short"}) {
    EXPECT_THAT(command, Contains(option));
  }
  const auto last_array = std::find(command.begin(), command.end(), "--array=0-2%2");
  ASSERT_NE(last_array, command.end());
  EXPECT_EQ(std::find(last_array, command.end(), "--array=0-9"), command.end()) << "sbatch takes the last one";
}

TEST(SlurmCommandsTest, ANumberIsAcceptanceAlsoAmongWarningsAndWithACluster) {
  EXPECT_EQ(SubmitWith(true, "4711\n").job, "4711");
  EXPECT_EQ(SubmitWith(true, "4711;east\n").job, "4711");
  EXPECT_EQ(SubmitWith(true, "sbatch: warning: 3 hours are left\n4711\n").job, "4711");
}

TEST(SlurmCommandsTest, AWrongPartitionIsRefusedForGood) {
  const Submitted refused =
      SubmitWith(false,
                 "sbatch: error: invalid partition specified: nosuch\n"
                 "sbatch: error: Batch job submission failed: Invalid partition name specified\n");
  EXPECT_EQ(refused.state, Submitted::State::kRefused);
  EXPECT_EQ(refused.text,
            "sbatch: error: invalid partition specified: nosuch; sbatch: error: Batch job submission failed: Invalid "
            "partition name specified");
}

TEST(SlurmCommandsTest, AControllerThatIsAwayMayHaveAcceptedNevertheless) {
  for (const char* text : {"sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect "
                           "failure)\n",
                           "sbatch: error: Batch job submission failed: Socket timed out on send/recv operation\n",
                           "\nsbatch timed out"}) {
    EXPECT_EQ(SubmitWith(false, text).state, Submitted::State::kUnclear) << text;
  }
  EXPECT_EQ(SubmitWith(true, "").state, Submitted::State::kUnclear) << "no number";
}

TEST(SlurmCommandsTest, TheTasksOfSqueueAreReadAndOtherLinesAreNot) {
  std::vector<std::string> asked;
  const Runner run = [&asked](const std::vector<std::string>& command) -> Result<Output> {
    asked = command;
    return Output{true,
                  "squeue: warning: |a|b|\n"
                  "warpgrade|one|7|0|RUNNING|n1|None\n"
                  "warpgrade|one|7|1|PENDING||Resources\n"
                  "warpgrade|one|7|2|NODE_FAIL|n2|NodeDown\n"
                  "warpgrade|one|7|[3-9%2]|PENDING||JobArrayTaskLimit\n"
                  "warpgrade|two|8|N/A|PENDING||None\n"
                  "warpgrade|one|7|10|SOMETHING_NEW|n3|a | b\n"
                  "warpgrade|one|7"};
  };
  const Result<Answer> answer = Tasks(run, {"one", "two"});
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->answered);
  EXPECT_THAT(asked, Contains("--name=one,two"));
  ASSERT_EQ(answer->tasks.size(), 4u);
  EXPECT_EQ(answer->tasks[0].state, Task::State::kRunning);
  EXPECT_EQ(answer->tasks[0].node, "n1");
  EXPECT_EQ(answer->tasks[0].why, "");
  EXPECT_EQ(answer->tasks[0].job, "7");
  EXPECT_EQ(answer->tasks[1].state, Task::State::kWaiting);
  EXPECT_EQ(answer->tasks[1].why, "Resources");
  EXPECT_EQ(answer->tasks[2].state, Task::State::kEnded);
  EXPECT_EQ(answer->tasks[2].number, 2u);
  EXPECT_EQ(answer->tasks[3].state, Task::State::kEnded);
  EXPECT_EQ(answer->tasks[3].why, "a | b");
}

TEST(SlurmCommandsTest, ASqueueThatFailsHasNotAnswered) {
  const Result<Answer> answer = Tasks(Printing(false, "slurm_load_jobs error: Unable to contact\x1b[31m\n"), {"n"});
  ASSERT_TRUE(answer);
  EXPECT_FALSE(answer->answered);
  EXPECT_THAT(answer->text, HasSubstr("Unable to contact"));
  EXPECT_THAT(answer->text, Not(HasSubstr("\x1b")));
}

TEST(SlurmCommandsTest, AMissingCommandIsAnErrorThatSaysWhatToDo) {
  const Result<Output> output = RunCommand({"no-such-command-of-slurm"});
  ASSERT_FALSE(output);
  EXPECT_EQ(output.error().kind, ErrorKind::kMachine);
  EXPECT_THAT(output.error().message, HasSubstr("the program no-such-command-of-slurm is not on PATH; run this on"));
}

}  // namespace
}  // namespace warpgrade::slurm
