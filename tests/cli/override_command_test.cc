// `warpgrade book override` on a gradebook that the test makes.
#include "tests/cli/graded_book.h"

namespace warpgrade {
namespace {

using testing::HasSubstr;
using testing::Not;

class OverrideCommandTest : public GradedBookTest {
 protected:
  // Of lab2 and s1, for the reason "why", by Eve.
  ProgramResult Override(std::vector<std::string> more) const {
    more.insert(more.begin(), {"s1", "--lab", "lab2", "--reason", "why", "--author", "Eve"});
    return Run({"book", "override"}, more);
  }
  // The sum in the CSV file, and the notes.
  std::string Csv() const { return Run({"export"}, {"--format", "csv"}).out; }
};

TEST_F(OverrideCommandTest, AnOverrideCountsAtOnceAndIsRemembered) {
  const ProgramResult done = Run({"book", "override"}, {"s1", "--lab", "lab2", "--rung", "v1", "--points", "3.5",
                                                        "--reason", "appeal", "--author", "Eve"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("points for lab2, by Eve"));
  EXPECT_THAT(Run({"book", "show"}, {"s1"}).out, HasSubstr("3.5 points instead of"));
  EXPECT_THAT(Run({"book", "history"}, {"s1"}).out, HasSubstr("lab2.v1_naive: 3.5 points, by Eve: appeal"));
  EXPECT_THAT(Run({"export"}, {"--format", "csv"}).out, HasSubstr("\ns1,3.5,"));
  EXPECT_EQ(
      Run({"book", "override"}, {"s1", "--lab", "lab2", "--rung", "v1", "--withdraw", "--reason", "no"}).exit_code, 0);
  EXPECT_THAT(Run({"export"}, {"--format", "csv"}).out, Not(HasSubstr("\ns1,3.5,")));
}

TEST_F(OverrideCommandTest, AnOverrideAboveWhatTheLabHasIsPointedOut) {
  const auto said_to = [this](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"s1", "--lab", "lab2", "--reason", "why"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Run({"book", "override"}, arguments).out;
  };
  EXPECT_THAT(said_to({"--points", "500"}), HasSubstr("500 points are more than the 110 points that lab2 has."));
  EXPECT_THAT(said_to({"--points", "110"}), Not(HasSubstr("more than")));
  EXPECT_THAT(said_to({"--rung", "v1", "--points", "10.5"}),
              HasSubstr("10.5 points are more than the 10 points that v1_naive has"));
}

TEST_F(OverrideCommandTest, AnOverrideThatMeansNothingIsRefused) {
  const auto error_of = [this](const std::vector<std::string>& arguments) {
    const ProgramResult result = Run({"book", "override"}, arguments);
    EXPECT_EQ(result.exit_code, 2);
    return result.err;
  };
  const auto with = [](const std::string& student, const std::string& lab, std::vector<std::string> more) {
    more.insert(more.begin(), {student, "--lab", lab, "--reason", "why"});
    return more;
  };
  EXPECT_THAT(error_of(with("s9", "lab2", {"--points", "3"})), HasSubstr("there is no student 's9'"));
  EXPECT_THAT(error_of(with("s1", "lab99", {"--points", "3"})), HasSubstr("there is no lab 'lab99'"));
  EXPECT_THAT(error_of(with("s1", "lab2", {"--rung", "v99", "--points", "3"})), HasSubstr("there is no rung 'v99'"));
  EXPECT_THAT(error_of(with("s1", "lab2", {"--points", "five"})), HasSubstr("--points"));
  EXPECT_THAT(error_of(with("s1", "lab2", {})), HasSubstr("give either --points, or --withdraw"));
  EXPECT_THAT(error_of({"s1", "--lab", "lab2", "--points", "3", "--reason", " "}), HasSubstr("--reason is empty"));
  EXPECT_TRUE(book_->Overrides("")->empty());
}

TEST_F(OverrideCommandTest, PointsWithASignAreAddedToTheGradedOnes) {
  // Attempt 2 of s1 has 20 of 84 points, 10 of them for v1_naive.
  EXPECT_THAT(Override({"--points", "+5"}).out, HasSubstr("s1: 25/84 points for lab2, by Eve\n"));
  EXPECT_THAT(Override({"--points", "-3.5"}).out,
              HasSubstr("s1: 16.5/84 points for lab2, by Eve\nThis replaces the override of +5 points by Eve.\n"));
  EXPECT_THAT(Override({"--rung", "v1", "--points", "+2"}).out, HasSubstr("s1: 18.5/84 points for lab2, by Eve\n"));
  EXPECT_THAT(Run({"book", "show"}, {"s1"}).out, HasSubstr("-3.5 points: 18.5 instead of 22, by Eve on "));
  EXPECT_THAT(Run({"book", "history"}, {"s1"}).out, HasSubstr("lab2: -3.5 points, by Eve: why"));
  EXPECT_THAT(Override({"--points", "-50"}).out, HasSubstr("s1: 0/84 points for lab2")) << "never below 0";
}

TEST_F(OverrideCommandTest, TablesOfMarksNameOverrides) {
  ASSERT_EQ(Override({"--rung", "v1", "--points", "3"}).exit_code, 0);
  ASSERT_EQ(Override({"--points", "50"}).exit_code, 0);
  EXPECT_THAT(Run({"book", "list"}).out,
              HasSubstr("lab2: 2   lab2 override: v1_naive 3 instead of 10; lab2 override: 50 instead of 13\n"));
  EXPECT_THAT(Csv(), HasSubstr("override: v1_naive 3 instead of 10; override: 50 instead of 13; "));
}

TEST_F(OverrideCommandTest, AWithdrawnOverrideLeavesNothingInTheSpreadsheet) {
  const std::string before = Csv();
  ASSERT_EQ(Override({"--points", "50"}).exit_code, 0);
  EXPECT_THAT(Csv(), HasSubstr("lab2.override"));
  ASSERT_EQ(Override({"--withdraw"}).exit_code, 0);
  EXPECT_EQ(Csv(), before);
  // Of a lab that the student did not hand in.
  ASSERT_EQ(Run({"book", "override"}, {"s2", "--lab", "lab3", "--points", "5", "--reason", "mail"}).exit_code, 0);
  EXPECT_THAT(Csv(), HasSubstr("lab3.override,lab3,"));
  ASSERT_EQ(Run({"book", "override"}, {"s2", "--lab", "lab3", "--withdraw", "--reason", "no"}).exit_code, 0);
  EXPECT_EQ(Csv(), before);
}

TEST_F(OverrideCommandTest, AnOverrideOfARungUnderOneOfItsLabSaysThatItChangesNothing) {
  ASSERT_EQ(Override({"--points", "50"}).exit_code, 0);
  EXPECT_THAT(Override({"--rung", "v1", "--points", "3"}).out,
              HasSubstr("The points of lab2 do not change: all of lab2 has an override of 50 points by Eve."));
  ASSERT_EQ(Override({"--points", "+1"}).exit_code, 0);
  EXPECT_THAT(Override({"--rung", "v1", "--points", "4"}).out, Not(HasSubstr("do not change")));
}

TEST_F(OverrideCommandTest, NothingToWithdrawIsAnError) {
  const ProgramResult none = Override({"--withdraw"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("s1 has no override of lab2 that could be withdrawn; `warpgrade book history`"));
  ASSERT_EQ(Override({"--rung", "v2", "--points", "3"}).exit_code, 0);
  const ProgramResult other = Override({"--rung", "v1", "--withdraw"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("no override of lab2.v1_naive that could be withdrawn; there is one of lab2.v2_"));
  EXPECT_EQ(Override({"--rung", "v2", "--withdraw"}).exit_code, 0);
  EXPECT_EQ(Override({"--rung", "v2", "--withdraw"}).exit_code, 2) << "it is withdrawn already";
}

}  // namespace
}  // namespace warpgrade
