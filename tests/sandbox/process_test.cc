#include "grader/sandbox/process.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <array>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "grader/sandbox/process_tree.h"
#include "tests/sandbox/subject.h"

namespace warpgrade::sandbox {
namespace {

using ::testing::HasSubstr;

TEST(ProcessTest, ReportsExitCodeAndBothOutputs) {
  const auto result = RunProcess(Subject({"echo", "two words"}));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->exit_code, 3);
  EXPECT_EQ(result->signal, 0);
  EXPECT_FALSE(result->succeeded());
  EXPECT_THAT(result->output, HasSubstr("two words\n"));
  EXPECT_THAT(result->output, HasSubstr("to stderr\n"));
  EXPECT_EQ(Describe(*result, {}), "exited with code 3");
}

TEST(ProcessTest, ReportsTheSignalOfACrash) {
  const auto result = RunProcess(Subject({"segfault"}));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->signal, SIGSEGV);
  EXPECT_EQ(result->exit_code, -1);
  EXPECT_FALSE(result->limit_exceeded());
  EXPECT_EQ(Describe(*result, {}), "crashed: segmentation fault (signal 11)");
}

TEST(ProcessTest, AMissingExecutableIsAnErrorThatNamesIt) {
  ProcessOptions options;
  options.argv = {"/no/such/program"};
  const auto result = RunProcess(options);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kMachine);
  EXPECT_EQ(result.error().message, "cannot run /no/such/program: No such file or directory");
}

TEST(ProcessTest, AFileThatIsNotExecutableIsAnError) {
  ProcessOptions options;
  options.argv = {"/etc/passwd"};
  const auto result = RunProcess(options);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("Permission denied"));
}

TEST(ProcessTest, AMissingWorkingDirectoryIsNamed) {
  ProcessOptions options = Subject({"echo"});
  options.working_directory = "/no/such/directory";
  const auto result = RunProcess(options);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("/no/such/directory"));
}

TEST(ProcessTest, RunsInTheWorkingDirectory) {
  ProcessOptions options = Subject({"directory"});
  options.working_directory = "/usr";
  const auto result = RunProcess(options);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->output, "/usr\n");
}

TEST(ProcessTest, TheEnvironmentIsExactlyTheOneGiven) {
  setenv("WARPGRADE_SECRET_OF_THE_GRADER", "1", 1);
  ProcessOptions options = Subject({"environment"});
  options.environment = {"ONE=1", "WITH_SPACE=a b", "EMPTY="};
  const auto result = RunProcess(options);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->output, "ONE=1\nWITH_SPACE=a b\nEMPTY=\n");
}

TEST(ProcessTest, StandardInputIsEmpty) {
  const auto result = RunProcess(Subject({"read_stdin"}));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->exit_code, 0);
}

TEST(ProcessTest, SignalsAreAtTheirDefaults) {
  signal(SIGPIPE, SIG_IGN);
  const auto result = RunProcess(Subject({"show_signals"}));
  signal(SIGPIPE, SIG_DFL);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->exit_code, 0);
}

TEST(ProcessTest, NoDescriptorOfOursLeaksIn) {
  const int leaky = open("/etc/passwd", O_RDONLY);  // without O_CLOEXEC, as a library might
  const int leaky_high = fcntl(leaky, F_DUPFD, 300);
  const auto result = RunProcess(Subject({"descriptors"}));
  close(leaky);
  close(leaky_high);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->output, "0 /dev\n1 pipe\n2 pipe\n");
}

TEST(ProcessTest, WeKeepNoDescriptorAfterTheEnd) {
  ASSERT_TRUE(RunProcess(Subject({"echo"})));
  const auto lowest_free = [] {
    const int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    close(fd);
    return fd;
  };
  const int before = lowest_free();
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(RunProcess(Subject({"echo"})));
  ProcessOptions missing;
  missing.argv = {"/no/such/program"};
  for (int i = 0; i < 5; ++i) ASSERT_FALSE(RunProcess(missing));
  EXPECT_EQ(lowest_free(), before);
}

