// What platforms get when there are no points: no score for Gradescope, and a maximum of 0 for GitHub Classroom.
#include "grader/report/could_not_grade.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "grader/report/github_classroom.h"
#include "tests/report/odd_names.h"

namespace warpgrade::report {
namespace {

using testing::HasSubstr;

TEST(CouldNotGradeTest, GradescopeGetsASentenceForStudentsAndNoScore) {
  const auto json = nlohmann::json::parse(GradescopeFailure("/a/b: it cannot be read"));
  EXPECT_FALSE(json.contains("score"));
  EXPECT_FALSE(json.contains("tests"));
  EXPECT_EQ(json.at("visibility"), "visible");
  EXPECT_EQ(json.at("stdout_visibility"), "hidden");
  EXPECT_THAT(json.at("output"), HasSubstr("not your program. Please tell your instructors: /a/b: it cannot be read"));
}

TEST(CouldNotGradeTest, GithubClassroomGetsAnErrorThatReportsNoPoints) {
  const nlohmann::ordered_json test = {{"name", "lab2"},
                                       {"status", "error"},
                                       {"message",
                                        "Your submission could not be graded, and has no points yet. The grader "
                                        "failed, not your program. Please tell your instructors: why"},
                                       {"line_no", 0},
                                       {"execution_time", "0ms"},
                                       {"score", 0}};
  const nlohmann::ordered_json json = {{"version", 1}, {"status", "error"}, {"max_score", 0}, {"tests", {test}}};
  EXPECT_EQ(ClassroomFailure("lab2", "why"), Base64(json.dump()) + "\n");
}

TEST(CouldNotGradeTest, OddTextsAreText) {
  for (const std::string& name : OddNames()) {
    EXPECT_TRUE(nlohmann::json::accept(GradescopeFailure(name))) << name;
    EXPECT_NE(ClassroomFailure(name, name), "") << name;
  }
}

}  // namespace
}  // namespace warpgrade::report
