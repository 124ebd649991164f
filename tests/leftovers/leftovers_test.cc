#include "grader/leftovers/leftovers.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "tests/cli/program.h"

namespace warpgrade {
namespace {

namespace fs = std::filesystem;

TEST(LeftoversTest, WhatNobodyClaimsIsRemovedWithAllThatIsInIt) {
  const TemporaryFolder folder;
  const std::string dead = folder.Write("work-1/deep/file", "x");
  const std::string file = folder.Write("work-2", "x");
  RemoveUnclaimed(folder.Path(""), "work-");
  EXPECT_FALSE(fs::exists(folder.Path("work-1")));
  EXPECT_FALSE(fs::exists(file));
}

TEST(LeftoversTest, WhatIsClaimedOrHasAnotherNameStays) {
  const TemporaryFolder folder;
  const std::string living = folder.Write("work-1", "x"), other = folder.Write("results.json", "x");
  {
    const auto claim = Claim::Take(living);
    ASSERT_TRUE(claim);
    EXPECT_FALSE(Claim::Take(living)) << "two have it";
    RemoveUnclaimed(folder.Path(""), "work-");
    EXPECT_TRUE(fs::exists(living));
  }
  RemoveUnclaimed(folder.Path(""), "work-");
  EXPECT_FALSE(fs::exists(living));
  EXPECT_TRUE(fs::exists(other));
}

TEST(LeftoversTest, AClaimGoesWithTheProcessThatIsKilled) {
  const TemporaryFolder folder;
  fs::create_directory(folder.Path("work-1"));
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const auto claim = Claim::Take(folder.Path("work-1"));
    if (claim && write(ready[1], "r", 1) == 1) pause();
    _exit(1);
  }
  close(ready[1]);
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1) << "the child could not claim";
  close(ready[0]);
  RemoveUnclaimed(folder.Path(""), "work-");
  EXPECT_TRUE(fs::exists(folder.Path("work-1")));
  kill(child, SIGKILL);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  RemoveUnclaimed(folder.Path(""), "work-");
  EXPECT_FALSE(fs::exists(folder.Path("work-1")));
}

TEST(LeftoversTest, LinksAndPipesAreLeftAloneAndDoNotHang) {
  const TemporaryFolder folder;
  folder.Write("elsewhere/file", "x");
  fs::create_directory_symlink(folder.Path("elsewhere"), folder.Path("work-link"));
  ASSERT_EQ(mkfifo(folder.Path("work-pipe").c_str(), 0600), 0);
  RemoveUnclaimed(folder.Path(""), "work-");
  EXPECT_TRUE(fs::exists(folder.Path("elsewhere/file")));
  EXPECT_TRUE(fs::is_symlink(folder.Path("work-link")));
  EXPECT_TRUE(fs::exists(folder.Path("work-pipe")));
}

}  // namespace
}  // namespace warpgrade
