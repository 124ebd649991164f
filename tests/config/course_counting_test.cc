// `bonus` of a rung and `best_of` of a lab: what loads, what the lab is worth, and every mistake by its message.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/config/course_text.h"

namespace warpgrade::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

// A lab with `points`, these groups, which begin at line 6, column 14, and four rungs of 20 points. `extra` are more
// keys of the last one, v4, which begin at line 11, column 65.
std::string With(int points, const std::string& best_of, const std::string& extra = "") {
  return fmt::format(
      "course: {{name: C}}\n"
      "labs:\n"
      "  lab1:\n"
      "    title: L\n"
      "    points: {}\n"
      "    {}\n"
      "    rungs:\n"
      "      v1: {{title: T, points: {{correctness: 20}}}}\n"
      "      v2: {{title: T, points: {{correctness: 20}}}}\n"
      "      v3: {{title: T, points: {{correctness: 20}}}}\n"
      "      v4: {{title: T, points: {{correctness: 20}}{}}}\n",
      points, best_of.empty() ? "# no groups" : "best_of: " + best_of, extra.empty() ? "" : ", " + extra);
}

TEST(CourseCountingTest, ABonusIsNoPartOfThePointsOfTheLab) {
  const Result<Course> course = LoadText(With(60, "", "bonus: true"));
  ASSERT_TRUE(course) << course.error().message;
  EXPECT_THAT(course->labs[0].counting.bonus, ElementsAre("v4"));
  EXPECT_EQ(course->labs[0].Total().ToString(), "60");
}

TEST(CourseCountingTest, OnlyTheBestRungsOfAGroupArePartOfThePointsOfTheLab) {
  const Result<Course> course = LoadText(With(40, "[{best: 1, of: [v1, v2, v4]}]"));
  ASSERT_TRUE(course) << course.error().message;
  ASSERT_EQ(course->labs[0].counting.best_of.size(), 1u);
  EXPECT_EQ(course->labs[0].counting.best_of[0].best, 1u);
  EXPECT_THAT(course->labs[0].counting.best_of[0].of, ElementsAre("v1", "v2", "v4"));
  EXPECT_EQ(course->labs[0].Total().ToString(), "40");
}

TEST(CourseCountingTest, ALabMayHaveBothAndTwoGroups) {
  EXPECT_THAT(Mistakes(With(40, "[{best: 1, of: [v1, v2]}]", "bonus: true")), IsEmpty());
  EXPECT_THAT(Mistakes(With(40, "[{best: 1, of: [v1, v2]}, {best: 1, of: [v3, v4]}]")), IsEmpty());
}

TEST(CourseCountingTest, WithoutThemEveryRungCounts) {
  const Result<Course> course = LoadText(With(80, "", "bonus: false"));
  ASSERT_TRUE(course) << course.error().message;
  EXPECT_TRUE(course->labs[0].counting.CountsAll());
}

TEST(CourseCountingTest, AWrongSumSaysWhatItLeavesOut) {
  EXPECT_EQ(Mistakes(With(80, "", "bonus: true")),
            "course.yaml:5:13: the points of the rungs of lab1, without bonus, sum to 60, but 'points' of lab1 is 80; "
            "change one of them");
  EXPECT_EQ(Mistakes(With(80, "[{best: 2, of: [v1, v2, v3]}]")),
            "course.yaml:5:13: the points of the rungs of lab1, with as many rungs of each group as count, sum to 60, "
            "but 'points' of lab1 is 80; change one of them");
  EXPECT_EQ(Mistakes(With(81, "")),
            "course.yaml:5:13: the points of the rungs of lab1 sum to 80, but 'points' of lab1 is 81; change one of "
            "them");
}

TEST(CourseCountingTest, ABonusIsTrueOrFalse) {
  EXPECT_EQ(Mistakes(With(80, "", "bonus: 5")),
            "course.yaml:11:56: lab1.v4.bonus is neither true nor false; write 'bonus: true' if its points come on "
            "top of those of the lab, or leave it out");
  EXPECT_THAT(Mistakes(With(80, "", "bonus: \"true\"")), HasSubstr("neither true nor false"));
}

TEST(CourseCountingTest, ALabIsNotBonusAlone) {
  EXPECT_EQ(Mistakes("course: {name: C}\nlabs:\n  lab1:\n    title: L\n    rungs:\n"
                     "      v1: {title: T, points: {correctness: 1}, bonus: true}\n"),
            "course.yaml:6:55: all rungs of lab1 are a bonus, so the lab itself has no points; remove 'bonus: true' "
            "from at least one of them");
}

