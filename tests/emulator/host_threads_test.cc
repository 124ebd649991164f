#include "grader/emulator/machine/host_threads.h"

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cfenv>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iterator>
#include <latch>
#include <memory>
#include <new>
#include <thread>
#include <vector>

namespace warpgrade::emulator {
namespace {

// Which thread did the work of each number.
std::vector<pid_t> ThreadsOfRun(HostThreads& threads, size_t count) {
  std::vector<pid_t> ids(count);
  threads.Run(count, [&ids](size_t number) { ids[number] = gettid(); });
  return ids;
}

// What a forked child gives: its exit status, or -1 when it crashed or did not end.
int InForkedChild(const std::function<int()>& child) {
  const pid_t pid = fork();
  if (pid == 0) {
    alarm(20);
    _exit(child());
  }
  int status = 0;
  if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

// Of this process; it can start no more of them.
bool RefuseNewThreads() {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 2, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAGAIN)};
  sock_fprog program = {static_cast<unsigned short>(std::size(filter)), filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

TEST(HostThreadsTest, DoesTheWorkOfEachNumberOnce) {
  HostThreads threads;
  ASSERT_EQ(threads.Reserve(4), 4u);
  std::vector<std::atomic<int>> times(4);
  for (int launch = 1; launch <= 1000; ++launch) {
    threads.Run(4, [&times](size_t number) { ++times[number]; });
    for (const std::atomic<int>& of_number : times) ASSERT_EQ(of_number, launch);
  }
}

TEST(HostThreadsTest, DoesAllTheWorkAtATime) {
  HostThreads threads;
  ASSERT_EQ(threads.Reserve(4), 4u);
  std::latch all(4);
  threads.Run(4, [&all](size_t) { all.arrive_and_wait(); });
}

TEST(HostThreadsTest, UsesTheSameThreadsAgain) {
  HostThreads threads;
  ASSERT_EQ(threads.Reserve(3), 3u);
  const std::vector<pid_t> first = ThreadsOfRun(threads, 3);
  EXPECT_EQ(first[0], gettid());
  EXPECT_NE(first[1], first[0]);
  EXPECT_NE(first[2], first[1]);
  ASSERT_EQ(threads.Reserve(3), 3u);
  EXPECT_EQ(ThreadsOfRun(threads, 3), first);
}

TEST(HostThreadsTest, KeepsTheThreadsThatItHasWhenTheNextLaunchNeedsMoreOrFewer) {
  HostThreads threads;
  ASSERT_EQ(threads.Reserve(2), 2u);
  const std::vector<pid_t> two = ThreadsOfRun(threads, 2);
  ASSERT_EQ(threads.Reserve(12), 12u);
  const std::vector<pid_t> twelve = ThreadsOfRun(threads, 12);
  EXPECT_EQ(std::vector<pid_t>(twelve.begin(), twelve.begin() + 2), two);
  ASSERT_EQ(threads.Reserve(2), 2u);
  EXPECT_EQ(ThreadsOfRun(threads, 2), two);
}

TEST(HostThreadsTest, StartsNoThreadForTheWorkOfOne) {
  EXPECT_EQ(InForkedChild([] {
              HostThreads threads;
              if (threads.Reserve(1) != 1 || ThreadsOfRun(threads, 1) != std::vector<pid_t>{gettid()}) return 1;
              return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {}) == 1 ? 0 : 2;
            }),
            0);
}

TEST(HostThreadsTest, UsesThoseThatItHasWhenTheSystemGivesNoMore) {
  EXPECT_EQ(InForkedChild([] {
              HostThreads threads;
              if (threads.Reserve(2) != 2 || !RefuseNewThreads()) return 1;
              if (threads.Reserve(4) != 2) return 2;
              return ThreadsOfRun(threads, 2)[1] != 0 ? 0 : 3;
            }),
            0);
}

TEST(HostThreadsTest, RunsOnTheCallerAloneWhenTheSystemGivesNoThread) {
  EXPECT_EQ(InForkedChild([] {
              HostThreads threads;
              if (!RefuseNewThreads()) return 1;
              return threads.Reserve(4) == 1 && ThreadsOfRun(threads, 1)[0] == gettid() ? 0 : 2;
            }),
            0);
}

TEST(HostThreadsTest, StartsThreadsOfItsOwnInAForkedChild) {
  HostThreads threads;
  ASSERT_EQ(threads.Reserve(4), 4u);
  const std::vector<pid_t> before = ThreadsOfRun(threads, 4);
  EXPECT_EQ(InForkedChild([&threads, &before] {
              if (threads.Reserve(4) != 4) return 1;
              const std::vector<pid_t> here = ThreadsOfRun(threads, 4);
              for (size_t n = 0; n < 4; ++n) {
                if (here[n] == 0 || here[n] == before[n]) return 2;
              }
              return ThreadsOfRun(threads, 4) == here ? 0 : 3;
            }),
            0);
  EXPECT_EQ(ThreadsOfRun(threads, 4), before);
}

TEST(HostThreadsTest, RunsInAChildThatWasForkedDuringARun) {
  HostThreads threads;
  std::latch started(3), forked(1);
  std::thread device([&threads, &started, &forked] {
    ASSERT_EQ(threads.Reserve(2), 2u);
    threads.Run(2, [&started, &forked](size_t) {
      started.count_down();
      forked.wait();
    });
  });
  started.arrive_and_wait();
  EXPECT_EQ(InForkedChild([&threads] {
              if (threads.Reserve(2) != 2) return 1;
              return ThreadsOfRun(threads, 2)[1] != 0 ? 0 : 2;
            }),
            0);
  forked.count_down();
  device.join();
}

TEST(HostThreadsTest, MayBeDestroyedInAForkedChild) {
  auto unused = std::make_unique<HostThreads>(), used = std::make_unique<HostThreads>();
  for (HostThreads* threads : {unused.get(), used.get()}) {
    ASSERT_EQ(threads->Reserve(4), 4u);
    ThreadsOfRun(*threads, 4);
  }
  EXPECT_EQ(InForkedChild([&unused, &used] {
              if (used->Reserve(2) != 2) return 1;
              ThreadsOfRun(*used, 2);
              unused.reset();
              used.reset();
              return 0;
            }),
            0);
}

TEST(HostThreadsTest, MayBeDestroyedWhileItsThreadsAreParked) {
  for (int times = 0; times < 100; ++times) {
    HostThreads threads;
    ASSERT_EQ(threads.Reserve(4), 4u);  // some have not come as far as to sleep
    if (times % 2 == 0) ThreadsOfRun(threads, 3);
  }
}

TEST(HostThreadsTest, LetsTheProcessExit) {
  EXPECT_EXIT(
      {
        alarm(20);
        static HostThreads destroyed_at_exit;
        static HostThreads* const never_destroyed = new HostThreads;
        for (HostThreads* threads : {&destroyed_at_exit, never_destroyed}) {
          if (threads->Reserve(4) == 4) ThreadsOfRun(*threads, 4);
        }
        std::exit(0);
      },
      ::testing::ExitedWithCode(0), "");
}

TEST(HostThreadsTest, EndsTheProcessWhenWorkThrowsThatOthersMayWaitFor) {
  for (const size_t number : {0, 1}) {
    EXPECT_DEATH(
        {
          HostThreads threads;
          threads.Run(threads.Reserve(2), [number](size_t n) {
            if (n == number) throw std::bad_alloc();
          });
        },
        "bad_alloc");
  }
  HostThreads threads;
  EXPECT_THROW(threads.Run(1, [](size_t) { throw std::bad_alloc(); }), std::bad_alloc);
}

TEST(HostThreadsTest, RunsForTwoDevicesAtATime) {
  std::latch all(4);
  auto device = [&all] {
    HostThreads threads;
    ASSERT_EQ(threads.Reserve(2), 2u);
    threads.Run(2, [&all](size_t) { all.arrive_and_wait(); });
  };
  std::thread other(device);
  device();
  other.join();
}

TEST(HostThreadsTest, MayBeUsedByOneThreadAfterAnother) {
  HostThreads threads;
  ASSERT_EQ(threads.Reserve(2), 2u);
  const pid_t kept = ThreadsOfRun(threads, 2)[1];
  std::thread([&threads, kept] { EXPECT_EQ(ThreadsOfRun(threads, 2), (std::vector<pid_t>{gettid(), kept})); }).join();
}

TEST(HostThreadsTest, RoundsAsTheCallerOfEachRunDoes) {
  HostThreads threads;
  ASSERT_EQ(threads.Reserve(2), 2u);
  for (const int mode : {FE_UPWARD, FE_TONEAREST, FE_TOWARDZERO}) {
    std::fesetround(mode);
    std::vector<int> seen(2);
    threads.Run(2, [&seen](size_t number) { seen[number] = std::fegetround(); });
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(seen, std::vector<int>(2, mode));
  }
}

TEST(HostThreadsTest, LeavesTheSignalsThatOthersSendToTheProgramsThreads) {
  HostThreads threads;
  ASSERT_EQ(threads.Reserve(2), 2u);
  std::vector<sigset_t> masks(2);
  threads.Run(2, [&masks](size_t number) { pthread_sigmask(SIG_BLOCK, nullptr, &masks[number]); });
  for (const int sent : {SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGCHLD, SIGUSR1}) {
    EXPECT_EQ(sigismember(&masks[0], sent), 0) << sent;
    EXPECT_EQ(sigismember(&masks[1], sent), 1) << sent;
  }
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    EXPECT_EQ(sigismember(&masks[1], fault), 0) << fault;
  }
}

}  // namespace
}  // namespace warpgrade::emulator