TEST(ProcessTest, InheritedDescriptorsArriveUnderTheNumbersAskedForEvenWhenTheyCross) {
  int first[2], second[2];
  ASSERT_EQ(pipe2(first, O_CLOEXEC), 0);
  ASSERT_EQ(pipe2(second, O_CLOEXEC), 0);
  for (const int target : {4, 5}) {
    ProcessOptions options = Subject({"write_to", std::to_string(target)});
    options.inherited_fds = {{first[1], 5}, {second[1], 4}};
    const auto result = RunProcess(options);
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->exit_code, 0);
  }
  close(first[1]);
  close(second[1]);
  char text[16];
  EXPECT_EQ(read(second[0], text, sizeof text), 5);  // one "hello" in each, then the end: nobody holds them any more
  EXPECT_EQ(read(second[0], text, sizeof text), 0);
  EXPECT_EQ(read(first[0], text, sizeof text), 5);
  EXPECT_EQ(read(first[0], text, sizeof text), 0);
  close(first[0]);
  close(second[0]);
}

TEST(ProcessTest, AnInheritedDescriptorThatIsNotOpenIsAnError) {
  ProcessOptions options = Subject({"echo"});
  options.inherited_fds = {{987, 4}};
  const auto result = RunProcess(options);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("987"));
}

TEST(ProcessTest, AnEventLoopSeesOutputAndEnd) {
  auto process = Process::Start(Subject({"echo", "polled"}));
  ASSERT_TRUE(process) << process.error().message;
  EXPECT_GT(process->pid(), 1);
  while (!process->finished()) {
    pollfd fds[] = {{process->exit_fd(), POLLIN, 0}, {process->output_fd(), POLLIN, 0}};
    ASSERT_GT(poll(fds, 2, process->poll_timeout_ms()), 0);
    process->OnReadable();
  }
  EXPECT_EQ(process->result().exit_code, 3);
  EXPECT_THAT(process->output(), HasSubstr("polled"));
  EXPECT_EQ(process->output_fd(), -1);
  process->Kill();  // harmless now
}

TEST(ProcessTest, KillEndsItAndSaysSo) {
  auto process = Process::Start(Subject({"stay"}));
  ASSERT_TRUE(process) << process.error().message;
  const pid_t pid = process->pid();
  EXPECT_TRUE(IsRunning(pid));
  EXPECT_FALSE(process->Poll());
  process->Kill();
  const ProcessResult& result = process->Wait();
  EXPECT_TRUE(result.killed);
  EXPECT_FALSE(result.timed_out);
  EXPECT_EQ(result.signal, SIGKILL);
  EXPECT_FALSE(IsRunning(pid));
}

TEST(ProcessTest, TheCancelFlagKillsIt) {
  std::atomic<bool> cancel = false;
  std::jthread presser([&] {
    usleep(50000);
    cancel = true;
  });
  const auto result = RunProcess(Subject({"stay"}), &cancel);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->killed);
}

TEST(ProcessTest, DroppingAProcessKillsIt) {
  pid_t pid;
  {
    auto process = Process::Start(Subject({"stay"}));
    ASSERT_TRUE(process);
    pid = process->pid();
  }
  EXPECT_FALSE(IsRunning(pid));
}

