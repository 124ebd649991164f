// Programs that want to outlast, outgrow or outnumber their limits.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>

#include "grader/sandbox/process.h"
#include "grader/sandbox/process_tree.h"
#include "tests/sandbox/subject.h"

namespace warpgrade::sandbox {
namespace {

using ::testing::SizeIs;

// The processes of the tests' own tree are all gone, zombies included.
void ExpectNothingLeft() {
  for (const ProcessInfo& left : DescendantsOf(getpid(), 1000)) ADD_FAILURE() << "process " << left.pid << " is left";
}

// Sends descriptors into a socket that nobody reads, until that fails. Returns why.
int SendUntilRefused(int socket) {
  int own[8];
  std::fill(std::begin(own), std::end(own), socket);
  char byte = 0;
  iovec data = {&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof own)] = {};
  msghdr header = {};
  header.msg_iov = &data;
  header.msg_iovlen = 1;
  header.msg_control = control;
  header.msg_controllen = sizeof control;
  cmsghdr* const rights = CMSG_FIRSTHDR(&header);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(sizeof own);
  std::memcpy(CMSG_DATA(rights), own, sizeof own);
  while (sendmsg(socket, &header, MSG_DONTWAIT) >= 0) {
  }
  return errno;
}

// For a child of the test, which can only print what went wrong.
bool Succeeds(const ProcessOptions& options) {
  const auto result = RunProcess(options);
  if (result && result->succeeded()) return true;
  std::fprintf(stderr, "%s\n", result ? Describe(*result, options.limits).c_str() : result.error().message.c_str());
  return false;
}

TEST(HostileProcessTest, KillsTheWholeProcessTreeOnTimeout) {
  ProcessOptions options = Subject({"leave_daemon_and_stay"});
  std::vector<pid_t> pids;  // of the daemon and the main process, which a busy machine may not start in the first limit
  for (options.limits.wall_ms = 300; pids.size() < 2; options.limits.wall_ms *= 2) {
    const auto result = RunProcess(options);
    ASSERT_TRUE(result) << result.error().message;
    ASSERT_TRUE(result->timed_out);
    EXPECT_GE(result->wall_ms, options.limits.wall_ms);
    pids = PidsIn(result->output);
  }
  for (pid_t pid : pids) EXPECT_FALSE(IsRunning(pid)) << pid;
  ExpectNothingLeft();
}

TEST(HostileProcessTest, ADaemonLeftBehindDoesNotOutliveTheMainProcess) {
  const auto result = RunProcess(Subject({"leave_daemon_and_exit"}));
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->succeeded());
  const std::vector<pid_t> pids = PidsIn(result->output);
  ASSERT_THAT(pids, SizeIs(1));
  EXPECT_FALSE(IsRunning(pids[0]));
  ExpectNothingLeft();
}

TEST(HostileProcessTest, KillingTheSupervisorFreesNobody) {
  const auto result = RunProcess(Subject({"leave_daemon_and_kill_parent", std::to_string(SIGKILL)}));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->signal, SIGKILL);
  for (pid_t pid : PidsIn(result->output)) EXPECT_FALSE(IsRunning(pid)) << pid;
  ExpectNothingLeft();
}

TEST(HostileProcessTest, StoppingTheSupervisorOnlyDelaysTheTimeout) {
  ProcessOptions options = Subject({"leave_daemon_and_kill_parent", std::to_string(SIGSTOP)});
  options.limits.wall_ms = 200;
  const auto result = RunProcess(options);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->timed_out);
  for (pid_t pid : PidsIn(result->output)) EXPECT_FALSE(IsRunning(pid)) << pid;
  ExpectNothingLeft();
}

TEST(HostileProcessTest, OtherSignalsDoNotMoveTheSupervisor) {
  const auto result = RunProcess(Subject({"signal_parent"}));
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->succeeded()) << Describe(*result, {});
}

