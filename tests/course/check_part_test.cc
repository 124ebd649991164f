// The ctest tests of one rung share their work: what the test of correctness has run, the test of technique leaves out.
// The rung here is wrong for very thin matrices, and technique is measured with others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "grader/cli/test_record.h"
#include "tests/course/graded.h"

namespace warpgrade {
namespace {

using testing::HasSubstr;

class CheckPartTest : public testing::Test {
 protected:
  CheckPartTest() { folder_.Write("lab2/v1_naive.cu", MutantText("lab2", "v1_naive__too_many_blocks_along_y")); }

  void Record(cli::Outcome outcome) {
    cli::TestRecord record;
    record.outcome = outcome;
    ASSERT_TRUE(cli::WriteRecord(folder_.Path("results"), "lab2.v1_naive.correctness", record).ok());
  }

  ProgramResult CheckTechnique() {
    return RunProgram({WARPGRADE_BINARY, "check", "lab2", "v1_naive", "--submission", folder_.Path(""), "--part",
                       "technique", "--record", folder_.Path("results")});
  }

  const TemporaryFolder folder_;
};

TEST_F(CheckPartTest, AfterCorrectnessHasPassedTechniqueRunsItsOwnCaseOnly) {
  if (TestDevice() == "gpu") GTEST_SKIP() << "there the emulator must check the public cases";
  Record(cli::Outcome::kPassed);
  const ProgramResult checked = CheckTechnique();
  EXPECT_EQ(checked.exit_code, 0) << checked.out << checked.err;
  EXPECT_THAT(checked.out, HasSubstr("lab2 v1_naive technique: passed"));
}

TEST_F(CheckPartTest, WithoutCorrectnessTechniqueRunsThePublicCasesToo) { EXPECT_EQ(CheckTechnique().exit_code, 1); }

TEST_F(CheckPartTest, AfterCorrectnessHasFailedTechniqueRunsThePublicCasesToo) {
  Record(cli::Outcome::kFailed);
  EXPECT_EQ(CheckTechnique().exit_code, 1);
}

}  // namespace
}  // namespace warpgrade
