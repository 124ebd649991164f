#include "grader/sandbox/on_path.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace warpgrade::sandbox {
namespace {

namespace fs = std::filesystem;

class OnPathTest : public testing::Test {
 protected:
  OnPathTest() : folder_(fs::temp_directory_path() / ("on_path_test-" + std::to_string(getpid()))) {
    for (const char* name : {"a", "b with space"}) fs::create_directories(folder_ / name);
    path_ = std::getenv("PATH");
    setenv("PATH", ((folder_ / "a").string() + "::.:" + (folder_ / "b with space").string()).c_str(), 1);
  }
  ~OnPathTest() override {
    setenv("PATH", path_.c_str(), 1);
    fs::remove_all(folder_);
  }
  std::string Make(const std::string& name, mode_t mode) {
    const std::string file = (folder_ / name).string();
    std::ofstream(file) << "#!/bin/sh\n";
    chmod(file.c_str(), mode);
    return file;
  }
  const fs::path folder_;
  std::string path_;
};

TEST_F(OnPathTest, TheFirstFolderThatHasTheProgramCounts) {
  const std::string second = Make("b with space/tool", 0755);
  EXPECT_EQ(OnPath("tool"), second);
  const std::string first = Make("a/tool", 0755);
  EXPECT_EQ(OnPath("tool"), first);
}

TEST_F(OnPathTest, FoldersAndFilesThatCannotBeExecutedAreNoPrograms) {
  fs::create_directories(folder_ / "a/tool");
  Make("b with space/tool", 0644);
  EXPECT_EQ(OnPath("tool"), std::nullopt);
}

TEST_F(OnPathTest, TheFolderOfTheCallerIsNotLookedAt) {
  const fs::path before = fs::current_path();
  Make("tool", 0755);
  fs::current_path(folder_);
  EXPECT_EQ(OnPath("tool"), std::nullopt);
  fs::current_path(before);
}

TEST_F(OnPathTest, WithoutAPathThereIsNoProgram) {
  Make("a/tool", 0755);
  unsetenv("PATH");
  EXPECT_EQ(OnPath("tool"), std::nullopt);
}

}  // namespace
}  // namespace warpgrade::sandbox
