// `warpgrade batch --engine slurm` on a real slurmctld with two nodes, which Cluster starts: the marks are those of a
// local batch, byte for byte, also when a node is lost, the controller restarts, and the batch itself is killed.
//
// WARPGRADE_TEST_SLURM=1 in the environment grades a class with a submission of every kind, which takes some minutes;
// WARPGRADE_CLASS=100 sets its size. Skipped where Slurm's daemons are missing (Debian: slurmctld slurmd slurm-client
// munge).
#include "tests/slurm/cluster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <thread>

#include "tests/class/class_maker.h"
#include "tests/course/graded.h"

namespace warpgrade::slurm {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::chrono::minutes kLongestWait{20};  // only a hang takes that long

// Two rungs of lab2, so that the class of a cluster that is disturbed takes half a minute. The rung of lab1 takes a
// fraction of a second.
constexpr char kLabs[] = R"(labs:
  lab1:
    title: Reduction
    rungs:
      v1_interleaved_modulo: {title: Interleaved, points: {correctness: 6, technique: 1}, technique: [{metric: global_load_sectors_per_request, max: 4.5}]}
  lab2:
    title: Transpose
    rungs:
      v1_naive: {title: Naive, points: {correctness: 5, technique: 4}, technique: [{metric: global_bytes_per_element, max: 36}]}
      v2_shared: {title: Shared, points: {correctness: 8}}
)";

// The first four have no hostile program, which would take a minute.
size_t SizeOfClass() {
  if (const char* const size = std::getenv("WARPGRADE_CLASS"))
    return std::max<size_t>(std::strtoul(size, nullptr, 10), 4);
  const char* const all_kinds = std::getenv("WARPGRADE_TEST_SLURM");
  return all_kinds != nullptr && all_kinds == std::string("1") ? 13 : 4;
}

class ClusterTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (!Cluster::WhatIsMissing().empty()) return;
    folder_ = std::make_unique<TemporaryFolder>();
    for (const char* name : {"shared", "tmp", "cache"}) fs::create_directories(folder_->Path(name));
    cluster_ = std::make_unique<Cluster>(folder_->Path("shared"));
  }
  static void TearDownTestSuite() {
    cluster_.reset();
    folder_.reset();
  }
  void SetUp() override {
    if (!cluster_) GTEST_SKIP() << "skipped: " << Cluster::WhatIsMissing();
    test_ = testing::UnitTest::GetInstance()->current_test_info()->name();
    MakeSmallClass();
    UseCluster();
  }

  // Writes the course.yaml with these fields of `slurm` beside the folder.
  void UseCluster(const std::string& more = "partition: both, cores: 1, chunk: 2") const {
    folder_->Write(test_ + "/course.yaml", "course: {name: C, term: T}\nslurm: {folder: " + folder_->Path("shared") +
                                               ", " + more + "}\n" + kLabs);
  }
  void MakeSmallClass() const {
    for (const char* student : {"s1", "s2", "s3"}) HandIn(student);
  }
  // The first rung of lab_. The same program for all, so that it is built once.
  void HandIn(const std::string& student) const {
    const std::string file = lab_ == "lab1" ? "lab1/v1_interleaved_modulo.cu" : "lab2/v1_naive.cu";
    folder_->Write(test_ + "/class/" + student + "/" + file, ReadText(SourcePath("solutions/" + file)));
  }

  static std::vector<std::string> Environment() {
    std::vector<std::string> environment = cluster_->Environment();
    environment.push_back("TMPDIR=" + folder_->Path("tmp"));
    environment.push_back("XDG_CACHE_HOME=" + folder_->Path("cache"));
    return environment;
  }
  ProgramResult Batch(const std::string& gradebook, const std::vector<std::string>& more,
                      const std::function<void(int pid)>& meanwhile = nullptr) const {
    std::vector<std::string> command = {
        WARPGRADE_BINARY,    "batch", Path("class"), "--device",    "emulator",     "--course",
        Path("course.yaml"), "--lab", lab_,          "--gradebook", Path(gradebook)};
    command.insert(command.end(), more.begin(), more.end());
    return RunProgram(command, Environment(), meanwhile);
  }
  ProgramResult OnSlurm(const std::string& gradebook, const std::function<void(int pid)>& meanwhile = nullptr) const {
    return Batch(gradebook, {"--engine", "slurm"}, meanwhile);
  }
  std::string Export(const std::string& gradebook) const {
    return RunProgram({WARPGRADE_BINARY, "export", Path(gradebook), "--format", "csv"}).out;
  }
  std::string Path(const std::string& name) const { return folder_->Path(test_ + "/" + name); }

  // The number of submissions that tasks on `node` have graded, by their logs.
  static size_t GradedOn(const std::string& node) {
    size_t graded = 0;
    std::error_code ignored;  // the batch may remove a folder meanwhile
    for (const auto& lab : fs::directory_iterator(folder_->Path("shared"), ignored)) {
      for (const auto& entry : fs::directory_iterator(lab.path() / "logs", ignored)) {
        const std::string log = ReadText(entry.path().string());
        if (log.find("node " + node + "\n") == std::string::npos) continue;
        for (size_t at = 0; (at = log.find(": graded\n", at)) != std::string::npos; ++at) ++graded;
      }
    }
    return graded;
  }
  static bool IsRunningOn(const std::string& node) {
    for (const std::string& line : cluster_->Queue("%T %N")) {
      if (line == "RUNNING " + node) return true;
    }
    return false;
  }
  static bool HasEnded(int pid) {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
  }
  // `batch`: the process that must not end before that; 0: none.
  template <typename Condition>
  static void WaitUntil(int batch, const char* what, const Condition& condition) {
    const Clock::time_point deadline = Clock::now() + kLongestWait;
    while (!condition()) {
      if (Clock::now() > deadline || (batch != 0 && HasEnded(batch))) {
        ADD_FAILURE() << "this did not happen: " << what;
        return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }
  static size_t TasksOf(const std::string& state) {
    size_t count = 0;
    for (const std::string& line : cluster_->Queue("%T")) count += line == state ? 1 : 0;
    return count;
  }

  static std::unique_ptr<TemporaryFolder> folder_;
  static std::unique_ptr<Cluster> cluster_;
  std::string test_;
  std::string lab_ = "lab1";
};

std::unique_ptr<TemporaryFolder> ClusterTest::folder_;
std::unique_ptr<Cluster> ClusterTest::cluster_;

TEST_F(ClusterTest, ALostNodeARestartedControllerAndAKilledBatchLeaveTheMarksOfALocalBatch) {
  fs::remove_all(Path("class"));
  lab_ = "lab2";
  const size_t size = SizeOfClass();
  classes::MakeClass({.lab = lab_, .size = size}, Path("class"));
  HandIn("z9");  // the last of two tasks, so that there is work to lose after n2's first result
  UseCluster("partition: both, cores: 1, chunk: " + std::to_string((size + 2) / 2));
  const ProgramResult local = Batch("local.db", {});
  ASSERT_EQ(local.exit_code, 0) << local.err;
  const std::string undisturbed = Export("local.db");

  const ProgramResult killed = OnSlurm("slurm.db", [](int pid) {
    WaitUntil(pid, "a task runs on n2", [] { return IsRunningOn("n2"); });
    kill(pid, SIGKILL);
  });
  EXPECT_EQ(killed.exit_code, 128 + SIGKILL) << killed.err;
  const size_t tasks = cluster_->Queue("%A").size();

  const ProgramResult went_on = OnSlurm("slurm.db", [](int pid) {
    WaitUntil(pid, "n2 has graded something", [] { return GradedOn("n2") > 0; });
    cluster_->KillNode("n2");
    cluster_->StopController();
    std::this_thread::sleep_for(std::chrono::seconds(1));
    cluster_->StartController();
  });
  EXPECT_EQ(went_on.exit_code, 0) << went_on.err;
  std::cout << went_on.err;
  EXPECT_THAT(went_on.err, HasSubstr("found 1 array that was submitted before\n"));
  EXPECT_THAT(went_on.err, HasSubstr("lost: node n2 was lost\n"));
  EXPECT_GT(cluster_->Queue("%A").size(), tasks) << "what was lost was submitted again";
  EXPECT_EQ(Export("slurm.db"), undisturbed);
  EXPECT_TRUE(fs::is_empty(folder_->Path("shared"))) << "nothing is left behind";

  cluster_->StartNode("n2");
  cluster_->WaitForNodes({"n1", "n2"});
}

TEST_F(ClusterTest, ASecondRunHasNothingToDoAndAsksNoTask) {
  const ProgramResult first = OnSlurm("marks.db");
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(first.err, HasSubstr(": 2 tasks for 3 submissions\n"));
  EXPECT_THAT(first.out, HasSubstr("3 submissions: 3 graded\n"));
  const ProgramResult second = OnSlurm("marks.db");
  EXPECT_EQ(second.exit_code, 0) << second.err;
  EXPECT_THAT(second.out, HasSubstr("3 submissions: 0 graded, 3 unchanged (neither built nor run again)\n"));
  EXPECT_EQ(second.err, "");
  // Nor does a local batch: the conditions are the same.
  EXPECT_THAT(Batch("marks.db", {}).out, HasSubstr("0 graded, 3 unchanged"));
  // The sources come from the gradebook, and the results go there.
  const std::string before = Export("marks.db");
  const ProgramResult again = RunProgram({WARPGRADE_BINARY, "book", "regrade", Path("marks.db"), "--all", "--lab", lab_,
                                          "--device", "emulator", "--engine", "slurm"},
                                         Environment());
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.err, HasSubstr(": 2 tasks for 3 submissions\n"));
  EXPECT_THAT(again.out, HasSubstr("3 submissions: 3 graded\n"));
  EXPECT_EQ(Export("marks.db"), before);
  EXPECT_THAT(RunProgram({WARPGRADE_BINARY, "book", "history", Path("marks.db"), "s1"}).out,
              HasSubstr("regrade, warpgrade"));
}

