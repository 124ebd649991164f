// What counts of attempts, gradings and overrides.
#include "grader/gradebook/marks.h"

#include "grader/report/csv.h"
#include "tests/gradebook/book_of_test.h"

namespace warpgrade::gradebook {
namespace {

using config::Points;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::Not;

class MarksTest : public BookTest {
 protected:
  void SetUp() override { book_ = std::make_unique<Gradebook>(Open()); }

  score::GradingReport Marks(const MarksOptions& options = {}) { return MarksOf(book_.get(), options); }
  // The CSV, which must be the same from the whole results and from their short form.
  std::string Csv() {
    const std::string whole = report::CsvText(Marks()), brief = report::CsvText(Marks({.details = false}));
    EXPECT_EQ(whole, brief);
    return whole;
  }
  void Override_(const std::string& rung, std::optional<int> points, const std::string& student = "s1") {
    std::optional<Points> to;
    if (points) to = Points::FromHundredths(*points * 100);
    ASSERT_TRUE(book_->AddOverride({student, "lab1", rung, to, "appeal", "Eve", "2026-12-01T00:00:00Z"}).ok());
  }

  std::unique_ptr<Gradebook> book_;
};

TEST_F(MarksTest, AStudentHasTheResultOfTheLatestAttempt) {
  Grade(book_.get(), AHandIn("s1", "one", 1));
  Grade(book_.get(), AHandIn("s1", "two", 2));
  EXPECT_THAT(Csv(), HasSubstr("\r\ns1,10,0,10,10,24,"));
}

TEST_F(MarksTest, AnAttemptThatIsNotGradedYetLeavesNoSum) {
  Grade(book_.get(), AHandIn("s1", "one", 1));
  PlanOf(book_.get(), {AHandIn("s1", "two", 2)});
  EXPECT_THAT(Csv(), HasSubstr("attempt 2 is not graded yet"));
  EXPECT_EQ(Marks().submissions.at(0).unfinished.size(), 1u);
}

TEST_F(MarksTest, WhatTheReaderOfASubmissionNotedStandsInTheMarks) {
  HandIn hand_in = AHandIn("s1", "one", 1);
  hand_in.notes = {"lab1/v2.cu: too large"};
  Grade(book_.get(), hand_in);
  EXPECT_THAT(Csv(), HasSubstr("lab1/v2.cu: too large"));
}

TEST_F(MarksTest, AnAttemptThatIsAddedLateButWasHandedInEarlyDoesNotCount) {
  Grade(book_.get(), AHandIn("s1", "late", 9));
  PlanOf(book_.get(), {AHandIn("s1", "early", 2)});
  EXPECT_THAT(Csv(), Not(HasSubstr("not graded yet")));
}

TEST_F(MarksTest, EnrolledStudentsWithoutAnAttemptHaveARow) {
  ASSERT_TRUE(book_->PutRoster({{"s1", "", "", "", ""}, {"s2", "", "", "", ""}}).ok());
  Grade(book_.get(), AHandIn("s1", "one"));
  EXPECT_THAT(Csv(), HasSubstr("\r\ns2,,,,0,0,0,nothing handed in\r\n"));
  ASSERT_TRUE(book_->PutRoster({{"s1", "", "", "", ""}}).ok());
  EXPECT_THAT(Csv(), Not(HasSubstr("s2")));
}

TEST_F(MarksTest, LabsAreAddedUp) {
  Grade(book_.get(), AHandIn("s1", "one", 0, "lab1"));
  Grade(book_.get(), AHandIn("s1", "one", 0, "lab2"));
  EXPECT_EQ(Marks().submissions.at(0).points, Points::FromHundredths(2000));
  EXPECT_EQ(Marks({.lab = "lab2"}).submissions.at(0).points, Points::FromHundredths(1000));
}

// Several threads make the marks of so many.
TEST_F(MarksTest, EachOfManyStudentsHasTheirOwnMarksInOrder) {
  constexpr int kStudents = 60;
  for (int i = kStudents - 1; i >= 0; --i) {
    const std::string id = fmt::format("s{:02}", i);
    for (const char* lab : {"lab2", "lab1"}) {
      if (i % 3 == 0 && lab == std::string("lab2")) continue;
      Grade(book_.get(), AHandIn(id, "text of " + id, 1, lab));
      if (i % 5 == 0) Grade(book_.get(), AHandIn(id, "later text of " + id, 2, lab));
    }
  }
  Override_("", 100, "s07");
  const score::GradingReport marks = Marks();
  ASSERT_EQ(marks.submissions.size(), size_t{kStudents});
  for (int i = 0; i < kStudents; ++i) {
    const score::SubmissionScore& one = marks.submissions[static_cast<size_t>(i)];
    EXPECT_EQ(one.id, fmt::format("s{:02}", i));
    ASSERT_EQ(one.labs.size(), i % 3 == 0 ? 1u : 2u) << i;
    EXPECT_EQ(one.labs[0].lab, "lab1");
    EXPECT_EQ(one.labs[0].hand_in.handed_in, AHandIn("", "", i % 5 == 0 ? 2 : 1).handed_in) << i;
    const int points = (i % 3 == 0 ? 1 : 2) * 10 + (i == 7 ? 90 : 0);
    EXPECT_EQ(one.points, Points::FromHundredths(points * 100)) << i;
  }
}

TEST_F(MarksTest, AnOverrideOfARungChangesItsPointsAndSaysWho) {
  Grade(book_.get(), AHandIn("s1", "one"));
  Override_("v2_shared", 7);
  EXPECT_THAT(Csv(), HasSubstr("\r\ns1,10,7,17,17,24,"));
  const score::RungScore rung = Marks().submissions.at(0).labs.at(0).rungs.at(1);
  EXPECT_THAT(rung.measurement.messages, ElementsAre("7 points instead of 0, by Eve on 2026-12-01T00:00:00Z: appeal"));
  Override_("v2_shared", 5);
  EXPECT_THAT(Csv(), HasSubstr("\r\ns1,10,5,15,15,24,"));
  Override_("v2_shared", std::nullopt);
  EXPECT_THAT(Csv(), HasSubstr("\r\ns1,10,0,10,10,24,"));
}

TEST_F(MarksTest, AnOverrideOfALabIsOneMoreRung) {
  Grade(book_.get(), AHandIn("s1", "one"));
  Grade(book_.get(), AHandIn("s2", "one"));
  Override_("", 3);
  EXPECT_THAT(Csv(), HasSubstr("lab1.override,lab1,points"));
  EXPECT_THAT(Csv(), HasSubstr("\r\ns1,10,0,-7,3,3,24,")) << "a negative number is no formula: see csv_test.cc";
  EXPECT_THAT(Csv(), HasSubstr("\r\ns2,10,0,,10,10,24,"));
}

TEST_F(MarksTest, AnOverrideOutlivesANewGrading) {
  Grade(book_.get(), AHandIn("s1", "one"), 1);
  Override_("v2_shared", 7);
  Grade(book_.get(), AHandIn("s1", "one"), 2);
  EXPECT_THAT(Csv(), HasSubstr("\r\ns1,10,7,17,17,24,"));
}

TEST_F(MarksTest, PointsForALabThatWasNotHandedIn) {
  ASSERT_TRUE(book_->PutRoster({{"s1", "", "", "", ""}}).ok());
  Override_("", 12);
  EXPECT_EQ(Marks().submissions.at(0).points, Points::FromHundredths(1200));
}

TEST_F(MarksTest, TheReportDescribesTheLatestGrading) {
  Grade(book_.get(), AHandIn("s1", "one"));
  const score::GradingReport marks = Marks();
  EXPECT_EQ(marks.device.kind, "emulator");
  EXPECT_EQ(marks.kit_version, "0.1.0");
  EXPECT_FALSE(marks.course.empty());
}

}  // namespace
}  // namespace warpgrade::gradebook
