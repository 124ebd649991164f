#include "grader/cli/folder_lock.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace warpgrade::cli {
namespace {

class FolderLockTest : public testing::Test {
 protected:
  FolderLockTest() { std::filesystem::create_directories(folder_); }
  ~FolderLockTest() override { std::filesystem::remove_all(folder_); }

  // As another process would find it.
  bool IsFree() const {
    const int fd = open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    EXPECT_GE(fd, 0);
    const bool is_free = flock(fd, LOCK_EX | LOCK_NB) == 0;
    close(fd);
    return is_free;
  }

  const std::string folder_ = testing::TempDir() + "warpgrade_lock_" + std::to_string(getpid());
};

TEST_F(FolderLockTest, KeepsOthersOutWhileItLives) {
  {
    const Result<FolderLock> lock = FolderLock::Of(folder_ + "/report.json");
    ASSERT_TRUE(lock) << lock.error().message;
    EXPECT_FALSE(IsFree());
  }
  EXPECT_TRUE(IsFree());
}

TEST_F(FolderLockTest, ALinkIsLockedWhereTheFileLies) {
  std::ofstream(folder_ + "/report.json") << "{}";
  const std::string link = folder_ + "_link";
  std::filesystem::create_symlink(folder_ + "/report.json", link);
  const Result<FolderLock> lock = FolderLock::Of(link);
  std::filesystem::remove(link);
  ASSERT_TRUE(lock) << lock.error().message;
  EXPECT_FALSE(IsFree());
}

TEST_F(FolderLockTest, AFolderThatIsNotThereIsNamed) {
  const Result<FolderLock> lock = FolderLock::Of("/no/such/folder/report.json");
  ASSERT_FALSE(lock);
  EXPECT_EQ(lock.error().kind, ErrorKind::kUsage);
  EXPECT_EQ(
      lock.error().message,
      "/no/such/folder/report.json: its folder cannot be opened: No such file or directory; name a file that exists");
}

}  // namespace
}  // namespace warpgrade::cli
