// What the course stands on: our solutions get everything, an untouched starter gets nothing and is told so kindly.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/course/graded.h"

namespace warpgrade {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// The rungs of all labs: a file each. Quizzes are one more each, and count questions, not cases.
int Rungs() {
  int rungs = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(SourcePath("starter"))) {
    rungs += entry.path().extension() == ".cu";
  }
  return rungs;
}

int Quizzes(const json& submission) {
  int quizzes = 0;
  for (const json& lab : submission.at("labs")) quizzes += lab.at("rungs").back().at("rung") == "quiz";
  return quizzes;
}

TEST(CourseTest, SolutionsGetFullMarksOnTheEmulator) {
  const Graded graded = Grade(SourcePath("solutions"));
  ASSERT_EQ(graded.program.exit_code, 0) << graded.program.err;
  const json& submission = graded.Submission("solutions");
  int rungs = 0;
  for (const json& lab : submission.at("labs")) {
    for (const json& rung : lab.at("rungs")) {
      ++rungs;
      const std::string name = lab.at("lab").get<std::string>() + " " + rung.at("rung").get<std::string>();
      EXPECT_EQ(rung.at("status"), "passed") << name << "\n" << Told(rung);
      EXPECT_EQ(rung.at("points"), rung.at("measurable_points")) << name << "\n" << Told(rung);
      EXPECT_EQ(rung.at("throughput").at("status"), "not_measured") << name;
      EXPECT_TRUE(rung.at("findings").empty()) << name << "\n" << Told(rung);
      EXPECT_GT(rung.at("correctness").at("cases"), rung.at("rung") == "quiz" ? 3 : 8) << name;
    }
  }
  EXPECT_EQ(rungs, Rungs() + Quizzes(submission));
  EXPECT_GE(Quizzes(submission), 3);
  EXPECT_EQ(submission.at("points"), submission.at("measurable_points"));
  EXPECT_GT(submission.at("points"), 0);
  EXPECT_LT(submission.at("measurable_points"), submission.at("max_points")) << "throughput is not earned here";
  EXPECT_THAT(graded.program.out, HasSubstr("not here")) << "the table says where throughput is measured";
}

TEST(CourseTest, TheStarterGetsNothingAndIsNotWrittenYet) {
  const Graded graded = Grade(SourcePath("starter"));
  ASSERT_EQ(graded.program.exit_code, 0) << graded.program.err;
  int rungs = 0;
  for (const json& lab : graded.Submission("starter").at("labs")) {
    for (const json& rung : lab.at("rungs")) {
      ++rungs;
      EXPECT_EQ(rung.at("status"), "not_written") << lab.at("lab") << rung.at("rung") << "\n" << Told(rung);
      EXPECT_EQ(rung.at("points"), 0);
    }
  }
  EXPECT_EQ(rungs, Rungs() + Quizzes(graded.Submission("starter")));
  EXPECT_THAT(graded.program.out, HasSubstr("not written yet"));
}

TEST(CourseTest, TheStarterIsWhatTheSolutionsGive) {
  const ProgramResult check = RunProgram({WARPGRADE_BINARY, "make-starter", "--check"});
  EXPECT_EQ(check.exit_code, 0) << check.err;
}

TEST(CourseTest, GradingTwiceGivesTheSameResult) {
  const std::vector<std::string> one_rung = {"--lab", "lab2", "--rung", "v3"};
  json first = Grade(SourcePath("solutions"), one_rung).report;
  json second = Grade(SourcePath("solutions"), one_rung).report;
  EXPECT_EQ(first, second) << "metrics and points do not depend on the values drawn";
}

}  // namespace
}  // namespace warpgrade
