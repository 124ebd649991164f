#include "grader/cli/solution_programs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// A folder of solutions with lab0/v1.cu in it, and a compiler that writes down what it is given.
class SolutionProgramsTest : public testing::Test {
 protected:
  SolutionProgramsTest() {
    std::string pattern = (fs::temp_directory_path() / "solutions XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    fs::create_directories(folder_ / "lab0");
    std::ofstream(folder_ / "lab0/v1.cu") << "the solution";
  }
  ~SolutionProgramsTest() override { fs::remove_all(folder_); }

  SolutionPrograms Programs() {
    return SolutionPrograms([this](const std::string& lab) { return (folder_ / lab).string(); },
                            [this](const build::BuildRequest& request) {
                              given_.push_back(request);
                              return answer_;
                            });
  }
  static build::BuildRequest Rung(const std::string& rung) { return {"lab0", rung, "", 90, {{"cub/*"}, {}}}; }

  fs::path folder_;
  std::vector<build::BuildRequest> given_;
  Result<build::BuildResult> answer_ = build::BuildResult{.executable = "/x/program"};
};

TEST_F(SolutionProgramsTest, OneThatIsThereIsBuiltOnceForTheSameGpuAndWithTheSameAllowance) {
  SolutionPrograms programs = Programs();
  for (int i = 0; i < 2; ++i) {
    const auto program = programs.Of(Rung("v1"));
    ASSERT_TRUE(program) << program.error().message;
    EXPECT_EQ(*program, "/x/program");
  }
  ASSERT_EQ(given_.size(), 1u);
  EXPECT_EQ(given_[0].source, "the solution");
  EXPECT_EQ(given_[0].gpu_arch, 90);
  EXPECT_EQ(given_[0].allow.headers, std::vector<std::string>{"cub/*"});
}

TEST_F(SolutionProgramsTest, WhereThereIsNoneNothingIsBuilt) {
  SolutionPrograms programs = Programs();
  const auto program = programs.Of(Rung("v2"));
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(*program, std::nullopt);
  EXPECT_TRUE(given_.empty());
}

TEST_F(SolutionProgramsTest, OneThatCannotBeBuiltIsTheMachinesFaultAndSaysWhichAndWhy) {
  answer_->status = build::BuildResult::Status::kCompileError;
  answer_->diagnostics = "v1.cu:3: expected a ';'";
  SolutionPrograms programs = Programs();
  const auto program = programs.Of(Rung("v1"));
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().kind, ErrorKind::kMachine);
  EXPECT_THAT(program.error().message, HasSubstr("lab0/v1.cu"));
  EXPECT_THAT(program.error().message, HasSubstr("expected a ';'"));
  EXPECT_THAT(program.error().message, HasSubstr("another unit in course.yaml"));
}

}  // namespace
}  // namespace warpgrade::cli