// A grader of our own is killed without any chance to clean up, with its program running or stopped.
void ExpectTheTreeToDieWithTheGrader(bool paused) {
  int pipe_ends[2];
  ASSERT_EQ(pipe2(pipe_ends, O_CLOEXEC), 0);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t grader = fork();
  ASSERT_GE(grader, 0);
  if (grader == 0) {
    auto process = Process::Start(Subject({"leave_daemon_and_stay"}));
    if (!process) _exit(1);
    while (PidsIn(process->output()).size() < 2) process->OnReadable();
    if (paused) AwaitPause(*process);
    const std::string& pids = process->output();
    if (write(pipe_ends[1], pids.data(), pids.size()) < 0) _exit(1);
    close(pipe_ends[1]);
    raise(SIGKILL);
  }
  close(pipe_ends[1]);
  std::string output;
  char chunk[256];
  for (ssize_t n; (n = read(pipe_ends[0], chunk, sizeof chunk)) > 0;) output.append(chunk, n);
  close(pipe_ends[0]);
  waitpid(grader, nullptr, 0);
  ASSERT_THAT(PidsIn(output), SizeIs(2));
  // Its supervisor is now our child, and ends once the tree is gone.
  while (waitpid(-1, nullptr, 0) > 0) {
  }
  for (pid_t pid : PidsIn(output)) EXPECT_FALSE(IsRunning(pid)) << pid;
}

TEST(HostileProcessTest, TheTreeDiesWithTheGrader) { ExpectTheTreeToDieWithTheGrader(/*paused=*/false); }

TEST(HostileProcessTest, ATreeThatStandsStillDiesWithTheGrader) { ExpectTheTreeToDieWithTheGrader(/*paused=*/true); }

TEST(HostileProcessTest, AFloodOfOutputIsCutOff) {
  ProcessOptions options = Subject({"flood"});
  options.limits.output_bytes = 10000;
  const auto result = RunProcess(options);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->output_exceeded);
  EXPECT_FALSE(result->killed);
  EXPECT_THAT(result->output, SizeIs(10000));
  EXPECT_EQ(Describe(*result, options.limits), "stopped: it printed more than 10000 bytes");
}

TEST(HostileProcessTest, OutputOfExactlyTheLimitIsFine) {
  ProcessOptions options = Subject({"environment"});
  options.environment = {"A=" + std::string(997, 'x')};  // with its newline 1000 bytes
  options.limits.output_bytes = 1000;
  const auto result = RunProcess(options);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->succeeded());
  EXPECT_THAT(result->output, SizeIs(1000));
}

TEST(HostileProcessTest, AMemoryBombIsStopped) {
  ProcessOptions options = Subject({"eat_memory"});
  options.limits.memory_bytes = 64 << 20;
  options.limits.limit_address_space = false;  // so that the watch alone must do it
  const auto result = RunProcess(options);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->memory_exceeded) << Describe(*result, options.limits);
  EXPECT_EQ(result->signal, SIGKILL);
  EXPECT_GT(result->peak_memory, 64 << 20);
}

// Where the address space has no limit, which CUDA's driver needs.
TEST(HostileProcessTest, TablesOfPagesCountAsMemory) {
  ProcessOptions options = Subject({"read_far_apart", "100"});  // tables of 200 MB
  options.limits.memory_bytes = 64 << 20;
  options.limits.limit_address_space = false;
  options.limits.wall_ms = 20'000;
  const auto result = RunProcess(options);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->memory_exceeded) << Describe(*result, options.limits);
}

// What is in a pipe is memory of no process.
TEST(HostileProcessTest, PipesAreFew) {
  ProcessOptions options = Subject({"fill_pipes"});
  options.limits.kernel_objects = 100;
  const auto result = RunProcess(options);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->succeeded());
  EXPECT_GE(std::stoi(result->output), 45);
  EXPECT_LE(std::stoi(result->output), 50);
}

TEST(HostileProcessTest, TheAddressSpaceIsHeldWhereAsked) {
  ProcessOptions options = Subject({"ask_for_a_lot", "200"});
  options.limits.memory_bytes = 100 << 20;
  auto result = RunProcess(options);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->exit_code, 7);
  options.limits.limit_address_space = false;
  result = RunProcess(options);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->exit_code, 0);
}

TEST(HostileProcessTest, AnEndlessLoopRunsOutOfProcessorTime) {
  ProcessOptions options = Subject({"spin"});
  options.limits.cpu_s = 1;
  const auto result = RunProcess(options);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->cpu_exceeded) << Describe(*result, options.limits);
  EXPECT_FALSE(result->timed_out);
  EXPECT_GE(result->cpu_ms, 1000);
}

