// `warpgrade check` runs what it checks confined, and goes on without where that does not work. `grade --sandbox user`
// confines where there are no namespaces.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/cli/program.h"

namespace warpgrade {
namespace {

using testing::HasSubstr;
using testing::Not;

// A rung that looks for `path` and does nothing else. By a system call, as the functions for that are refused.
std::string LooksFor(const std::string& path) {
  return R"(#include <cstdio>
#include "labs/lab2/lab2.h"
template <typename T>
void transpose(const T*, T*, size_t, size_t, cudaStream_t) {
  long result;
  asm volatile("syscall" : "=a"(result) : "a"(21L), "D"(")" +
         path + R"("), "S"(4L) : "rcx", "r11", "memory");
  std::printf(result == 0 ? "REACHED\n" : "out of reach\n");
}
LAB2_INSTANTIATE();
)";
}

ProgramResult CheckOf(const TemporaryFolder& folder, const std::vector<std::string>& before) {
  folder.Write("s1/lab2/v1_naive.cu", LooksFor(folder.Write("secret", "x")));
  std::vector<std::string> command = before;
  command.insert(command.end(),
                 {WARPGRADE_BINARY, "check", "lab2", "v1", "--submission", folder.Path("s1"), "--device", "emulator"});
  return RunProgram(command);
}

TEST(CheckConfinementTest, WhatIsCheckedReachesNothingOfYours) {
  const TemporaryFolder folder;
  const ProgramResult result = CheckOf(folder, {});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("out of reach"));
  EXPECT_THAT(result.err, Not(HasSubstr("not confined")));
}

// Runs what follows where bubblewrap does not work.
std::vector<std::string> WithoutBubblewrap() {
  return {"unshare",
          "--user",
          "--map-root-user",
          "--mount",
          "sh",
          "-c",
          "mount --bind /bin/false /usr/bin/bwrap && exec \"$@\"",
          "sh"};
}

bool CanDoWithoutBubblewrap() {
  std::vector<std::string> nothing = WithoutBubblewrap();
  nothing.push_back("true");
  return RunProgram(nothing).exit_code == 0;
}

TEST(CheckConfinementTest, WithoutBubblewrapItGoesOnAndSaysSo) {
  if (!CanDoWithoutBubblewrap()) GTEST_SKIP() << "skipped: no user namespaces";
  const TemporaryFolder folder;
  const ProgramResult result = CheckOf(folder, WithoutBubblewrap());
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("REACHED"));
  EXPECT_THAT(result.err, HasSubstr("bubblewrap does not work here, so these files run with all your rights"));
}

// Twice, because nothing may be kept where the other user does not get in.
TEST(GradeConfinementTest, WithoutNamespacesItRunsAsAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "skipped: only root can run programs as another user";
  const TemporaryFolder folder;
  folder.Write("s1/lab2/v1_naive.cu", LooksFor(folder.Write("secret", "x")));
  for (int time = 0; time < 2; ++time) {
    const ProgramResult result = RunProgram({WARPGRADE_BINARY, "grade", folder.Path("s1"), "--lab", "lab2", "--rung",
                                             "v1_naive", "--device", "emulator", "--sandbox", "user"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("out of reach"));
  }
}

TEST(CheckConfinementTest, WithoutBubblewrapMakeBuildsARungNevertheless) {
  if (!CanDoWithoutBubblewrap()) GTEST_SKIP() << "skipped: no user namespaces";
  const TemporaryFolder folder;
  const std::string object = folder.Path("v1.o");
  std::vector<std::string> command = WithoutBubblewrap();
  command.insert(command.end(), {WARPGRADE_BINARY, "build-rung", "lab2", "v1_naive", "--source",
                                 folder.Write("v1_naive.cu", LooksFor("/")), "--object", object});
  const ProgramResult result = RunProgram(command, {"XDG_CACHE_HOME=" + folder.Path("cache")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_FALSE(ReadText(object).empty());
}

}  // namespace
}  // namespace warpgrade
