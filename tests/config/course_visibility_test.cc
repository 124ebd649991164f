// `visibility`, `case_visibility` and `published`: what loads, and every mistake by its exact message.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/config/course_keys.h"
#include "tests/config/course_text.h"

namespace warpgrade::config {
namespace {

using testing::StartsWith;

// A course with a lab of two rungs. `course` stands in line 2, `lab` in line 6 and `rung`, of v2, in line 11.
std::string With(const std::string& course, const std::string& lab, const std::string& rung) {
  return "course: {name: C}\n" + course +
         "\n"
         "labs:\n"
         "  lab1:\n"
         "    title: L\n"
         "    " +
         lab +
         "\n"
         "    rungs:\n"
         "      v1: {title: T, points: {correctness: 1}}\n"
         "      v2:\n"
         "        title: T\n"
         "        " +
         rung +
         "\n"
         "        points: {correctness: 1}\n";
}

Lab Loaded(const std::string& course, const std::string& lab, const std::string& rung) {
  const Result<Course> loaded = LoadText(With(course, lab, rung));
  EXPECT_TRUE(loaded) << loaded.error().message;
  return loaded ? loaded->labs[0] : Lab();
}

TEST(CourseVisibilityTest, WithoutARuleStudentsSeeEverything) {
  const Lab lab = Loaded("", "", "");
  EXPECT_EQ(lab.published, std::nullopt);
  for (const Rung& rung : lab.rungs) {
    EXPECT_EQ(rung.visibility, Visibility::kVisible);
    EXPECT_EQ(rung.case_visibility.public_cases, Visibility::kVisible);
    EXPECT_EQ(rung.case_visibility.hidden_cases, Visibility::kVisible);
    EXPECT_TRUE(rung.case_visibility.named.empty());
  }
}

TEST(CourseVisibilityTest, ARungTakesTheRuleOfItsLabAndTheLabThatOfTheCourse) {
  const Lab of_course = Loaded("visibility: hidden", "", "");
  EXPECT_EQ(of_course.rungs[0].visibility, Visibility::kHidden);
  const Lab of_lab = Loaded("visibility: hidden", "visibility: after_publication", "visibility: visible");
  EXPECT_EQ(of_lab.visibility, Visibility::kAfterPublication);
  EXPECT_EQ(of_lab.rungs[0].visibility, Visibility::kAfterPublication);
  EXPECT_EQ(of_lab.rungs[1].visibility, Visibility::kVisible);
}

TEST(CourseVisibilityTest, EachKindOfCaseHasItsOwnRuleAndANamedCaseToo) {
  const Lab lab =
      Loaded("case_visibility: {hidden_cases: hidden}", "case_visibility: {public_cases: after_publication}",
             "case_visibility: {'n = 33, float, sum': hidden, hidden_cases: visible}");
  const CaseVisibility& first = lab.rungs[0].case_visibility;
  EXPECT_EQ(first.hidden_cases, Visibility::kHidden);
  EXPECT_EQ(first.public_cases, Visibility::kAfterPublication);
  const CaseVisibility& second = lab.rungs[1].case_visibility;
  EXPECT_EQ(second.hidden_cases, Visibility::kVisible);
  EXPECT_EQ(second.public_cases, Visibility::kAfterPublication);
  ASSERT_TRUE(second.named.contains("n = 33, float, sum"));
  const NamedCase& named = second.named.at("n = 33, float, sum");
  EXPECT_EQ(named.visibility, Visibility::kHidden);
  EXPECT_EQ(named.line, 11);
  EXPECT_EQ(named.column, 27);
}

TEST(CourseVisibilityTest, TheQuizTakesTheRuleOfItsLabOrHasItsOwn) {
  EXPECT_EQ(Loaded("", "visibility: hidden\n    quiz: {points: 1}", "").quiz_visibility, Visibility::kHidden);
  const Result<Course> course = LoadText(With("", "quiz: {points: 1, visibility: after_publication}", ""));
  ASSERT_TRUE(course) << course.error().message;
  EXPECT_EQ(course->labs[0].quiz_visibility, Visibility::kAfterPublication);
}

TEST(CourseVisibilityTest, PublicationIsTheBeginningOfItsDayOrATime) {
  EXPECT_EQ(Loaded("", "published: 2026-11-22", "").published, 1'795'305'600);
  EXPECT_EQ(Loaded("", "published: 2026-11-22T10:15Z", "").published, 1'795'342'500);
  EXPECT_EQ(Mistakes(With("", "published: soon", "")),
            "course.yaml:6:16: lab1.published: 'soon' is not a time; write the day on which students get their marks, "
            "such as 2026-12-01, or a time, such as 2026-12-01T09:00+01:00");
}

TEST(CourseVisibilityTest, AMisspeltWordHasItsPlaceAndTheAllowedWords) {
  EXPECT_EQ(Mistakes(With("", "", "visibility: after_du")),
            "course.yaml:11:21: lab1.v2.visibility is 'after_du'; did you mean 'after_due'? the words are visible, "
            "after_due, after_publication and hidden");
  EXPECT_EQ(Mistakes(With("visibility: never", "", "")),
            "course.yaml:2:13: visibility is 'never'; the words are visible, after_due, after_publication and hidden");
  EXPECT_EQ(
      Mistakes(With("", "case_visibility: {hidden_cases: after_published}", "")),
      "course.yaml:6:37: lab1.case_visibility.hidden_cases is 'after_published'; the words are visible, after_due, "
      "after_publication and hidden");
  EXPECT_EQ(Mistakes(With("", "case_visibility: {n = 0: hidde}", "")),
            "course.yaml:6:30: lab1.case_visibility.n = 0 is 'hidde'; did you mean 'hidden'? the words are visible, "
            "after_due, after_publication and hidden");
}

TEST(CourseVisibilityTest, CasesAreAMappingThatNamesEachOnce) {
  EXPECT_THAT(Mistakes(With("", "case_visibility: hidden", "")),
              StartsWith("course.yaml:6:22: lab1.case_visibility is not a list of cases with words; write {"));
  EXPECT_EQ(Mistakes(With("", "case_visibility: {public_cases: hidden, public_cases: visible}", "")),
            "course.yaml:6:45: lab1.case_visibility names 'public_cases' twice, first on line 6; remove one of them");
}

TEST(CourseVisibilityTest, WhatIsSeenAfterTheDueDateNeedsADueDate) {
  EXPECT_EQ(Mistakes(With("", "due: 2026-11-22", "visibility: after_due")), "");
  EXPECT_EQ(Mistakes(With("", "", "visibility: after_due")),
            "course.yaml:4:3: lab1 has no 'due', but the visibility of v2 is after_due, so students would never see "
            "it; add 'due: DATE' to lab1, or choose another visibility");
  EXPECT_THAT(Mistakes(With("case_visibility: {hidden_cases: after_due}", "", "")),
              StartsWith("course.yaml:4:3: lab1 has no 'due', but the visibility of cases of v2 is after_due"));
  EXPECT_THAT(Mistakes(With("", "quiz: {points: 1, visibility: after_due}", "")),
              StartsWith("course.yaml:4:3: lab1 has no 'due', but the visibility of quiz is after_due"));
}

TEST(CourseVisibilityTest, EachWordHasItsName) {
  for (size_t i = 0; i < kVisibilities.size(); ++i) EXPECT_EQ(Name(static_cast<Visibility>(i)), kVisibilities[i]);
}

TEST(CourseVisibilityTest, NoRungTakesTheNameOfThePointsThatAreNotShown) {
  const std::string text = With("", "", "");
  std::string taken = text;
  taken.replace(taken.find("v1"), 2, "not_shown");
  EXPECT_THAT(Mistakes(taken), StartsWith("course.yaml:8:7: 'not_shown' stands for"));
}

}  // namespace
}  // namespace warpgrade::config
