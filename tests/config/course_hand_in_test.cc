// `due` and `hand_in`: what loads, and every mistake by its exact message.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/config/course_text.h"

namespace warpgrade::config {
namespace {

using Attempt = HandInRule::Attempt;

// A course with two labs. `course` stands in line 2, and `lab`, of lab1, in line 6.
std::string With(const std::string& course, const std::string& lab) {
  return "course: {name: C}\n" + course +
         "\n"
         "labs:\n"
         "  lab1:\n"
         "    title: L\n"
         "    " +
         lab +
         "\n"
         "    rungs: {v1: {title: T, points: {correctness: 1}}}\n"
         "  lab2:\n"
         "    title: M\n"
         "    rungs: {v1: {title: T, points: {correctness: 1}}}\n";
}

TEST(CourseHandInTest, WithoutARuleTheLatestAttemptCountsAndNothingIsLate) {
  const Result<Course> course = LoadText(With("", ""));
  ASSERT_TRUE(course) << course.error().message;
  EXPECT_EQ(course->grace_days, 0);
  EXPECT_EQ(course->labs[0].due, std::nullopt);
  EXPECT_EQ(course->labs[0].hand_in.attempt, Attempt::kLatest);
  EXPECT_EQ(course->labs[0].hand_in.late_per_day, 0);
  EXPECT_EQ(course->labs[0].hand_in.most_days_late, std::nullopt);
}

TEST(CourseHandInTest, ALabTakesTheCoursesRuleAndMayChangeIt) {
  const Result<Course> course =
      LoadText(With("hand_in: {attempt: best, late_per_day: 10%, most_days_late: 3, grace_days: 2}",
                    "hand_in: {late_per_day: 2.5%}"));
  ASSERT_TRUE(course) << course.error().message;
  EXPECT_EQ(course->grace_days, 2);
  for (const Lab& lab : course->labs) {
    EXPECT_EQ(lab.hand_in.attempt, Attempt::kBest);
    EXPECT_EQ(lab.hand_in.most_days_late, 3);
  }
  EXPECT_DOUBLE_EQ(course->labs[0].hand_in.late_per_day, 0.025);
  EXPECT_DOUBLE_EQ(course->labs[1].hand_in.late_per_day, 0.1);
}

TEST(CourseHandInTest, ADueDateIsTheEndOfItsDayOrATime) {
  const auto due = [](const std::string& text) { return LoadText(With("", "due: " + text))->labs[0].due; };
  EXPECT_EQ(due("2026-11-22"), 1'795'391'999);
  EXPECT_EQ(due("2026-11-22T10:15Z"), 1'795'342'500);
  EXPECT_EQ(due("\"2026-11-22 11:15+01:00\""), 1'795'342'500);
}

TEST(CourseHandInTest, EveryMistakeHasItsPlace) {
  EXPECT_EQ(Mistakes(With("hand_in: {attempt: bets}", "")),
            "course.yaml:2:20: hand_in.attempt is 'bets'; did you mean 'best'?");
  EXPECT_EQ(Mistakes(With("hand_in: {attempt: first}", "")),
            "course.yaml:2:20: hand_in.attempt is 'first'; write latest or best");
  EXPECT_EQ(Mistakes(With("hand_in: {late_per_day: 0.1}", "")),
            "course.yaml:2:25: hand_in.late_per_day is not a share; write a percentage from 0% to 100%, such as 10%");
  EXPECT_EQ(Mistakes(With("hand_in: {late_per_day: 110%}", "")),
            "course.yaml:2:25: hand_in.late_per_day is not a share; write a percentage from 0% to 100%, such as 10%");
  EXPECT_EQ(Mistakes(With("hand_in: {grace_days: -1}", "")),
            "course.yaml:2:23: hand_in.grace_days is not a number of days; write a whole number from 0 to 366");
  EXPECT_EQ(
      Mistakes(With("", "hand_in: {most_days_late: 2 days}")),
      "course.yaml:6:31: lab1.hand_in.most_days_late is not a number of days; write a whole number from 0 to 366");
  EXPECT_THAT(Mistakes(With("", "hand_in: {grace_days: 1}")),
              testing::StartsWith("course.yaml:6:15: unknown key 'grace_days' in lab1.hand_in"));
  EXPECT_EQ(Mistakes(With("", "due: next week")),
            "course.yaml:6:10: lab1.due: 'next week' is not a time; write the last day, such as 2026-11-22, or a time, "
            "such as 2026-11-22T18:00+01:00 (without a zone it is UTC)");
}

TEST(CourseHandInTest, NoRungTakesTheNameOfWhatIsAddedToMarks) {
  const auto with_rung = [](const std::string& name) {
    return "course: {name: C}\nlabs:\n  lab1:\n    title: L\n    rungs:\n      " + name +
           ": {title: T, points: {correctness: 1}}\n";
  };
  for (const char* name : {"late", "override"}) {
    EXPECT_THAT(Mistakes(with_rung(name)),
                testing::StartsWith("course.yaml:6:7: '" + std::string(name) + "' stands for"))
        << name;
  }
}

}  // namespace
}  // namespace warpgrade::config
