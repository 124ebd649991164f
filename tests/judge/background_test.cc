#include "grader/judge/background.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

namespace warpgrade::judge {
namespace {

int Niceness() { return getpriority(PRIO_PROCESS, 0); }  // of this thread

TEST(BackgroundTest, TheWorkAndWhatItStartsIsNiceAndTheCallerIsNot) {
  const int before = Niceness();
  int of_work = 0, of_thread = 0, of_process = 0;
  InBackground([&] {
    of_work = Niceness();
    std::thread([&] { of_thread = Niceness(); }).join();
    const pid_t child = fork();
    if (child == 0) _exit(Niceness() + 20);
    int status = 0;
    waitpid(child, &status, 0);
    of_process = WEXITSTATUS(status) - 20;
  });
  EXPECT_EQ(of_work, std::max(before, 10));
  EXPECT_EQ(of_thread, of_work);
  EXPECT_EQ(of_process, of_work);
  EXPECT_EQ(Niceness(), before);
}

}  // namespace
}  // namespace warpgrade::judge
