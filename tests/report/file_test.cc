#include "grader/report/file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace warpgrade::report {
namespace {

namespace fs = std::filesystem;

class FileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("warpgrade_file_" + std::to_string(getpid()) + "_" +
                                              testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string In(const std::string& name) const { return (folder_ / name).string(); }
  static std::string Content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream content;
    content << file.rdbuf();
    return content.str();
  }
  size_t FilesInFolder() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

TEST_F(FileTest, WritesANewFileAndLeavesNothingElse) {
  EXPECT_TRUE(WriteFile(In("r.json"), "content\n"));
  EXPECT_EQ(Content(In("r.json")), "content\n");
  EXPECT_EQ(FilesInFolder(), 1u);
}

TEST_F(FileTest, ANewFileHasTheUsersPermissions) {
  const mode_t mask = umask(022);
  EXPECT_TRUE(WriteFile(In("r.json"), ""));
  umask(mask);
  struct stat info = {};
  ASSERT_EQ(stat(In("r.json").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0644u);
}

TEST_F(FileTest, ReplacesAFileAndKeepsItsPermissions) {
  std::ofstream(In("r.json")) << "a longer content than the new one";
  chmod(In("r.json").c_str(), 0600);
  EXPECT_TRUE(WriteFile(In("r.json"), "new"));
  EXPECT_EQ(Content(In("r.json")), "new");
  struct stat info = {};
  ASSERT_EQ(stat(In("r.json").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

TEST_F(FileTest, FollowsALink) {
  std::ofstream(In("real.json")) << "old";
  fs::create_symlink("real.json", In("link.json"));
  EXPECT_TRUE(WriteFile(In("link.json"), "new"));
  EXPECT_TRUE(fs::is_symlink(In("link.json")));
  EXPECT_EQ(Content(In("real.json")), "new");
}

TEST_F(FileTest, RemovesWhatAKilledGraderLeftHalfWritten) {
  std::ofstream(In("r.json.unfinished-a1b2c3")) << "half";
  std::ofstream(In("r.json.backup")) << "the user's own";
  EXPECT_TRUE(WriteFile(In("r.json"), "whole"));
  EXPECT_FALSE(fs::exists(In("r.json.unfinished-a1b2c3")));
  EXPECT_TRUE(fs::exists(In("r.json.backup")));
}

TEST_F(FileTest, PiecesStandOneAfterTheOtherOnceTheyAreAllThere) {
  std::ofstream(In("r.json")) << "old";
  const std::string large(3 << 20, 'x');
  FileWriter file(In("r.json"));
  std::string expected;
  for (const std::string& piece : {std::string("begin\n"), large, std::string(), large, std::string("end\n")}) {
    file.Append(piece);
    expected += piece;
    EXPECT_EQ(Content(In("r.json")), "old");
  }
  EXPECT_TRUE(file.Finish());
  EXPECT_EQ(Content(In("r.json")), expected);
  EXPECT_EQ(FilesInFolder(), 1u);
}

TEST_F(FileTest, WhatIsNotFinishedLeavesTheOldFileAndNothingElse) {
  std::ofstream(In("r.json")) << "old";
  { FileWriter(In("r.json")).Append("half"); }
  EXPECT_EQ(Content(In("r.json")), "old");
  EXPECT_EQ(FilesInFolder(), 1u);
}

// As on a disk that gets full.
TEST_F(FileTest, APieceThatCannotBeWrittenLeavesTheOldFileAndIsTold) {
  std::ofstream(In("r.json")) << "old";
  struct rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto ignore_before = std::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small = {1000, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  Status written;
  {
    FileWriter file(In("r.json"));
    file.Append(std::string(900, 'x'));
    file.Append(std::string(900, 'y'));
    file.Append("z");
    written = file.Finish();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, ignore_before);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, In("r.json") +
                                         ": cannot be written: File too large; check the folder, its permissions and "
                                         "the space on the disk");
  EXPECT_EQ(Content(In("r.json")), "old");
  EXPECT_EQ(FilesInFolder(), 1u);
}

TEST_F(FileTest, WritesToADeviceDirectly) {
  EXPECT_TRUE(WriteFile("/dev/null", "gone"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(FileTest, SaysWhyAPlaceCannotBeWritten) {
  const Status missing = WriteFile(In("none/r.json"), "");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::kMachine);
  EXPECT_EQ(missing.error().message, In("none/r.json") +
                                         ": cannot be written: No such file or directory; check the folder, its "
                                         "permissions and the space on the disk");
  const Status folder = WriteFile(folder_.string(), "");
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().message, folder_.string() +
                                        ": cannot be written: Is a directory; check the folder, its permissions and "
                                        "the space on the disk");
}

TEST_F(FileTest, AFullDiskIsAnError) {
  const Status full = WriteFile("/dev/full", "content");
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().message,
            "/dev/full: cannot be written: No space left on device; check the folder, its permissions and the space on "
            "the disk");
}

}  // namespace
}  // namespace warpgrade::report
