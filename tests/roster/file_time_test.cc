#include "grader/roster/file_time.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/cli/program.h"

namespace warpgrade::roster {
namespace {

void SetTime(const std::string& path, time_t seconds) {
  const timespec times[2] = {{seconds, 0}, {seconds, 0}};
  ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), times, AT_SYMLINK_NOFOLLOW), 0);
}

TEST(FileTimeTest, AnArchiveHasTheTimeOfItsFile) {
  const TemporaryFolder folder;
  const std::string path = folder.Write("s1.zip", "x");
  SetTime(path, 1000);
  EXPECT_EQ(FileTime(path), 1000);
  EXPECT_EQ(FileTime(folder.Path("none")), std::nullopt);
}

TEST(FileTimeTest, AFolderHasTheLatestTimeInIt) {
  const TemporaryFolder folder;
  const std::string old = folder.Write("s1/lab1/v1.cu", "x"), young = folder.Write("s1/lab1/v2.cu", "x");
  folder.Write("s1/.git/HEAD", "x");
  SetTime(old, 1000);
  SetTime(young, 3000);
  SetTime(folder.Path("s1/lab1"), 2000);
  SetTime(folder.Path("s1"), 2000);
  EXPECT_EQ(FileTime(folder.Path("s1")), 3000) << "hidden folders do not count";
}

TEST(FileTimeTest, ALinkCountsForItselfAndIsNotFollowed) {
  const TemporaryFolder folder;
  folder.Write("s1/lab1/v1.cu", "x");
  const std::string outside = folder.Write("outside/young", "x");
  ASSERT_EQ(symlink(folder.Path("outside").c_str(), folder.Path("s1/link").c_str()), 0);
  SetTime(outside, 9000);
  SetTime(folder.Path("outside"), 9000);
  for (const char* name : {"s1/link", "s1/lab1/v1.cu", "s1/lab1", "s1"}) SetTime(folder.Path(name), 1000);
  EXPECT_EQ(FileTime(folder.Path("s1")), 1000);
}

}  // namespace
}  // namespace warpgrade::roster
