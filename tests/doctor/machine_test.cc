// Everything that `doctor` says beside the GPU, with made-up machines; LookAt with real folders.
#include "grader/doctor/machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace warpgrade::doctor {
namespace {

using testing::HasSubstr;
using Level = Check::Level;

Error Machine(const std::string& message) { return {ErrorKind::kMachine, message}; }

Runner Answers(const Result<std::string>& answer) {
  return [answer](const std::vector<std::string>&) { return answer; };
}

TEST(DoctorMachineTest, ACompilerIsNamedAndAMissingOneHasAdvice) {
  EXPECT_EQ(CompilerCheck(std::string("nvcc 13.0\ng++ 12.2")).says, "nvcc 13.0 g++ 12.2");
  const Check missing = CompilerCheck(Machine("there is no nvcc 13; install it"));
  EXPECT_EQ(missing.level, Level::kFails);
  EXPECT_EQ(missing.says, "there is no nvcc 13");
  EXPECT_EQ(missing.advice, "install it");
}

TEST(DoctorMachineTest, TheSandboxSaysWhichOfItsPartsHold) {
  SandboxFacts facts;
  facts.controllers = "cpu io memory pids";
  facts.open_files = 1024;
  const config::Course course;
  for (const Check& check : SandboxChecks(facts, course)) EXPECT_EQ(check.level, Level::kWorks) << check.says;
  facts.namespaces =
      Machine("bubblewrap is not installed. Install it; or grade without a sandbox, with --sandbox none");
  facts.open_files = 64;
  facts.file_mb = 10;
  facts.controllers.reset();
  const std::vector<Check> checks = SandboxChecks(facts, course);
  ASSERT_EQ(checks.size(), 3U);
  EXPECT_EQ(checks[0].level, Level::kFails);
  EXPECT_EQ(checks[0].says, "bubblewrap is not installed. Install it");
  EXPECT_EQ(checks[1].level, Level::kFails);
  EXPECT_EQ(checks[1].says,
            "rlimits are too low: 64 open files (256 needed, `ulimit -n`), 10 MB a file (256 needed, `ulimit -f`)");
  EXPECT_EQ(checks[2].level, Level::kWorks) << "the sandbox does without control groups";
  EXPECT_THAT(checks[2].says, HasSubstr("no cgroup v2"));
}

TEST(DoctorMachineTest, AFolderIsWrittenToAndLeftAsItWas) {
  const std::string path = testing::TempDir() + "warpgrade_doctor_" + std::to_string(getpid());
  std::filesystem::create_directories(path);
  const Folder folder = LookAt("temporary files", path + "/not/there/yet");
  EXPECT_TRUE(folder.free_mb) << folder.why;
  EXPECT_TRUE(std::filesystem::is_empty(path));
  std::filesystem::remove_all(path);
  const Folder wrong = LookAt("temporary files", "/proc/1");
  EXPECT_FALSE(wrong.free_mb);
  EXPECT_EQ(FolderCheck(wrong).level, Level::kFails);
}

TEST(DoctorMachineTest, FullDisksAndWrongTimesOfFilesAreNamed) {
  const auto check = [](uint64_t free_mb, int64_t ahead_s) {
    return FolderCheck({"temporary files", "/tmp", free_mb, "", ahead_s});
  };
  EXPECT_EQ(check(100'000, 0).level, Level::kWorks);
  EXPECT_EQ(check(100'000, 0).says, "/tmp, 100000 MB free");
  EXPECT_EQ(check(1000, 0).level, Level::kDoubt);
  EXPECT_EQ(check(100, 0).level, Level::kFails);
  EXPECT_THAT(check(100'000, 90).says, HasSubstr("a new file's time is 90 s ahead of this machine's clock"));
  EXPECT_THAT(check(100'000, -90).says, HasSubstr("90 s behind"));
}

TEST(DoctorMachineTest, TheClockIsComparedWithTheKitAndATimeServer) {
  EXPECT_EQ(ClockCheck(Answers(std::string("yes\n")), 1'800'000'000, 1'700'000'000).says,
            "2027-01-15T08:00:00Z, set by a time server");
  EXPECT_EQ(ClockCheck(Answers(std::string("no\n")), 1'800'000'000, 0).level, Level::kDoubt);
  EXPECT_EQ(ClockCheck(Answers(Machine("not there")), 1'800'000'000, 0).level, Level::kWorks);
  EXPECT_EQ(ClockCheck(Answers(std::string("yes\n")), 1'600'000'000, 1'700'000'000).level, Level::kFails);
}

TEST(DoctorMachineTest, LittleMemoryIsADoubt) {
  EXPECT_EQ(MemoryCheck(16'000, 4096).level, Level::kWorks);
  EXPECT_EQ(MemoryCheck(2'000, 4096).level, Level::kDoubt);
  EXPECT_EQ(MemoryCheck(0, 4096).level, Level::kWorks);
}

TEST(DoctorMachineTest, SlurmMattersOnlyToACourseThatUsesIt) {
  const auto cluster = [](const Result<std::string>& nodes) {
    return [nodes](const std::vector<std::string>& command) -> Result<std::string> {
      return command.at(0) == "sbatch" ? Result<std::string>("slurm 22.05.8\n") : nodes;
    };
  };
  EXPECT_EQ(SlurmChecks(Answers(Machine("sbatch is not installed")), std::nullopt)[0].says, "not used");
  config::Slurm slurm;
  slurm.folder = testing::TempDir();
  slurm.partition = "gpu";
  EXPECT_EQ(SlurmChecks(Answers(Machine("sbatch is not installed")), slurm)[0].level, Level::kFails);
  const std::vector<Check> works = SlurmChecks(cluster(std::string("4 idle\n1 down\n")), slurm);
  ASSERT_EQ(works.size(), 2U);
  EXPECT_EQ(works[0].says, "slurm 22.05.8, nodes: 4 idle 1 down");
  EXPECT_EQ(works[1].subject, "Slurm folder");
  EXPECT_THAT(SlurmChecks(cluster(std::string("\n")), slurm)[0].says, HasSubstr("no nodes in partition gpu"));
  EXPECT_EQ(SlurmChecks(cluster(Machine("Unable to contact slurm controller")), slurm)[0].level, Level::kFails);
}

}  // namespace
}  // namespace warpgrade::doctor
