#include "grader/judge/awake_cores.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <optional>
#include <string>

namespace warpgrade::judge {
namespace {

namespace fs = std::filesystem;

class ControlGroups {
 public:
  ControlGroups() {
    std::string pattern = (fs::temp_directory_path() / "groups XXXXXX").string();
    root_ = mkdtemp(pattern.data());
  }
  ~ControlGroups() { fs::remove_all(root_); }
  std::string root() const { return root_.string(); }
  void Write(const std::string& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text << "\n";
  }

 private:
  fs::path root_;
};

// Threads of this process in the class of those that give way to all others.
int IdleThreads() {
  int idle = 0;
  for (const auto& entry : fs::directory_iterator("/proc/self/task")) {
    if (sched_getscheduler(std::stoi(entry.path().filename().string())) == SCHED_IDLE) ++idle;
  }
  return idle;
}

int UsableCores() {
  cpu_set_t usable;
  EXPECT_EQ(sched_getaffinity(0, sizeof(usable), &usable), 0);
  return CPU_COUNT(&usable);
}

TEST(AwakeCoresTest, EachUsableCoreHasAThreadThatGivesWayToAllOthersAsLongAsItIsThere) {
  const ControlGroups none;
  {
    const AwakeCores awake(std::nullopt, none.root());
    EXPECT_EQ(awake.cores(), UsableCores());
    // If they never come, the test ends at ctest's own limit.
    while (IdleThreads() < awake.cores()) usleep(10'000);
    EXPECT_EQ(IdleThreads(), awake.cores());
  }
  EXPECT_EQ(IdleThreads(), 0);
}

TEST(AwakeCoresTest, OnlyOneCoreIsKeptAwakeIfThatIsAsked) {
  const ControlGroups none;
  cpu_set_t usable;
  ASSERT_EQ(sched_getaffinity(0, sizeof(usable), &usable), 0);
  int first = 0;
  while (!CPU_ISSET(first, &usable)) ++first;
  const AwakeCores awake(first, none.root());
  EXPECT_EQ(awake.cores(), 1);
  while (IdleThreads() < 1) usleep(10'000);
  EXPECT_EQ(IdleThreads(), 1);
}

TEST(AwakeCoresTest, WhereProcessorTimeIsRationedNothingIsDone) {
  const ControlGroups groups;
  groups.Write("cpu.max", "200000 100000");
  groups.Write("cpu/cpu.cfs_quota_us", "200000");
  const AwakeCores awake(std::nullopt, groups.root());
  EXPECT_EQ(awake.cores(), 0);
}

cpu_set_t Cores(std::initializer_list<int> cores) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int core : cores) CPU_SET(core, &set);
  return set;
}

TEST(CoreForWorkersTest, IsTheLastWhereTheJudgeHasTwoBeside) {
  EXPECT_EQ(CoreToSpare(Cores({})), std::nullopt);
  EXPECT_EQ(CoreToSpare(Cores({3})), std::nullopt);
  EXPECT_EQ(CoreToSpare(Cores({0, 1})), std::nullopt);
  EXPECT_EQ(CoreToSpare(Cores({2, 5, 700})), 700);
}

TEST(CoreForWorkersTest, TheJudgeKeepsOffItAsLongAsItIsThere) {
  cpu_set_t before, meanwhile, after;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  {
    const CoreForWorkers workers;
    ASSERT_EQ(sched_getaffinity(0, sizeof meanwhile, &meanwhile), 0);
    EXPECT_EQ(workers.core(), CoreToSpare(before));
    cpu_set_t expected = before;
    if (workers.core()) CPU_CLR(*workers.core(), &expected);
    EXPECT_TRUE(CPU_EQUAL(&meanwhile, &expected));
  }
  ASSERT_EQ(sched_getaffinity(0, sizeof after, &after), 0);
  EXPECT_TRUE(CPU_EQUAL(&after, &before));
}

TEST(ProcessorQuotaTest, IsFoundInAGroupOrAboveItInBothVersions) {
  const ControlGroups groups;
  groups.Write("slurm/job/cpu.max", "max 100000");
  EXPECT_FALSE(HasProcessorQuota(groups.root(), "0::/slurm/job\n"));
  groups.Write("slurm/cpu.max", "400000 100000");
  EXPECT_TRUE(HasProcessorQuota(groups.root(), "0::/slurm/job\n"));
  EXPECT_FALSE(HasProcessorQuota(groups.root(), "0::/user\n"));
  groups.Write("cpu/docker/cpu.cfs_quota_us", "-1");
  EXPECT_FALSE(HasProcessorQuota(groups.root(), "7:memory:/docker\n4:cpu,cpuacct:/docker\n"));
  groups.Write("cpu/docker/cpu.cfs_quota_us", "50000");
  EXPECT_TRUE(HasProcessorQuota(groups.root(), "7:memory:/docker\n4:cpu,cpuacct:/docker\n"));
}

TEST(ProcessorQuotaTest, InAContainerTheMountsRootIsLookedAtToo) {
  const ControlGroups groups;
  groups.Write("cpu.max", "150000 100000");
  EXPECT_TRUE(HasProcessorQuota(groups.root(), "0::/system.slice/docker-1234.scope\n"));
}

TEST(ProcessorQuotaTest, WhatCannotBeReadIsNone) {
  const ControlGroups groups;
  EXPECT_FALSE(HasProcessorQuota(groups.root(), ""));
  EXPECT_FALSE(HasProcessorQuota(groups.root(), "nonsense\n0:\n:::\n"));
}

}  // namespace
}  // namespace warpgrade::judge