TEST(CourseCountingTest, AGroupHasItsFormAndItsNames) {
  EXPECT_THAT(Mistakes(With(80, "{best: 1, of: [v1, v2]}")),
              StartsWith("course.yaml:6:14: lab1.best_of is not a list of groups; write '- {best: 2, of: "));
  EXPECT_THAT(Mistakes(With(80, "[]")), StartsWith("course.yaml:6:14: lab1.best_of is not a list"));
  EXPECT_THAT(Mistakes(With(80, "[{of: [v1, v2]}]")), StartsWith("course.yaml:6:15: lab1.best_of[0] has no 'best'"));
  EXPECT_THAT(Mistakes(With(80, "[{best: 1}]")), StartsWith("course.yaml:6:15: lab1.best_of[0] has no 'of'"));
  EXPECT_THAT(Mistakes(With(80, "[{best: 0, of: [v1, v2]}]")),
              StartsWith("course.yaml:6:22: lab1.best_of[0].best is not a whole number from 1 on"));
  EXPECT_THAT(Mistakes(With(80, "[{best: 1.5, of: [v1, v2]}]")), HasSubstr("is not a whole number"));
  EXPECT_THAT(Mistakes(With(80, "[{best: 1, of: v1}]")),
              StartsWith("course.yaml:6:29: lab1.best_of[0].of is not a list of rungs"));
  EXPECT_THAT(Mistakes(With(80, "[{best: 1, of: [v1, v21]}]")),
              StartsWith("course.yaml:6:34: lab1 has no rung 'v21'; did you mean 'v1'?"));
  EXPECT_THAT(Mistakes(With(80, "[{best: 1, any: [v1, v2]}]")), HasSubstr("'any'"));
}

TEST(CourseCountingTest, ARungIsInOneGroupOnceAndNoBonus) {
  EXPECT_THAT(Mistakes(With(80, "[{best: 1, of: [v1, v2, v1]}]")),
              StartsWith("course.yaml:6:38: v1 is in lab1.best_of[0] already"));
  EXPECT_THAT(Mistakes(With(80, "[{best: 1, of: [v1, v2]}, {best: 1, of: [v2, v3]}]")),
              StartsWith("course.yaml:6:55: v2 is in lab1.best_of[0] already"));
  EXPECT_THAT(Mistakes(With(80, "[{best: 1, of: [v1, v4]}]", "bonus: true")),
              StartsWith("course.yaml:6:34: v4 is a bonus, so its points are always added; take it out of "
                         "lab1.best_of[0].of, or remove its 'bonus: true'"));
}

TEST(CourseCountingTest, AGroupOfWhichAllCountIsNone) {
  EXPECT_EQ(Mistakes(With(80, "[{best: 2, of: [v1, v2]}]")),
            "course.yaml:6:22: lab1.best_of[0].best is 2, but the group has 2 rungs, so all of them count; make it "
            "smaller, or remove the group");
}

TEST(CourseCountingTest, TheRungsOfAGroupHaveEqualPointsSoThatTheLabHasTheSameForEveryone) {
  std::string text = With(80, "[{best: 1, of: [v1, v2]}]");
  text.replace(text.find("correctness: 20"), 15, "correctness: 15");
  EXPECT_EQ(Mistakes(text),
            "course.yaml:6:29: the rungs of lab1.best_of[0] have different points (v1 has 15, v2 has 20), so it would "
            "depend on the student how many points the lab has; give them equal points");
}

TEST(CourseCountingTest, TheRungsOfAGroupAreShownTogether) {
  EXPECT_EQ(Mistakes(With(60, "[{best: 1, of: [v1, v4]}]", "visibility: hidden")),
            "course.yaml:6:29: the rungs of lab1.best_of[0] have different visibilities (v1 is visible, v4 is hidden), "
            "so the sum would tell what students may not see yet; give them the same visibility");
}

TEST(CourseCountingTest, AGroupWithAMistakeGivesNoSecondOneAboutTheSum) {
  EXPECT_THAT(Mistakes(With(60, "[{best: 2, of: [v1, v2, v7]}]")), Not(HasSubstr("sum to")));
}

TEST(CourseCountingTest, NoRungIsCalledNotCounted) {
  std::string text = With(80, "");
  text.replace(text.find("v1"), 2, "not_counted");
  EXPECT_THAT(Mistakes(text), StartsWith("course.yaml:8:7: 'not_counted' stands for points that the lab does not"));
}

}  // namespace
}  // namespace warpgrade::config