TEST(ProcessTest, PauseStopsEveryThreadAndProcessUntilResume) {
  const Counts counts;
  auto process = Process::Start(counts.Subject());
  ASSERT_TRUE(process) << process.error().message;
  counts.AwaitMore({});
  for (int round = 0; round < 5; ++round) {
    AwaitPause(*process);
    const std::array<uint64_t, 4> before = counts.Now();
    usleep(20'000);
    EXPECT_EQ(counts.Now(), before);
    process->Resume();
    counts.AwaitMore(before);
  }
  EXPECT_FALSE(process->Poll());
}

// Processes that keep a core busy, each in a session of its own, so that each gets its share of the core.
class BusyCore {
 public:
  BusyCore(int core, int processes) {
    for (int i = 0; i < processes; ++i) {
      const pid_t pid = fork();
      if (pid == 0) {
        setsid();
        MoveToCore(getpid(), core);
        volatile uint64_t n = 0;
        while (true) {
          const uint64_t next = n + 1;
          n = next;
        }
      }
      pids_.push_back(pid);
    }
  }
  ~BusyCore() {
    for (const pid_t pid : pids_) {
      kill(pid, SIGKILL);
      waitpid(pid, nullptr, 0);
    }
  }

 private:
  std::vector<pid_t> pids_;
};

int LastUsableCore() {
  cpu_set_t usable;
  sched_getaffinity(0, sizeof usable, &usable);
  int last = CPU_SETSIZE - 1;
  while (!CPU_ISSET(last, &usable)) --last;
  return last;
}

TEST(ProcessTest, WaitingForABusyCoreIsNotChargedAsWallTime) {
  const int core = LastUsableCore();
  const BusyCore busy(core, 6);
  ProcessOptions options = Subject({"spin_for_ms", "150"});  // of processor time
  options.limits.wall_ms = 500;
  auto process = Process::Start(options);
  ASSERT_TRUE(process) << process.error().message;
  process->RunOn(core);
  const ProcessResult& result = process->Wait();
  EXPECT_TRUE(result.succeeded()) << Describe(result, options.limits);
}

TEST(ProcessTest, SleepingBesideABusyCoreIsCharged) {
  const int core = LastUsableCore();
  const BusyCore busy(core, 2);
  ProcessOptions options = Subject({"stay"});
  options.limits.wall_ms = 200;
  auto process = Process::Start(options);
  ASSERT_TRUE(process) << process.error().message;
  process->RunOn(core);
  EXPECT_TRUE(process->Wait().timed_out);
}

TEST(ProcessTest, RunOnMovesEveryThreadAndProcessToOneCore) {
  cpu_set_t usable;
  ASSERT_EQ(sched_getaffinity(0, sizeof usable, &usable), 0);
  int last = CPU_SETSIZE - 1;
  while (!CPU_ISSET(last, &usable)) --last;
  const Counts counts;
  auto process = Process::Start(counts.Subject());
  ASSERT_TRUE(process) << process.error().message;
  counts.AwaitMore({});  // all of them are there
  process->RunOn(last);
  int threads = 0;
  const std::vector<pid_t> supervisor = ChildrenOf(getpid());
  ASSERT_EQ(supervisor.size(), 1u);
  for (const ProcessInfo& info : DescendantsOf(supervisor[0], 100)) {
    for (const auto& entry : std::filesystem::directory_iterator("/proc/" + std::to_string(info.pid) + "/task")) {
      cpu_set_t its;
      ASSERT_EQ(sched_getaffinity(std::stoi(entry.path().filename().string()), sizeof its, &its), 0);
      EXPECT_TRUE(CPU_COUNT(&its) == 1 && CPU_ISSET(last, &its));
      ++threads;
    }
  }
  EXPECT_GE(threads, 4);
  counts.AwaitMore(counts.Now());  // and they go on
}

TEST(ProcessTest, APausedProcessCanBeKilled) {
  const Counts counts;
  auto process = Process::Start(counts.Subject());
  ASSERT_TRUE(process) << process.error().message;
  counts.AwaitMore({});
  AwaitPause(*process);
  process->Kill();
  EXPECT_TRUE(process->Wait().killed);
  EXPECT_TRUE(process->Pause());  // nobody is left to stop
  process->Resume();
}

TEST(ProcessTest, AThreadMayEndBeforeTheProcessThatItStarted) {
  std::unique_ptr<Process> process;
  std::thread([&] {
    auto started = Process::Start(Subject({"stay"}));
    ASSERT_TRUE(started);
    process = std::make_unique<Process>(std::move(*started));
  }).join();
  usleep(50000);
  EXPECT_FALSE(process->Poll());
  EXPECT_TRUE(IsRunning(process->pid()));
}

TEST(ProcessTest, ManyThreadsMayRunProcessesAtOnce) {
  std::vector<std::jthread> threads;
  std::atomic<int> right = 0;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      for (int k = 0; k < 10; ++k) {
        const std::string text = "thread " + std::to_string(i);
        const auto result = RunProcess(Subject({"echo", text}));
        if (result && result->exit_code == 3 && result->output.find(text + "\n") != std::string::npos) ++right;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(right, 80);
}

}  // namespace
}  // namespace warpgrade::sandbox
