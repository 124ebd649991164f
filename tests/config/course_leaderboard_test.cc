// `leaderboard` of a lab: what loads, and every mistake by its exact message.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/config/course_text.h"

namespace warpgrade::config {
namespace {

using testing::ElementsAre;

// A lab with two rungs and this leaderboard, which begins at line 5, column 18.
std::string With(const std::string& leaderboard) {
  return "course: {name: C}\n"
         "labs:\n"
         "  lab1:\n"
         "    title: L\n"
         "    leaderboard: " +
         leaderboard +
         "\n"
         "    rungs:\n"
         "      v1_slow: {title: T, points: {correctness: 1}}\n"
         "      v2_fast: {title: T, points: {correctness: 1}}\n";
}

TEST(CourseLeaderboardTest, AllRungsTakePartUnlessSomeAreNamed) {
  const Result<Course> all = LoadText(With("{wrong_answer: 20s}"));
  ASSERT_TRUE(all) << all.error().message;
  ASSERT_TRUE(all->labs[0].leaderboard);
  EXPECT_EQ(all->labs[0].leaderboard->wrong_answer_s, 20);
  EXPECT_THAT(all->labs[0].leaderboard->rungs, ElementsAre("v1_slow", "v2_fast"));
  const Result<Course> one = LoadText(With("{wrong_answer: 1min, rungs: [v2_fast]}"));
  ASSERT_TRUE(one) << one.error().message;
  EXPECT_EQ(one->labs[0].leaderboard->wrong_answer_s, 60);
  EXPECT_THAT(one->labs[0].leaderboard->rungs, ElementsAre("v2_fast"));
}

TEST(CourseLeaderboardTest, ALabWithoutOneHasNone) {
  const Result<Course> course = LoadText(CourseWithRung("points: {correctness: 1}"));
  ASSERT_TRUE(course);
  EXPECT_FALSE(course->labs[0].leaderboard);
}

TEST(CourseLeaderboardTest, RefusesATimeThatIsMissingOrNone) {
  EXPECT_EQ(Mistakes(With("{}")),
            "course.yaml:5:18: lab1.leaderboard has no 'wrong_answer'; add 'wrong_answer: 20s', the time that each "
            "wrong answer adds");
  EXPECT_THAT(Mistakes(With("{wrong_answer: 20}")), testing::StartsWith("course.yaml:5:33: lab1.leaderboard"));
  EXPECT_THAT(Mistakes(With("{wrong_answer: 0s}")), testing::StartsWith("course.yaml:5:33: lab1.leaderboard"));
  EXPECT_THAT(Mistakes(With("{wrong_answer: -20s}")), testing::StartsWith("course.yaml:5:33: lab1.leaderboard"));
  EXPECT_THAT(Mistakes(With("20s")), testing::StartsWith("course.yaml:5:18: lab1.leaderboard is a single value"));
  EXPECT_EQ(
      Mistakes(With("{wrong_answers: 20s}")),
      "course.yaml:5:18: lab1.leaderboard has no 'wrong_answer'; add 'wrong_answer: 20s', the time that each wrong "
      "answer adds\ncourse.yaml:5:19: unknown key 'wrong_answers' in lab1.leaderboard; did you mean 'wrong_answer'?");
}

TEST(CourseLeaderboardTest, RefusesRungsThatTheLabHasNotOrTwice) {
  EXPECT_EQ(Mistakes(With("{wrong_answer: 20s, rungs: [v2_fats]}")),
            "course.yaml:5:46: lab1 has no rung 'v2_fats'; did you mean 'v2_fast'?");
  EXPECT_EQ(Mistakes(With("{wrong_answer: 20s, rungs: [all]}")),
            "course.yaml:5:46: lab1 has no rung 'all'; its rungs are v1_slow and v2_fast");
  EXPECT_EQ(Mistakes(With("{wrong_answer: 20s, rungs: [v1_slow, v1_slow]}")),
            "course.yaml:5:55: lab1.leaderboard.rungs names v1_slow twice; remove one of them");
  for (const char* none : {"[]", "v1_slow"}) {
    EXPECT_EQ(Mistakes(With(std::string("{wrong_answer: 20s, rungs: ") + none + "}")),
              "course.yaml:5:45: lab1.leaderboard.rungs is not a list of rungs; write [NAME, ...], or leave it out to "
              "name all rungs");
  }
}

}  // namespace
}  // namespace warpgrade::config
