// Which thresholds fit which speeds.
#include "grader/calibrate/propose.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/calibrate/made.h"

namespace warpgrade::calibrate {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const Program kSolution = SolutionOf("v2"), kBefore = Earlier("v2", "v1");

TEST(ProposeTest, TheLineGoesFromTheRungBeforeToTheSolution) {
  const Proposal proposal = Propose(SubjectWith({1000, 1004, 1002}, {500, 502, 501}));
  ASSERT_TRUE(proposal.scale);
  EXPECT_EQ(Words(*proposal.scale), "zero 520, full 920");
  EXPECT_EQ(YamlText(*proposal.scale), "{unit: GB/s, zero: 520, full: 920}");
  EXPECT_EQ(PointsOf(proposal, kSolution), Whole(4));
  EXPECT_EQ(PointsOf(proposal, kBefore), Whole(0));
  EXPECT_NEAR(proposal.solution_margin, 0.087, 0.001);
  EXPECT_NEAR(proposal.solution_range, 0.004, 0.0001);
  EXPECT_THAT(proposal.remarks, IsEmpty());
}

TEST(ProposeTest, ANearRungBeforeLeavesRoomForSteps) {
  const Proposal proposal = Propose(SubjectWith({1000, 1001}, {900, 901}));
  EXPECT_EQ(Words(*proposal.scale), "1 from 770, 4 from 950 (points)");
  EXPECT_EQ(PointsOf(proposal, kSolution), Whole(4));
  EXPECT_EQ(PointsOf(proposal, kBefore), Whole(1));
  EXPECT_DOUBLE_EQ(proposal.floor, 0.03);
}

TEST(ProposeTest, ANearerOneNarrowsTheMargins) {
  const Proposal proposal = Propose(SubjectWith({1000, 1000.5}, {965, 965.5}));
  EXPECT_DOUBLE_EQ(proposal.floor, 0.015);
  EXPECT_EQ(PointsOf(proposal, kSolution), Whole(4));
  EXPECT_EQ(PointsOf(proposal, kBefore), Whole(1));
  EXPECT_THAT(proposal.remarks, Contains(HasSubstr("the margins are only 1.5%")));
}

TEST(ProposeTest, AnotherProgramBetweenTheTwoNarrowsTheMarginsToo) {
  Subject subject = SubjectWith({943.7, 945.8}, {859, 860});
  subject.programs.push_back(SpeedsOf(Earlier("v2", "v0"), {899, 899.5}));
  const Proposal proposal = Propose(subject);
  EXPECT_DOUBLE_EQ(proposal.floor, 0.02);
  EXPECT_DOUBLE_EQ(proposal.scale->steps.back().at, 920);
  EXPECT_EQ(PointsOf(proposal, kSolution), Whole(4));
  EXPECT_EQ(PointsOf(proposal, Earlier("v2", "v0")), Whole(1));
  EXPECT_EQ(PointsOf(proposal, kBefore), Whole(1));
}

TEST(ProposeTest, NoThresholdTellsATieApart) {
  const Proposal proposal = Propose(SubjectWith({1000, 1000}, {1000, 1000}));
  ASSERT_TRUE(proposal.scale);
  EXPECT_EQ(PointsOf(proposal, kSolution), Whole(4));
  EXPECT_EQ(PointsOf(proposal, kBefore), Whole(4));
  EXPECT_THAT(proposal.remarks, Contains(HasSubstr("no threshold tells v1 handed in")));
}

TEST(ProposeTest, AFasterRungBeforeIsSaidAndASlowerOneTakesItsPlace) {
  Subject subject = SubjectWith({900, 901}, {1000, 1001});
  subject.programs.push_back(SpeedsOf(Earlier("v2", "v0"), {400, 401}));
  const Proposal proposal = Propose(subject);
  EXPECT_EQ(Words(*proposal.scale), "zero 420, full 830");
  EXPECT_EQ(PointsOf(proposal, kBefore), Whole(4));
  EXPECT_EQ(PointsOf(proposal, Earlier("v2", "v0")), Whole(0));
  EXPECT_THAT(proposal.remarks, Contains(HasSubstr("v1 handed in (1001 GB/s) from the solution (900 GB/s)")));
}

TEST(ProposeTest, AMutantBetweenTheTwoMakesSteps) {
  Subject subject = SubjectWith({1000, 1001}, {200, 201});
  subject.programs.push_back(SpeedsOf(Mutant("v2", "slow"), {700, 701}));
  const Proposal proposal = Propose(subject);
  ASSERT_FALSE(proposal.scale->steps.empty()) << Words(*proposal.scale);
  EXPECT_EQ(proposal.scale->steps.back().points, Whole(4));
  EXPECT_EQ(PointsOf(proposal, kSolution), Whole(4));
  EXPECT_EQ(PointsOf(proposal, kBefore), Whole(0));
  const config::Points of_mutant = PointsOf(proposal, Mutant("v2", "slow"));
  EXPECT_GT(of_mutant, Whole(0));
  EXPECT_LT(of_mutant, Whole(4));
}

TEST(ProposeTest, AMutantNearTheRungBeforeOnlyMovesZero) {
  Subject subject = SubjectWith({1000, 1001}, {200, 201});
  subject.programs.push_back(SpeedsOf(Mutant("v2", "slow"), {300, 301}));
  EXPECT_EQ(Words(*Propose(subject).scale), "zero 320, full 920");
}

TEST(ProposeTest, AMutantAsFastAsTheSolutionGetsAllPoints) {
  Subject subject = SubjectWith({1000, 1001}, {500, 501});
  subject.programs.push_back(SpeedsOf(Mutant("v2", "fast"), {930, 931}));
  const Proposal proposal = Propose(subject);
  EXPECT_EQ(PointsOf(proposal, Mutant("v2", "fast")), Whole(4));
  EXPECT_EQ(*proposal.scale->full, 900);
}

TEST(ProposeTest, AFirstRungHasNoRungBefore) {
  Subject subject = SubjectWith({400, 401}, {});
  subject.programs.pop_back();
  subject.before.clear();
  const Proposal proposal = Propose(subject);
  EXPECT_EQ(Words(*proposal.scale), "zero 100, full 370");
  EXPECT_THAT(proposal.remarks, IsEmpty());
}

TEST(ProposeTest, ARungBeforeThatWasNotMeasuredIsSaid) {
  Subject subject = SubjectWith({400, 401}, {});
  subject.programs.back().left_out = {"it did not pass: failed"};
  const Proposal proposal = Propose(subject);
  EXPECT_EQ(Words(*proposal.scale), "zero 100, full 370");
  EXPECT_THAT(proposal.remarks, Contains(HasSubstr("v1 handed in was not measured")));
  EXPECT_EQ(proposal.programs.back().left_out, "it did not pass: failed");
}

TEST(ProposeTest, WithoutASpeedOfTheSolutionNothingIsProposed) {
  const Proposal proposal = Propose(SubjectWith({}, {500}));
  EXPECT_FALSE(proposal.scale);
  EXPECT_THAT(proposal.remarks, Contains(HasSubstr("no speed of the solution")));
  EXPECT_FALSE(Propose(Subject{.lab = "lab1", .rung = "v2", .points = Whole(1)}).scale);
}

TEST(ProposeTest, OneGradingSaysNothingOfTheSpread) {
  const Proposal proposal = Propose(SubjectWith({1000}, {500}));
  EXPECT_EQ(Words(*proposal.scale), "zero 520, full 920");
  EXPECT_THAT(proposal.remarks, Contains(HasSubstr("--repeat 3")));
}

TEST(ProposeTest, ALargeSpreadWidensTheMargins) {
  const Proposal proposal = Propose(SubjectWith({1000, 1150}, {500, 501}));
  EXPECT_DOUBLE_EQ(*proposal.scale->full, 850);
  EXPECT_EQ(PointsOf(proposal, kSolution), Whole(4));
}

TEST(ProposeTest, ASpreadBeyondAllReasonEndsSomewhere) {
  const Proposal proposal = Propose(SubjectWith({1, 1e6}, {0.5, 1e5}));
  ASSERT_TRUE(proposal.scale);
  EXPECT_EQ(PointsOf(proposal, kSolution), Whole(4));
}

TEST(ProposeTest, ASingleOrHalfAPointIsOneStepOrALine) {
  for (const int hundredths : {50, 100}) {
    Subject subject = SubjectWith({1000, 1001}, {930, 931});
    subject.points = config::Points::FromHundredths(hundredths);
    const Proposal proposal = Propose(subject);
    EXPECT_EQ(PointsOf(proposal, kSolution), subject.points);
    EXPECT_LE(2 * PointsOf(proposal, kBefore).hundredths(), hundredths);
    EXPECT_EQ(proposal.scale->steps.back().points, subject.points);
  }
}

// ---- thresholds that are there ------------------------------------------------------------------------------------

TEST(ProposeTest, ThresholdsThatFitStay) {
  Subject subject = SubjectWith({1000, 1004}, {500, 502});
  subject.now = Linear(600, 900);
  const Proposal proposal = Propose(subject);
  EXPECT_TRUE(proposal.keeps);
  EXPECT_THAT(proposal.faults, IsEmpty());
  EXPECT_EQ(Words(*proposal.scale), "zero 600, full 900");
}

TEST(ProposeTest, ThresholdsThatDoNotFitAreReplacedWithTheReason) {
  Subject subject = SubjectWith({1000, 1004}, {500, 502});
  subject.now = Linear(100, 900);
  Proposal proposal = Propose(subject);
  EXPECT_FALSE(proposal.keeps);
  EXPECT_THAT(proposal.faults, Contains(HasSubstr("v1 handed in gets 1.98 to 2.04 of 4 points, more than half")));
  subject.now = Linear(600, 1000);
  EXPECT_THAT(Propose(subject).faults, Contains(HasSubstr("the solution gets 3.9 to 4 of 4 points")));
  subject.now = Linear(300, 900);
  EXPECT_THAT(Propose(subject).faults, Contains(HasSubstr("v1 handed in gets 1.3 to 1.38 of 4 points, depending")));
}

TEST(ProposeTest, AFullThatIsTooNearToTheSolutionIsReplacedWhereThereIsRoom) {
  Subject subject = SubjectWith({1000, 1001}, {500, 502});
  subject.now = Linear(600, 980);
  const Proposal proposal = Propose(subject);
  EXPECT_THAT(proposal.faults, Contains(HasSubstr("the solution is only 2.0% above what all points need")));
  EXPECT_EQ(*proposal.scale->full, 920);
  subject.programs[1].values = {930, 931};  // no room
  subject.now = Linear(965, 980);
  EXPECT_TRUE(Propose(subject).keeps);
}

TEST(ProposeTest, AFullFarBelowTheSolutionIsReplaced) {
  Subject subject = SubjectWith({1000, 1001}, {500, 502});
  subject.now = Linear(600, 800);
  const Proposal proposal = Propose(subject);
  EXPECT_THAT(proposal.faults, Contains(HasSubstr("the solution is 25% above what all points need")));
  EXPECT_EQ(*proposal.scale->full, 920);
}

TEST(ProposeTest, NothingIsReplacedBySomethingThatIsNoBetter) {
  // No threshold can hold the rung before to half.
  Subject subject = SubjectWith({1000, 1001}, {1000, 1001});
  subject.now = Linear(250, 900);
  EXPECT_TRUE(Propose(subject).keeps);
}

// ---- another run --------------------------------------------------------------------------------------------------

// Programs of a rung in which they lie in every way that the course's do.
std::vector<Subject> Rungs() {
  std::vector<Subject> subjects;
  for (const double before : {3.9, 300.0, 560.0, 800.0, 890.0, 1000.0, 1300.0}) {
    Subject subject = SubjectWith({1000}, {before});
    subjects.push_back(subject);
    for (const double mutant : {0.31, 0.52, 0.74, 0.88, 1.07}) {
      subject.programs.push_back(SpeedsOf(Mutant("v2", "m" + std::to_string(mutant)), {1000 * mutant}));
      subjects.push_back(subject);
    }
  }
  return subjects;
}

TEST(ProposeTest, TheThresholdsOfThreeRunsGiveIdenticalPoints) {
  std::mt19937 random(7);
  for (const Subject& subject : Rungs()) {
    const Proposal first = Propose(Noisy(subject, 0.003, 3, &random));
    for (int run = 2; run <= 3; ++run) {
      const Proposal other = Propose(Noisy(subject, 0.003, 3, &random));
      SCOPED_TRACE(Words(*first.scale) + " and " + Words(*other.scale));
      for (const Outcome& outcome : first.programs) {
        EXPECT_EQ(PointsOf(first, outcome.program), PointsOf(other, outcome.program)) << Words(outcome.program);
      }
    }
  }
}

TEST(ProposeTest, WhatWasProposedStaysAfterAnotherRunOnAHostThatIsAPercentSlower) {
  std::mt19937 random(8);
  for (const Subject& subject : Rungs()) {
    const Proposal first = Propose(Noisy(subject, 0.003, 3, &random));
    Subject again = Noisy(subject, 0.003, 3, &random);
    for (Speeds& speeds : again.programs) {
      for (double& value : speeds.values) value *= 0.99;
    }
    again.now = first.scale;
    const Proposal second = Propose(again);
    EXPECT_TRUE(second.keeps) << Words(*first.scale) << " becomes " << Words(*second.scale) << ": "
                              << testing::PrintToString(second.faults);
  }
}

TEST(ProposeTest, AProgramThatLiesNearAThresholdIsNamed) {
  Subject subject = SubjectWith({1000, 1001}, {500, 501});
  for (int i = 0; i < 40; ++i) {  // all speeds are taken
    subject.programs.push_back(SpeedsOf(Mutant("v2", "m" + std::to_string(i)), {510 + 12.0 * i}));
  }
  const Proposal proposal = Propose(subject);
  EXPECT_THAT(proposal.remarks, Contains(HasSubstr("lies near a threshold: another run may give it")));
}

}  // namespace
}  // namespace warpgrade::calibrate