TEST(HostileProcessTest, ShortLivedChildrenDoNotHideProcessorTime) {
  ProcessOptions options = Subject({"spin_in_children"});
  options.limits.cpu_s = 1;
  const auto result = RunProcess(options);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->cpu_exceeded) << Describe(*result, options.limits);
}

TEST(HostileProcessTest, AFileMayNotGrowPastItsLimit) {
  const std::string path = std::filesystem::temp_directory_path() / ("warpgrade_big_" + std::to_string(getpid()));
  ProcessOptions options = Subject({"write_big_file", path});
  options.limits.file_bytes = 1 << 20;
  const auto result = RunProcess(options);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->file_exceeded) << Describe(*result, options.limits);
  EXPECT_EQ(std::filesystem::file_size(path), 1u << 20);
  std::filesystem::remove(path);
}

class ForkBombTest : public testing::TestWithParam<const char*> {};

TEST_P(ForkBombTest, IsStoppedAndLeavesNothing) {
  ProcessOptions options = Subject({GetParam()});
  options.limits.processes = 20;
  const auto result = RunProcess(options);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->processes_exceeded) << Describe(*result, options.limits);
  ExpectNothingLeft();
}
INSTANTIATE_TEST_SUITE_P(Kinds, ForkBombTest, testing::Values("fork_bomb", "session_fork_bomb"),
                         [](const auto& info) { return std::string(info.param); });

TEST(HostileProcessTest, ThreadsWithoutEndAreStoppedForEveryUser) {
  // Few enough for any machine to have, and more than the limit: process.cc.
  const long threads = 256 * sysconf(_SC_NPROCESSORS_ONLN) + 500;
  ProcessOptions options = Subject({"start_threads", std::to_string(threads)});
  options.limits.processes = 20;
  const auto result = RunProcess(options);
  ASSERT_TRUE(result);
  ExpectNothingLeft();
  // The kernel refuses the next thread of others. Root's it would not, so the supervisor must end them.
  if (getuid() != 0 && result->output == "refused\n") return;
  EXPECT_TRUE(result->threads_exceeded) << Describe(*result, options.limits);
}

TEST(HostileProcessTest, AsManyThreadsAsThereAreCoresAreFine) {
  ProcessOptions options = Subject({"start_threads", std::to_string(sysconf(_SC_NPROCESSORS_ONLN))});
  options.limits.processes = 20;
  options.limits.wall_ms = 300;
  const auto result = RunProcess(options);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->timed_out) << Describe(*result, options.limits);
}

TEST(HostileProcessTest, AProgramStartsAgainWhenThereAreDescriptorsAgain) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ProcessOptions options;
    options.argv = {"/usr/bin/true"};
    rlimit files = {};
    if (getrlimit(RLIMIT_NOFILE, &files) != 0) _exit(11);
    const rlimit few = {20, files.rlim_max};
    if (setrlimit(RLIMIT_NOFILE, &few) != 0) _exit(12);
    static_cast<void>(RunProcess(options));
    if (setrlimit(RLIMIT_NOFILE, &files) != 0) _exit(13);
    _exit(Succeeds(options) ? 0 : 14);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0) << "exit code " << WEXITSTATUS(status);
}

// The kernel counts descriptors that are on their way through sockets for each user. One program that sends many and
// never takes them must not keep the grader from starting the next one.
TEST(HostileProcessTest, AProgramStartsWhileTheUsersDescriptorsOnTheirWayAreUsedUp) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    if (getuid() == 0 && setresuid(65534, 65534, 65534) != 0) _exit(10);  // root has no such limit
    const rlimit files = {100, 100};
    if (setrlimit(RLIMIT_NOFILE, &files) != 0) _exit(11);
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) != 0) _exit(12);
    if (SendUntilRefused(ends[0]) != ETOOMANYREFS) _exit(13);
    ProcessOptions options;
    options.argv = {"/usr/bin/true"};
    _exit(Succeeds(options) ? 0 : 14);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0) << "exit code " << WEXITSTATUS(status);
}

}  // namespace
}  // namespace warpgrade::sandbox