TEST_F(ClusterTest, CtrlCLeavesTheTasksRunningAndCancelEndsThem) {
  UseCluster("partition: both, cores: 1, chunk: 1");
  const size_t cancelled_before = TasksOf("CANCELLED");
  const ProgramResult interrupted = OnSlurm("marks.db", [](int pid) {
    WaitUntil(pid, "a task runs", [] { return TasksOf("RUNNING") > 0; });
    kill(pid, SIGINT);
  });
  EXPECT_EQ(interrupted.exit_code, 130) << interrupted.err;
  EXPECT_THAT(interrupted.err, AllOf(HasSubstr("the tasks go on (job "), HasSubstr("--cancel ends them\n"),
                                     HasSubstr("Run the same command again to go on\n")));
  EXPECT_EQ(TasksOf("CANCELLED"), cancelled_before);

  const ProgramResult cancelled = Batch("marks.db", {"--engine", "slurm", "--cancel"});
  EXPECT_EQ(cancelled.exit_code, 0) << cancelled.err;
  EXPECT_THAT(cancelled.err, HasSubstr(" cancelled; the gradebook has all that they finished\n"));
  WaitUntil(0, "no task waits or runs",
            [] { return TasksOf("PENDING") + TasksOf("RUNNING") + TasksOf("COMPLETING") == 0; });

  const ProgramResult rest = OnSlurm("marks.db");
  EXPECT_EQ(rest.exit_code, 0) << rest.err;
  EXPECT_THAT(Export("marks.db"), AllOf(HasSubstr("s1,"), HasSubstr("s3,"), Not(HasSubstr("not graded"))));
}

TEST_F(ClusterTest, APartitionThatDoesNotExistIsAnErrorInTheWordsOfSbatch) {
  UseCluster("partition: nosuch");
  const ProgramResult result = OnSlurm("marks.db");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("sbatch refuses the tasks: "), HasSubstr("nosuch"),
                                HasSubstr("correct 'slurm' in course.yaml\n")));
}

TEST_F(ClusterTest, ANodeWithoutTheGpuIsNotTheStudentsFault) {
  UseCluster("partition: both, cores: 1, chunk: 3, tries: 1, gpu: NVIDIA H200");
  const ProgramResult result = RunProgram({WARPGRADE_BINARY, "batch", Path("class"), "--engine", "slurm", "--course",
                                           Path("course.yaml"), "--lab", lab_, "--gradebook", Path("marks.db")},
                                          [] {
                                            std::vector<std::string> environment = Environment();
                                            environment.emplace_back("CUDA_VISIBLE_DEVICES=");
                                            return environment;
                                          }());
  EXPECT_EQ(result.exit_code, 3) << result.err;
  EXPECT_THAT(result.err, AllOf(HasSubstr("not finished: s1, s2, s3: node n"), HasSubstr("GPU")));
  EXPECT_THAT(Export("marks.db"), HasSubstr("not graded")) << "no points instead of 0 points";
}

TEST_F(ClusterTest, AFolderThatTheNodesDoNotShareIsNamed) {
  if (!cluster_->has_node_apart()) GTEST_SKIP() << "skipped: only root can hide a folder from a node";
  UseCluster("partition: apart, cores: 1, chunk: 3, tries: 1");
  const ProgramResult result = OnSlurm("marks.db");
  EXPECT_EQ(result.exit_code, 3) << result.err;
  EXPECT_THAT(result.err, AllOf(HasSubstr("not finished: s1, s2, s3: its task ran on node n3, but nothing of it is"),
                                HasSubstr("let slurm.folder of course.yaml be a folder that all machines share")));
}

TEST_F(ClusterTest, TheClusterIsCheckedBeforeAGradebookIsMade) {
  folder_->Write(test_ + "/course.yaml", std::string("course: {name: C, term: T}\n") + kLabs);
  const ProgramResult no_cluster = OnSlurm("marks.db");
  EXPECT_EQ(no_cluster.exit_code, 2);
  EXPECT_THAT(no_cluster.err, HasSubstr("course.yaml does not describe the cluster; add 'slurm: {folder: /PATH}'"));
  EXPECT_EQ(Batch("marks.db", {"--cancel"}).exit_code, 2);
  UseCluster();
  std::vector<std::string> command = {
      "env",      "PATH=/nowhere",     WARPGRADE_BINARY, "batch", Path("class"), "--engine",      "slurm",
      "--course", Path("course.yaml"), "--lab",          lab_,    "--gradebook", Path("marks.db")};
  const ProgramResult no_sbatch = RunProgram(command);
  EXPECT_EQ(no_sbatch.exit_code, 3);
  EXPECT_THAT(no_sbatch.err, HasSubstr("the program sbatch is not on PATH; run this on a machine of the cluster"));
  EXPECT_FALSE(fs::exists(Path("marks.db")));
}

}  // namespace
}  // namespace warpgrade::slurm
