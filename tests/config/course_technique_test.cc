// Technique limits in course.yaml: every mistake by its exact message. The rung's text starts at line 9, column 9.
#include <gtest/gtest.h>

#include "tests/config/course_text.h"

namespace warpgrade::config {
namespace {

Rung OnlyRung(const std::string& text) {
  const Result<Course> course = LoadText(CourseWithRung(text));
  EXPECT_TRUE(course) << course.error().message;
  return course->labs.at(0).rungs.at(0);
}

TEST(CourseTechniqueTest, GivesASingleLimitAllPoints) {
  const Rung rung = OnlyRung(
      "points: {correctness: 8, technique: 2}\n"
      "technique: [{metric: shared_bank_conflicts, max: 0}]\n");
  ASSERT_EQ(rung.technique_limits.size(), 1u);
  EXPECT_EQ(rung.technique_limits[0].bounds.metric, "shared_bank_conflicts");
  EXPECT_EQ(rung.technique_limits[0].bounds.max, 0);
  EXPECT_EQ(rung.technique_limits[0].bounds.min, std::nullopt);
  EXPECT_EQ(rung.technique_limits[0].points.hundredths(), 200);
}

TEST(CourseTechniqueTest, SplitsPointsEvenlyWhenThatIsExact) {
  const Rung rung = OnlyRung(
      "points: {correctness: 8, technique: 2.5}\n"
      "technique:\n"
      "  - {metric: shared_bank_conflicts, max: 0}\n"
      "  - {metric: global_load_efficiency, min: 0.9}\n");
  ASSERT_EQ(rung.technique_limits.size(), 2u);
  EXPECT_EQ(rung.technique_limits[0].points.hundredths(), 125);
  EXPECT_EQ(rung.technique_limits[1].points.hundredths(), 125);
}

TEST(CourseTechniqueTest, RefusesASplitThatIsNotExact) {
  EXPECT_EQ(RungMistakes("points: {correctness: 8, technique: 0.01}\n"
                         "technique:\n"
                         "  - {metric: shared_bank_conflicts, max: 0}\n"
                         "  - {metric: global_load_efficiency, min: 0.9}\n"),
            "course.yaml:11:11: 0.01 points cannot be divided evenly among the 2 limits of lab1.v1.technique; give "
            "each limit its 'points'");
}

TEST(CourseTechniqueTest, RefusesPointsThatDoNotAddUp) {
  EXPECT_EQ(RungMistakes("points: {correctness: 8, technique: 3}\n"
                         "technique:\n"
                         "  - {metric: shared_bank_conflicts, max: 0, points: 1}\n"
                         "  - {metric: global_load_efficiency, min: 0.9, points: 1.5}\n"),
            "course.yaml:11:11: the points of the limits in lab1.v1.technique add up to 2.5, but the rung has 3 points "
            "for technique; change one of them, so that both are the same");
  EXPECT_EQ(RungMistakes("points: {correctness: 8, technique: 3}\n"
                         "technique:\n"
                         "  - {metric: shared_bank_conflicts, max: 0, points: 3}\n"
                         "  - {metric: global_load_efficiency, min: 0.9}\n"),
            "course.yaml:11:11: some limits of lab1.v1.technique have points and some do not; give points to every "
            "limit, or to none");
}

TEST(CourseTechniqueTest, RefusesAnUnknownMetric) {
  EXPECT_EQ(RungMistakes("points: {correctness: 8, technique: 2}\n"
                         "technique: [{metric: shared_bank_conflict, max: 0}]\n"),
            "course.yaml:10:30: unknown metric 'shared_bank_conflict'; did you mean 'shared_bank_conflicts'?");
  EXPECT_EQ(RungMistakes("points: {correctness: 8, technique: 2}\n"
                         "technique: [{metric: beauty, min: 1}]\n"),
            "course.yaml:10:30: unknown metric 'beauty'; `warpgrade course --metrics` lists the metrics");
}

TEST(CourseTechniqueTest, RefusesALimitThatLimitsNothing) {
  EXPECT_EQ(RungMistakes("points: {correctness: 8, technique: 2}\n"
                         "technique: [{metric: shared_bank_conflicts}]\n"),
            "course.yaml:10:21: lab1.v1.technique[0] has neither 'min' nor 'max'; add one of them");
  EXPECT_EQ(RungMistakes("points: {correctness: 8, technique: 2}\n"
                         "technique: [{metric: shared_bank_conflicts, min: 2, max: 1}]\n"),
            "course.yaml:10:58: lab1.v1.technique[0]: min 2 is above max 1, so no value can meet the limit; swap them");
  EXPECT_EQ(RungMistakes("points: {correctness: 8, technique: 2}\n"
                         "technique: [{metric: shared_bank_conflicts, max: .nan}]\n"),
            "course.yaml:10:58: lab1.v1.technique[0].max: '.nan' is not a finite number; write a decimal number such "
            "as 0.9");
}

TEST(CourseTechniqueTest, RefusesALimitWithoutMetric) {
  EXPECT_EQ(RungMistakes("points: {correctness: 8, technique: 2}\n"
                         "technique: [{max: 0}]\n"),
            "course.yaml:10:21: lab1.v1.technique[0] has no 'metric'; add 'metric: NAME'; "
            "`warpgrade course --metrics` lists the metrics");
}

TEST(CourseTechniqueTest, RefusesTwoLimitsOnOneMetric) {
  EXPECT_EQ(RungMistakes("points: {correctness: 8, technique: 2}\n"
                         "technique:\n"
                         "  - {metric: shared_bank_conflicts, max: 1}\n"
                         "  - {metric: shared_bank_conflicts, min: 0}\n"),
            "course.yaml:12:13: lab1.v1.technique limits shared_bank_conflicts twice, first on line 11; write min and "
            "max in one limit");
}

TEST(CourseTechniqueTest, ALimitMayBeProvidedWithOneThingOrSeveral) {
  const Rung rung = OnlyRung(
      "points: {correctness: 8, technique: 2}\n"
      "technique:\n"
      "  - {metric: shared_bank_conflicts, max: 5, provided: {metric: global_load_efficiency, min: 0.5}}\n"
      "  - metric: global_load_efficiency\n"
      "    min: 0.9\n"
      "    provided: [{metric: shared_bank_conflicts, min: 1, max: 9}, {metric: global_load_efficiency, max: 1}]\n");
  ASSERT_EQ(rung.technique_limits.size(), 2u);
  ASSERT_EQ(rung.technique_limits[0].provided.size(), 1u);
  EXPECT_EQ(rung.technique_limits[0].provided[0].metric, "global_load_efficiency");
  EXPECT_EQ(rung.technique_limits[0].provided[0].min, 0.5);
  ASSERT_EQ(rung.technique_limits[1].provided.size(), 2u);
  EXPECT_EQ(rung.technique_limits[1].provided[0].max, 9);
  EXPECT_EQ(rung.technique_limits[1].provided[1].metric, "global_load_efficiency");
}

TEST(CourseTechniqueTest, RefusesToProvideALimitWithWhatIsNone) {
  const auto mistakes = [](const std::string& provided) {
    return RungMistakes(
        "points: {correctness: 8, technique: 2}\n"
        "technique: [{metric: shared_bank_conflicts, max: 5, provided: " +
        provided + "}]\n");
  };
  EXPECT_EQ(mistakes("{metric: global_load_efficienc, min: 1}"),
            "course.yaml:10:80: unknown metric 'global_load_efficienc'; did you mean 'global_load_efficiency'?");
  EXPECT_EQ(mistakes("{metric: global_load_efficiency}"),
            "course.yaml:10:71: lab1.v1.technique[0].provided has neither 'min' nor 'max'; add one of them");
  EXPECT_EQ(
      mistakes("[{metric: global_load_efficiency, min: 1}, {metric: global_load_efficiency, min: 1, points: 2}]"),
      "course.yaml:10:155: unknown key 'points' in lab1.v1.technique[0].provided[1]; the keys are metric, min and max");
  EXPECT_EQ(mistakes("[]"),
            "course.yaml:10:71: lab1.v1.technique[0].provided is empty; write a condition such as {metric: NAME, max: "
            "0}, or leave it out");
  EXPECT_EQ(mistakes("global_load_efficiency"),
            "course.yaml:10:71: lab1.v1.technique[0].provided is a single value; write a mapping with metric, min and "
            "max");
}

TEST(CourseTechniqueTest, RefusesLimitsWithoutPointsAndPointsWithoutLimits) {
  EXPECT_EQ(RungMistakes("points: {correctness: 8}\n"
                         "technique: [{metric: shared_bank_conflicts, max: 0}]\n"),
            "course.yaml:10:20: lab1.v1.technique has limits, but the rung has no technique points; add points, or "
            "remove the limits");
  EXPECT_EQ(
      RungMistakes("points: {correctness: 8, technique: 2}\n"),
      "course.yaml:9:17: lab1.v1 has 2 technique points but no limits; add 'technique: [...]', or set technique to 0");
}

TEST(CourseTechniqueTest, RefusesATechniqueThatIsNoList) {
  const char* kWanted =
      "course.yaml:10:20: lab1.v1.technique is not a list of limits; write '- {metric: NAME, max: 0}' for each, or "
      "leave it out";
  EXPECT_EQ(RungMistakes("points: {correctness: 8, technique: 2}\n"
                         "technique: {metric: shared_bank_conflicts, max: 0}\n"),
            kWanted);
  EXPECT_EQ(RungMistakes("points: {correctness: 8, technique: 2}\n"
                         "technique: []\n"),
            kWanted);
}

}  // namespace
}  // namespace warpgrade::config
