#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "grader/starter/starter.h"

namespace warpgrade::starter {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kSolution[] = "// BEGIN SOLUTION\nx\n// ELSE STARTER\n//| 1\n// END SOLUTION\n";

class StarterTreeTest : public testing::Test {
 protected:
  StarterTreeTest() {
    std::string pattern = (fs::temp_directory_path() / "warpgrade starter XXXXXX").string();
    root_ = mkdtemp(pattern.data());
  }
  ~StarterTreeTest() override { fs::remove_all(root_); }

  void Write(const std::string& path, const std::string& content) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path, std::ios::binary) << content;
  }
  std::string Read(const std::string& path) {
    std::ifstream in(root_ / path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }
  Status Make(bool check_only) {
    return MakeStarterTree((root_ / "solutions/").string(), (root_ / "starter").string(), check_only);
  }

  fs::path root_;
};

TEST_F(StarterTreeTest, WritesEveryRungAndIsThenUpToDate) {
  Write("solutions/lab1/v1_a.cu", kSolution);
  Write("solutions/lab2/v1_b.cu", kSolution);
  Write("solutions/README.md", "not a rung");
  ASSERT_TRUE(Make(false));
  EXPECT_THAT(Read("starter/lab1/v1_a.cu"), HasSubstr("// Generated from solutions/lab1/v1_a.cu by"));
  EXPECT_THAT(Read("starter/lab2/v1_b.cu"), HasSubstr("\n1\n"));
  EXPECT_FALSE(fs::exists(root_ / "starter/README.md"));
  EXPECT_TRUE(Make(true));
}

TEST_F(StarterTreeTest, CheckListsStaleMissingAndExtraFilesAndWritesNothing) {
  Write("solutions/lab1/v1_stale.cu", kSolution);
  Write("solutions/lab1/v2_missing.cu", kSolution);
  Write("solutions/lab1/v3_good.cu", kSolution);
  ASSERT_TRUE(Make(false));
  Write("starter/lab1/v1_stale.cu", "edited\n");
  fs::remove(root_ / "starter/lab1/v2_missing.cu");
  Write("starter/lab1/v9_extra.cu", "extra\n");

  const Status status = Make(true);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message, HasSubstr("starter/lab1/v1_stale.cu: is not up to date"));
  EXPECT_THAT(status.error().message, HasSubstr("starter/lab1/v2_missing.cu: is missing"));
  EXPECT_THAT(status.error().message, HasSubstr("starter/lab1/v9_extra.cu: has no solution"));
  EXPECT_THAT(status.error().message, Not(HasSubstr("v3_good")));
  EXPECT_EQ(Read("starter/lab1/v1_stale.cu"), "edited\n");
  EXPECT_FALSE(fs::exists(root_ / "starter/lab1/v2_missing.cu"));
}

TEST_F(StarterTreeTest, AnExtraFileIsNotDeletedWhenMaking) {
  Write("solutions/lab1/v1_a.cu", kSolution);
  Write("starter/lab1/v9_mine.cu", "somebody's work\n");
  ASSERT_FALSE(Make(false));
  EXPECT_EQ(Read("starter/lab1/v9_mine.cu"), "somebody's work\n");
  EXPECT_TRUE(fs::exists(root_ / "starter/lab1/v1_a.cu"));
}

TEST_F(StarterTreeTest, AllMistakesInTheSolutionsAreListedAndNothingIsWritten) {
  Write("solutions/lab1/v1_a.cu", "no markers\n");
  Write("solutions/lab1/v2_b.cu", "// END SOLUTION\n");
  Write("solutions/lab1/v3_c.cu", kSolution);
  const Status status = Make(false);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message, HasSubstr("solutions/lab1/v1_a.cu:1:"));
  EXPECT_THAT(status.error().message, HasSubstr("solutions/lab1/v2_b.cu:1:"));
  EXPECT_FALSE(fs::exists(root_ / "starter"));
}

TEST_F(StarterTreeTest, AMissingSolutionsFolderIsAnError) {
  const Status status = Make(true);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message, HasSubstr("solutions"));
}

TEST_F(StarterTreeTest, AnEmptySolutionIsAMistakeNotAnUnreadableFile) {
  Write("solutions/lab1/v1_a.cu", "");
  const Status status = Make(true);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message, HasSubstr("no \"// BEGIN SOLUTION\""));
}

}  // namespace
}  // namespace warpgrade::starter
