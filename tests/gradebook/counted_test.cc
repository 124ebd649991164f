// Due dates, extensions, grace days, and the best attempt.
#include <fmt/format.h>

#include "grader/gradebook/marks.h"
#include "grader/times/times.h"
#include "tests/gradebook/book_of_test.h"

namespace warpgrade::gradebook {
namespace {

using config::Points;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class CountedTest : public BookTest {
 protected:
  void SetUp() override {
    book_ = std::make_unique<Gradebook>(Open());
    for (const int number : {1, 2, 3}) {
      config::Lab lab;
      lab.name = fmt::format("lab{}", number);
      lab.due = *EndOfTime(fmt::format("2026-11-{:02}", 10 * number - 1));  // the 9th, 19th and 29th
      course_.labs.push_back(lab);
    }
    for (config::Lab& lab : course_.labs) lab.hand_in.late_per_day = 0.1;
  }

  // Hands in on this day of November at noon, and grades it with so many points out of 24.
  void HandInOn(int day, int points, const std::string& lab = "lab1", bool grade = true,
                std::optional<bool> marked_late = std::nullopt) {
    HandIn hand_in = AHandIn("s1", fmt::format("text {} {}", day, points), 0, lab);
    hand_in.handed_in = fmt::format("2026-11-{:02}T12:00:00Z", day);
    hand_in.marked_late = marked_late;
    const Planned planned = PlanOf(book_.get(), {hand_in}).at(0);
    if (!grade) return;
    score::GradingReport result = AResult("s1", lab);
    score::LabScore& scored = result.submissions[0].labs[0];
    scored.rungs[0].points = scored.points = Points::FromHundredths(points * 100);
    ASSERT_TRUE(*book_->AddGrading(planned, SomeConditions(), result, "batch", ""));
  }

  void Extend(const std::string& extension) { ASSERT_TRUE(book_->PutRoster({{"s1", "", "", "", extension}}).ok()); }

  std::vector<CountedAttempt> Counting() {
    Result<std::vector<CountedAttempt>> counting = CountedAttempts(book_.get(), {.course = &course_});
    EXPECT_TRUE(counting.ok());
    return std::move(*counting);
  }
  // "attempt, days late - grace days" of each lab.
  std::vector<std::string> Choice() {
    std::vector<std::string> texts;
    for (const CountedAttempt& one : Counting()) {
      texts.push_back(fmt::format("{}, {} - {}", one.attempt.number, one.days_late, one.grace_days));
    }
    return texts;
  }
  score::SubmissionScore Marks(bool details = true) {
    return MarksOf(book_.get(), {.details = details, .course = &course_}).submissions.at(0);
  }
  std::string PointsNow() {
    EXPECT_EQ(Marks(false).points, Marks(true).points);
    return Marks().points.ToString();
  }

  config::Course course_;
  std::unique_ptr<Gradebook> book_;
};

TEST_F(CountedTest, ADownloadThatWasCutOffCountsOnlyIfThereIsNothingElse) {
  HandIn broken = AHandIn("s1", "", 0, "lab1");
  broken.files.clear();
  broken.notes = {"broken archive"};
  broken.handed_in = "2026-11-08T12:00:00Z";
  PlanOf(book_.get(), {broken});
  EXPECT_EQ(Counting().at(0).attempt.number, 1);
  HandInOn(7, 20);
  EXPECT_EQ(Counting().at(0).attempt.number, 2) << "although it was handed in before the broken one";
  EXPECT_EQ(PointsNow(), "20");
}

TEST_F(CountedTest, InTimeNothingIsLost) {
  HandInOn(9, 20);
  EXPECT_EQ(PointsNow(), "20");
  EXPECT_EQ(Marks().labs.at(0).rungs.size(), 2u);
}

TEST_F(CountedTest, ALateAttemptLosesItsShareAndSaysWhy) {
  HandInOn(11, 20);
  EXPECT_EQ(PointsNow(), "16");
  const score::RungScore late = Marks().labs.at(0).rungs.at(2);
  EXPECT_EQ(late.rung, "late");
  EXPECT_EQ(late.points, Points::FromHundredths(-400));
  EXPECT_THAT(late.measurement.messages,
              ElementsAre("handed in 2 days late: at 2026-11-11T12:00:00Z, due at 2026-11-09T23:59:59Z; 4 of 20 points "
                          "are lost"));
}

TEST_F(CountedTest, OverridesComeBeforeWhatCountsAndLatenessAfterIt) {
  course_.labs[0].counting.best_of = {{1, {"v1_naive", "v2_shared"}}};
  HandInOn(11, 20);
  EXPECT_EQ(PointsNow(), "16") << "20% of the 20 points of v1";
  const Points more = Points::FromHundredths(2400);
  ASSERT_TRUE(book_->AddOverride({"s1", "lab1", "v2_shared", more, "appeal", "Eve", "2026-12-01T00:00:00Z"}).ok());
  EXPECT_EQ(PointsNow(), "19.2") << "v2 counts now, and v1 does not";
  const score::LabScore lab = Marks().labs.at(0);
  ASSERT_EQ(lab.rungs.size(), 4u);
  EXPECT_EQ(lab.rungs[2].rung, "not_counted");
  EXPECT_EQ(lab.rungs[2].points, Points::FromHundredths(-2000));
  EXPECT_EQ(lab.rungs[3].rung, "late");
  EXPECT_EQ(lab.rungs[3].points, Points::FromHundredths(-480));
  EXPECT_EQ(lab.max_points, lab.rungs[0].max_points) << "one of the two";
}

TEST_F(CountedTest, LatenessTakesItsShareOfABonusToo) {
  course_.labs[0].counting.bonus = {"v1_naive"};
  HandInOn(11, 20);
  EXPECT_EQ(PointsNow(), "16");
  EXPECT_EQ(Marks().max_points, Marks().labs.at(0).rungs[1].max_points);
}

TEST_F(CountedTest, AnExtensionOfDaysOrToADateMovesTheDueDate) {
  HandInOn(11, 20);
  Extend("2");
  EXPECT_EQ(PointsNow(), "20");
  Extend("1");
  EXPECT_EQ(PointsNow(), "18");
  Extend("2026-11-10");
  EXPECT_EQ(PointsNow(), "18");
  Extend("2026-11-01");
  EXPECT_EQ(PointsNow(), "16") << "an extension never makes it earlier";
}

TEST_F(CountedTest, GraceDaysGoToTheLabsInTheOrderOfTheirDueDates) {
  course_.grace_days = 3;
  HandInOn(31 - 1, 20, "lab3");  // a day late
  HandInOn(21, 20, "lab2");      // two days late
  HandInOn(10, 20, "lab1");      // a day late
  EXPECT_THAT(Choice(), ElementsAre("1, 1 - 1", "1, 2 - 2", "1, 1 - 0"));
  EXPECT_EQ(PointsNow(), "58");
  // One lab alone says the same.
  const Result<score::GradingReport> lab3 = CurrentMarks(book_.get(), {.lab = "lab3", .course = &course_});
  EXPECT_EQ(lab3->submissions.at(0).points.ToString(), "18");
}

TEST_F(CountedTest, LabsAreInTheOrderOfTheirNamesWhicheverIsDueFirst) {
  std::swap(course_.labs[0].due, course_.labs[2].due);
  for (const char* lab : {"lab3", "lab1", "lab2"}) HandInOn(5, 20, lab);
  std::vector<std::string> labs;
  for (const CountedAttempt& one : Counting()) labs.push_back(one.attempt.lab);
  EXPECT_THAT(labs, ElementsAre("lab1", "lab2", "lab3"));
}

TEST_F(CountedTest, GraceDaysAreNotSpentWhereLatenessCostsNothing) {
  course_.grace_days = 1;
  course_.labs[0].hand_in.late_per_day = 0;
  HandInOn(10, 20, "lab1");
  HandInOn(20, 20, "lab2");
  EXPECT_THAT(Choice(), ElementsAre("1, 1 - 0", "1, 1 - 1"));
}

TEST_F(CountedTest, AfterTheLastDayThereAreNoPoints) {
  course_.labs[0].hand_in.most_days_late = 2;
  HandInOn(12, 20);
  EXPECT_EQ(PointsNow(), "0");
}

TEST_F(CountedTest, TheLatestAttemptCountsEvenIfItIsWorse) {
  HandInOn(8, 20);
  HandInOn(9, 5);
  EXPECT_THAT(Choice(), ElementsAre("2, 0 - 0"));
}

TEST_F(CountedTest, TheBestAttemptIsTheBestAfterTheDeduction) {
  course_.labs[0].hand_in.attempt = config::HandInRule::Attempt::kBest;
  HandInOn(8, 15);
  HandInOn(12, 20);  // three days late: 14
  EXPECT_THAT(Choice(), ElementsAre("1, 0 - 0"));
  course_.grace_days = 1;  // 16
  EXPECT_THAT(Choice(), ElementsAre("2, 3 - 1"));
}

TEST_F(CountedTest, OfEquallyGoodAttemptsTheOneThatIsInTimeCounts) {
  course_.labs[0].hand_in.attempt = config::HandInRule::Attempt::kBest;
  course_.grace_days = 5;
  HandInOn(8, 20);
  HandInOn(12, 20);
  EXPECT_THAT(Choice(), ElementsAre("1, 0 - 0"));
}

TEST_F(CountedTest, OfTheBestAttemptsOneThatIsNotGradedYetLeavesNoSum) {
  course_.labs[0].hand_in.attempt = config::HandInRule::Attempt::kBest;
  HandInOn(8, 15);
  HandInOn(9, 0, "lab1", false);
  EXPECT_THAT(Marks().unfinished, testing::Not(IsEmpty()));
  course_.labs[0].hand_in.attempt = config::HandInRule::Attempt::kLatest;
  HandInOn(9, 7, "lab2");
  EXPECT_EQ(Counting().at(1).ungraded, 0);
}

TEST_F(CountedTest, ThePlatformsMarkGoesBeforeTheTimeOfTheDownload) {
  HandInOn(25, 20, "lab1", true, false);
  EXPECT_EQ(PointsNow(), "20");
  HandInOn(26, 20, "lab1", true, true);
  EXPECT_THAT(Marks().labs.at(0).rungs.at(2).measurement.messages.at(0), HasSubstr("(the platform marked it as late)"));
}

TEST_F(CountedTest, AnOverrideOfTheLabIsTheLastWord) {
  HandInOn(11, 20);
  ASSERT_TRUE(book_->AddOverride({"s1", "lab1", "", Points::FromHundredths(1900), "ill", "Eve", "t"}).ok());
  EXPECT_EQ(PointsNow(), "19");
  EXPECT_EQ(Marks().labs.at(0).rungs.size(), 4u);
}

TEST_F(CountedTest, TheDeductionIsKeptApartAndAnOverrideOfTheLabEndsIt) {
  HandInOn(11, 20);
  EXPECT_EQ(Marks().labs.at(0).hand_in.late_points.ToString(), "4");
  EXPECT_EQ(Marks().labs.at(0).hand_in.handed_in, "2026-11-11T12:00:00Z");
  EXPECT_THAT(Marks().labs.at(0).hand_in.changes, ElementsAre("2 days late: 4 points lost"));
  ASSERT_TRUE(book_->AddOverride({"s1", "lab1", "", Points::FromHundredths(150), "oral", "Eve", "t", true}).ok());
  EXPECT_EQ(PointsNow(), "17.5");
  EXPECT_EQ(Marks().labs.at(0).hand_in.late_points.ToString(), "4");
  EXPECT_THAT(Marks().labs.at(0).hand_in.changes,
              ElementsAre("2 days late: 4 points lost", "override: 17.5 instead of 16"));
  ASSERT_TRUE(book_->AddOverride({"s1", "lab1", "", Points::FromHundredths(1900), "ill", "Eve", "t"}).ok());
  EXPECT_EQ(Marks().labs.at(0).hand_in.late_points.ToString(), "0");
}

TEST_F(CountedTest, AnOverrideThatChangesPointsDoesNotFinishALab) {
  HandInOn(8, 20, "lab1", false);
  ASSERT_TRUE(book_->AddOverride({"s1", "lab1", "", Points::FromHundredths(500), "oral", "Eve", "t", true}).ok());
  EXPECT_THAT(Marks().unfinished, testing::Not(IsEmpty()));
  ASSERT_TRUE(book_->AddOverride({"s1", "lab1", "", Points::FromHundredths(500), "oral", "Eve", "t"}).ok());
  EXPECT_THAT(Marks().unfinished, IsEmpty());
}

TEST_F(CountedTest, GraceDaysAreNamed) {
  course_.grace_days = 1;
  HandInOn(11, 20);
  EXPECT_THAT(Marks().labs.at(0).hand_in.changes, ElementsAre("2 days late, 1 grace day: 2 points lost"));
}

TEST_F(CountedTest, AnOverrideOfARungIsLateToo) {
  HandInOn(11, 10);
  ASSERT_TRUE(book_->AddOverride({"s1", "lab1", "v1_naive", Points::FromHundredths(2000), "typo", "Eve", "t"}).ok());
  EXPECT_EQ(PointsNow(), "16");
}

}  // namespace
}  // namespace warpgrade::gradebook
