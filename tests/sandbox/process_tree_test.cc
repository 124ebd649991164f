// What the supervisor sees of the processes below it.
#include "grader/sandbox/process_tree.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ctime>
#include <functional>
#include <set>
#include <vector>

namespace warpgrade::sandbox {
namespace {

// Calls `work`, then waits until it is killed.
[[noreturn]] void WorkAndStay(const std::function<void()>& work) {
  work();
  while (true) pause();
}

// A child of the test. It ends with this at the latest.
class Child {
 public:
  explicit Child(const std::function<void()>& work = [] {}) : pid_(fork()) {
    if (pid_ == 0) WorkAndStay(work);
  }
  ~Child() { End(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  pid_t pid() const { return pid_; }
  void End() {
    if (pid_ < 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

 private:
  pid_t pid_;
};

std::set<pid_t> Pids(const std::vector<ProcessInfo>& processes) {
  std::set<pid_t> pids;
  for (const ProcessInfo& info : processes) pids.insert(info.pid);
  return pids;
}

TEST(DescendantsTest, AreThoseOfThisMomentEachTime) {
  Descendants below_us(getpid(), 100);
  EXPECT_TRUE(below_us.Now().empty());
  Child first;
  for (int look = 0; look < 20; ++look) EXPECT_EQ(Pids(below_us.Now()), (std::set<pid_t>{first.pid()}));
  Child second;
  EXPECT_EQ(Pids(below_us.Now()), (std::set<pid_t>{first.pid(), second.pid()}));
  first.End();
  EXPECT_EQ(Pids(below_us.Now()), (std::set<pid_t>{second.pid()}));
  kill(second.pid(), SIGKILL);
  while (!below_us.Now().at(0).zombie) usleep(1000);
  second.End();
  EXPECT_TRUE(below_us.Now().empty());
}

TEST(DescendantsTest, IncludeGrandchildren) {
  Descendants below_us(getpid(), 100);
  int started[2];
  ASSERT_EQ(pipe(started), 0);
  Child child([&] {
    const pid_t grandchild = fork();
    if (grandchild == 0) WorkAndStay([] {});
    if (write(started[1], &grandchild, sizeof grandchild) < 0) _exit(1);
  });
  pid_t grandchild = -1;
  ASSERT_EQ(read(started[0], &grandchild, sizeof grandchild), static_cast<ssize_t>(sizeof grandchild));
  EXPECT_EQ(Pids(below_us.Now()), (std::set<pid_t>{child.pid(), grandchild}));
  child.End();
  kill(grandchild, SIGKILL);
  waitpid(grandchild, nullptr, 0);  // it may be ours now
  close(started[0]);
  close(started[1]);
}

TEST(DescendantsTest, TellWhatAProcessHasUsedUpToNow) {
  int go[2], done[2];
  ASSERT_TRUE(pipe(go) == 0 && pipe(done) == 0);
  constexpr int64_t kBytes = int64_t{64} << 20;
  const Child child([&] {
    char byte;
    if (read(go[0], &byte, 1) != 1) _exit(1);
    static std::vector<char> memory(kBytes, 'x');
    const clock_t end = clock() + CLOCKS_PER_SEC / 5;
    while (clock() < end) memory[0] += 1;
    if (write(done[1], &byte, 1) != 1) _exit(1);
  });
  Descendants below_us(getpid(), 100);
  for (int look = 0; look < 4; ++look) ASSERT_EQ(below_us.Now().size(), 1u);  // the next one need not search
  const ProcessInfo before = below_us.Now()[0];
  char byte = 0;
  ASSERT_TRUE(write(go[1], &byte, 1) == 1 && read(done[0], &byte, 1) == 1);
  ASSERT_EQ(below_us.Now().size(), 1u);
  const ProcessInfo after = below_us.Now()[0];
  EXPECT_EQ(after.start_ticks, before.start_ticks);
  EXPECT_GE(after.cpu_ticks - before.cpu_ticks, sysconf(_SC_CLK_TCK) / 10);
  EXPECT_GE(after.resident_bytes - before.resident_bytes, kBytes / 2);
  for (const int fd : {go[0], go[1], done[0], done[1]}) close(fd);
}

}  // namespace
}  // namespace warpgrade::sandbox
