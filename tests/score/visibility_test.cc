// Who may see what, when; and what is taken out of a report for students.
#include "grader/score/visibility.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/score/score.h"

namespace warpgrade::score {
namespace {

using config::Points;
using config::Visibility;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr int64_t kDueDate = 1000, kPublished = 2000;
constexpr VisibilityDates kDates = {kDueDate, kPublished};

RungScore RungOf(const std::string& name, int points) {
  RungScore rung;
  rung.rung = name;
  rung.points = rung.correctness_points = Points::FromHundredths(100 * points);
  rung.max_points = rung.measurable_points = rung.correctness_max = Points::FromHundredths(1000);
  rung.measurement.cases = rung.measurement.cases_run = rung.measurement.cases_passed = 4;
  return rung;
}

// One student, s1, with lab1: each rung has this visibility, and 1, 2, 4, ... points of 10.
GradingReport ReportOf(const std::vector<std::pair<std::string, Visibility>>& rungs) {
  GradingReport report;
  LabScore lab;
  lab.lab = "lab1";
  int points = 1;
  for (const auto& [name, visibility] : rungs) {
    AddRung(RungOf(name, points), &lab);
    report.visibility["lab1"].rungs[name].rung = visibility;
    points *= 2;
  }
  report.visibility["lab1"].dates = kDates;
  report.submissions = {ScoreSubmission("s1", {lab})};
  return report;
}

std::vector<std::string> NamesIn(const GradingReport& report) {
  std::vector<std::string> names;
  for (const RungScore& rung : report.submissions.at(0).labs.at(0).rungs) names.push_back(rung.rung);
  return names;
}

LabScore LabAt(const GradingReport& report, int64_t now) {
  return ReportFor(Reader::kStudents, now, report).submissions.at(0).labs.at(0);
}

TEST(VisibilityTest, StaffSeeEverythingAndStudentsFromTheirDateOn) {
  const auto students = [](Visibility visibility, int64_t now) {
    return MaySee(visibility, kDates, Reader::kStudents, now);
  };
  for (const Visibility visibility :
       {Visibility::kVisible, Visibility::kAfterDue, Visibility::kAfterPublication, Visibility::kHidden}) {
    EXPECT_TRUE(MaySee(visibility, {}, Reader::kStaff, 0));
    EXPECT_EQ(students(visibility, 0), visibility == Visibility::kVisible);
  }
  EXPECT_FALSE(students(Visibility::kAfterDue, kDueDate)) << "this second still counts as in time";
  EXPECT_TRUE(students(Visibility::kAfterDue, kDueDate + 1));
  EXPECT_FALSE(students(Visibility::kAfterPublication, kPublished - 1));
  EXPECT_TRUE(students(Visibility::kAfterPublication, kPublished));
  EXPECT_FALSE(students(Visibility::kHidden, kPublished + 1'000'000));
}

TEST(VisibilityTest, CasesAreHiddenIfStudentsDoNotSeeOneAtOnce) {
  config::CaseVisibility cases;
  EXPECT_FALSE(HidesCases(cases));
  cases.named["33 x 33"].visibility = Visibility::kVisible;
  EXPECT_FALSE(HidesCases(cases));
  cases.named["33 x 33"].visibility = Visibility::kAfterDue;
  EXPECT_TRUE(HidesCases(cases));
  EXPECT_TRUE(HidesCases({.hidden_cases = Visibility::kHidden}));
  EXPECT_TRUE(HidesCases({.public_cases = Visibility::kAfterPublication}));
}

TEST(VisibilityTest, WithoutADateNothingIsShownThatWaitsForIt) {
  constexpr int64_t kLate = 4'000'000'000;
  EXPECT_FALSE(MaySee(Visibility::kAfterDue, {}, Reader::kStudents, kLate));
  EXPECT_FALSE(MaySee(Visibility::kAfterPublication, {}, Reader::kStudents, kLate));
}

TEST(VisibilityTest, ARungThatIsNotShownIsTakenOutWithItsPointsAndTheStudentReadsWhen) {
  const GradingReport report =
      ReportOf({{"v1", Visibility::kVisible}, {"v2", Visibility::kAfterDue}, {"v3", Visibility::kAfterPublication}});
  const GradingReport early = ReportFor(Reader::kStudents, kDueDate, report);
  EXPECT_THAT(NamesIn(early), ElementsAre("v1"));
  EXPECT_TRUE(early.submissions[0].labs[0].is_partial);
  EXPECT_EQ(early.submissions[0].labs[0].whole_max, Points::FromHundredths(3000));
  EXPECT_EQ(early.submissions[0].points, Points::FromHundredths(100));
  EXPECT_EQ(early.submissions[0].max_points, Points::FromHundredths(1000));
  EXPECT_THAT(early.submissions[0].messages,
              ElementsAre("lab1: v2 is shown after the due date, 1970-01-01T00:16:40Z",
                          "lab1: v3 is shown when the marks are published, 1970-01-01T00:33:20Z",
                          "lab1: the points are only those of the rungs that are shown"));
  EXPECT_THAT(NamesIn(ReportFor(Reader::kStudents, kDueDate + 1, report)), ElementsAre("v1", "v2"));
  const GradingReport published = ReportFor(Reader::kStudents, kPublished, report);
  EXPECT_THAT(NamesIn(published), ElementsAre("v1", "v2", "v3"));
  EXPECT_FALSE(published.submissions[0].labs[0].is_partial);
  EXPECT_THAT(published.submissions[0].messages, IsEmpty());
}

TEST(VisibilityTest, AHiddenRungIsNeverNamedAndItsPointsAreInTheSumOncePublished) {
  const GradingReport report = ReportOf({{"v1", Visibility::kVisible}, {"v2", Visibility::kHidden}});
  const GradingReport early = ReportFor(Reader::kStudents, kPublished - 1, report);
  EXPECT_THAT(NamesIn(early), ElementsAre("v1"));
  EXPECT_EQ(early.submissions[0].points, Points::FromHundredths(100));
  for (const std::string& message : early.submissions[0].messages) EXPECT_THAT(message, Not(HasSubstr("v2")));
  const LabScore published = LabAt(report, kPublished);
  ASSERT_EQ(published.rungs.size(), 2u);
  EXPECT_EQ(published.rungs[1].rung, config::kNotShownName);
  EXPECT_EQ(published.rungs[1].points, Points::FromHundredths(200));
  EXPECT_EQ(published.points, Points::FromHundredths(300));
  EXPECT_EQ(published.max_points, Points::FromHundredths(2000));
  EXPECT_FALSE(published.is_partial);
}

// The deduction is a share of all points, so it would tell them.
TEST(VisibilityTest, WhatStandsBesideTheRungsWaitsForTheLastOfThem) {
  GradingReport report = ReportOf({{"v1", Visibility::kVisible}, {"v2", Visibility::kAfterDue}});
  RungScore late = RungOf(config::kLateName, 0);
  late.points = Points::FromHundredths(-30);
  late.max_points = late.measurable_points = Points();
  AddRung(late, &report.submissions[0].labs[0]);
  const LabScore early = LabAt(report, kDueDate);
  ASSERT_EQ(early.rungs.size(), 1u);
  EXPECT_EQ(early.points, Points::FromHundredths(100));
  EXPECT_EQ(LabAt(report, kDueDate + 1).rungs.size(), 3u);
  EXPECT_EQ(LabAt(report, kDueDate + 1).points, Points::FromHundredths(270));
}

TEST(VisibilityTest, AStudentWithAnExtensionSeesItWhenTheExtensionIsOver) {
  GradingReport report = ReportOf({{"v1", Visibility::kAfterDue}});
  report.students["s1"].due["lab1"] = kDueDate + 500;
  EXPECT_THAT(NamesIn(ReportFor(Reader::kStudents, kDueDate + 500, report)), IsEmpty());
  EXPECT_THAT(NamesIn(ReportFor(Reader::kStudents, kDueDate + 501, report)), ElementsAre("v1"));
}

TEST(VisibilityTest, AResultOfARungThatTheCourseDoesNotHaveAnyMoreFollowsItsLab) {
  GradingReport report = ReportOf({{"v1", Visibility::kVisible}});
  report.visibility["lab1"].rungs.clear();
  report.visibility["lab1"].otherwise = Visibility::kHidden;
  EXPECT_THAT(NamesIn(ReportFor(Reader::kStudents, kDueDate, report)), IsEmpty());
}

TEST(VisibilityTest, StaffReadInEachRungWhatStudentsDoNotSeeNow) {
  const GradingReport report = ReportOf({{"v1", Visibility::kVisible}, {"v2", Visibility::kAfterDue}});
  const LabScore lab = ReportFor(Reader::kStaff, kDueDate, report).submissions[0].labs[0];
  ASSERT_EQ(lab.rungs.size(), 2u);
  EXPECT_EQ(lab.rungs[0].visibility_note, "");
  EXPECT_TRUE(lab.rungs[1].hidden_now);
  EXPECT_EQ(lab.rungs[1].visibility_note,
            "students see this rung after the due date, 1970-01-01T00:16:40Z (after_due)");
  EXPECT_EQ(ReportFor(Reader::kStaff, kDueDate + 1, report).submissions[0].labs[0].rungs[1].visibility_note, "");
}

TEST(VisibilityTest, AContestIsShownWhenAllItsRungsAre) {
  GradingReport report = ReportOf({{"v1", Visibility::kVisible}});
  report.leaderboards.emplace_back().lab = "lab1";
  report.visibility["lab1"].leaderboard = Visibility::kAfterDue;
  EXPECT_THAT(ReportFor(Reader::kStudents, kDueDate, report).leaderboards, IsEmpty());
  EXPECT_THAT(ReportFor(Reader::kPlatform, kDueDate, report).leaderboards, IsEmpty());
  EXPECT_EQ(ReportFor(Reader::kStaff, kDueDate, report).leaderboards.size(), 1u);
  EXPECT_EQ(ReportFor(Reader::kStudents, kDueDate + 1, report).leaderboards.size(), 1u);
}

TEST(VisibilityTest, TheReasonWhyARungIsNotFinishedIsForThoseWhoMaySeeTheRung) {
  GradingReport report = ReportOf({{"v1", Visibility::kAfterDue}});
  report.submissions[0].unfinished = {{"lab1", "v1", "the machine failed in case n = 77"}};
  EXPECT_EQ(ReportFor(Reader::kStudents, kDueDate, report).submissions[0].unfinished[0].reason, "grading did not end");
  EXPECT_THAT(ReportFor(Reader::kStaff, kDueDate, report).submissions[0].unfinished[0].reason, HasSubstr("n = 77"));
}

// A rung that fails in the public case "n = 1" and in a hidden one, with a fault in each.
GradingReport WithCases(const config::CaseVisibility& cases) {
  GradingReport report = ReportOf({{"v1", Visibility::kVisible}});
  report.visibility["lab1"].rungs["v1"].cases = cases;
  RungMeasurement& measurement = report.submissions[0].labs[0].rungs[0].measurement;
  measurement.status = RungStatus::kFailed;
  measurement.cases_passed = 2;
  measurement.hint = "look at the tail";
  measurement.messages = {"n = 77: the result depends on the order"};
  measurement.failures.resize(2);
  measurement.failures[0].case_name = "n = 1";
  measurement.failures[0].case_number = 1;
  measurement.failures[0].alike = 3;
  measurement.failures[1].case_name = "n = 77";
  measurement.findings.resize(2);
  measurement.findings[0].case_name = "n = 1";
  measurement.findings[0].case_number = 1;
  measurement.findings[1].case_name = "n = 77";
  return report;
}

RungScore ShownOf(const config::CaseVisibility& cases, Reader reader = Reader::kStudents) {
  return ReportFor(reader, kDueDate, WithCases(cases)).submissions[0].labs[0].rungs[0];
}

TEST(CaseVisibilityTest, WhatAHiddenCaseShowsIsTakenOutAndTheRungKeepsItsStatusAndPoints) {
  const RungScore rung = ShownOf({.hidden_cases = Visibility::kHidden});
  ASSERT_EQ(rung.measurement.failures.size(), 1u);
  EXPECT_EQ(rung.measurement.failures[0].case_name, "n = 1");
  EXPECT_EQ(rung.measurement.failures[0].alike, 0) << "hidden cases may be among them";
  ASSERT_EQ(rung.measurement.findings.size(), 1u);
  EXPECT_EQ(rung.measurement.findings[0].case_name, "n = 1");
  EXPECT_THAT(rung.measurement.messages, IsEmpty()) << "a message may be about a hidden case";
  EXPECT_EQ(rung.measurement.hint, "look at the tail");
  EXPECT_EQ(rung.visibility_note, "1 fault and 1 failed case are not shown");
  EXPECT_EQ(rung.measurement.status, RungStatus::kFailed);
  EXPECT_EQ(rung.measurement.cases_passed, 2);
  EXPECT_EQ(rung.points, Points::FromHundredths(100));
}

TEST(CaseVisibilityTest, WithoutAnyCaseToShowTheHintIsTakenOutToo) {
  const RungScore rung = ShownOf({Visibility::kAfterPublication, Visibility::kAfterPublication, {}});
  EXPECT_THAT(rung.measurement.failures, IsEmpty());
  EXPECT_EQ(rung.measurement.hint, "");
  EXPECT_EQ(rung.visibility_note,
            "2 faults and 2 failed cases are shown when the marks are published, 1970-01-01T00:33:20Z");
}

TEST(CaseVisibilityTest, ANamedCaseGoesBeforeThePublicOnes) {
  config::CaseVisibility cases;
  cases.public_cases = Visibility::kHidden;
  cases.named["n = 1"].visibility = Visibility::kVisible;
  EXPECT_EQ(ShownOf(cases).measurement.failures.size(), 2u);
  cases.public_cases = Visibility::kVisible;
  cases.named["n = 1"].visibility = Visibility::kHidden;
  const RungScore rung = ShownOf(cases);
  ASSERT_EQ(rung.measurement.failures.size(), 1u);
  EXPECT_EQ(rung.measurement.failures[0].case_name, "n = 77");
}

TEST(CaseVisibilityTest, AProgramThatEndsInAPublicCaseKeepsItsMessages) {
  GradingReport report = WithCases({.hidden_cases = Visibility::kHidden});
  RungMeasurement& measurement = report.submissions[0].labs[0].rungs[0].measurement;
  measurement.status = RungStatus::kCrashed;
  measurement.failures.resize(1);
  measurement.findings.clear();
  const auto messages = [&] { return LabAt(report, kDueDate).rungs[0].measurement.messages; };
  EXPECT_EQ(messages().size(), 1u);
  measurement.failures[0].case_number = 0;
  EXPECT_THAT(messages(), IsEmpty());
}

TEST(CaseVisibilityTest, CompilerErrorsAndHintsOfLimitsAreAboutNoCase) {
  GradingReport report = WithCases({.hidden_cases = Visibility::kHidden});
  RungMeasurement& measurement = report.submissions[0].labs[0].rungs[0].measurement;
  measurement.failures.clear();
  measurement.findings.clear();
  measurement.status = RungStatus::kPassed;
  EXPECT_EQ(LabAt(report, kDueDate).rungs[0].measurement.messages.size(), 1u);
  measurement.status = RungStatus::kCompileError;
  measurement.cases_run = 0;
  EXPECT_EQ(LabAt(report, kDueDate).rungs[0].measurement.messages.size(), 1u);
}

// On a GPU, a program that the emulator cannot run is right, but its messages name the case in which the emulator
// stopped.
TEST(CaseVisibilityTest, MessagesOfARightRungWithoutCountsMayBeAboutACase) {
  GradingReport report = WithCases({.hidden_cases = Visibility::kHidden});
  RungScore& rung = report.submissions[0].labs[0].rungs[0];
  rung.measurement.failures.clear();
  rung.measurement.findings.clear();
  rung.measurement.status = RungStatus::kPassed;
  rung.technique.emplace_back();
  EXPECT_THAT(LabAt(report, kDueDate).rungs[0].measurement.messages, IsEmpty());
}

TEST(CaseVisibilityTest, APlatformGetsWhatStudentsSeeOfCasesAndStaffGetAll) {
  EXPECT_EQ(ShownOf({.hidden_cases = Visibility::kHidden}, Reader::kPlatform).measurement.failures.size(), 1u);
  const RungScore rung = ShownOf({.hidden_cases = Visibility::kAfterDue}, Reader::kStaff);
  EXPECT_EQ(rung.measurement.failures.size(), 2u);
  EXPECT_EQ(rung.visibility_note,
            "students see 1 fault and 1 failed case of this rung after the due date, 1970-01-01T00:16:40Z (after_due)");
}

TEST(VisibilityOfTest, HasTheLabsThatDoNotShowEverything) {
  config::Course course;
  course.labs.resize(2);
  course.labs[0].name = "lab1";
  course.labs[0].rungs.resize(1);
  course.labs[0].rungs[0].name = "v1";
  course.labs[1] = course.labs[0];
  course.labs[1].name = "lab2";
  course.labs[1].due = kDueDate;
  course.labs[1].leaderboard = config::LeaderboardRule{20, {"v1"}};
  EXPECT_THAT(VisibilityOf(course), IsEmpty());
  course.labs[1].rungs[0].visibility = Visibility::kAfterDue;
  const auto rules = VisibilityOf(course);
  ASSERT_EQ(rules.size(), 1u);
  EXPECT_EQ(rules.at("lab2").rungs.at("v1").rung, Visibility::kAfterDue);
  EXPECT_EQ(rules.at("lab2").leaderboard, Visibility::kAfterDue);
  EXPECT_EQ(rules.at("lab2").dates.due, kDueDate);
  course.labs[1].rungs[0].visibility = Visibility::kVisible;
  course.labs[1].rungs[0].case_visibility.hidden_cases = Visibility::kHidden;
  EXPECT_EQ(VisibilityOf(course).size(), 1u);
}

}  // namespace
}  // namespace warpgrade::score
