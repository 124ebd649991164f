#include "grader/judge/cross_checks.h"

#include <gtest/gtest.h>

namespace warpgrade::judge {
namespace {

TEST(DisturbedTest, IsATimeFarAboveTheShortestSoFar) {
  EXPECT_FALSE(IsDisturbed({}, 0, TimingRule()));
  EXPECT_FALSE(IsDisturbed({5e6}, 0, TimingRule()));
  EXPECT_FALSE(IsDisturbed({4000e3, 4139e3}, 0, TimingRule()));  // a hundredth, and 100 us
  EXPECT_TRUE(IsDisturbed({4000e3, 4141e3}, 0, TimingRule()));
  EXPECT_FALSE(IsDisturbed({500e3, 900e3, 500e3}, 0, TimingRule())) << "only the last is asked about";
  EXPECT_TRUE(IsDisturbed({5e6, 500e3, 1500e3}, 0, TimingRule()));
}

TEST(HeldUpTest, WhatHostArraysVaryByIsAllowed) {
  EXPECT_FALSE(IsDisturbed({450e3, 870e3}, 320e3, TimingRule()));
  EXPECT_TRUE(IsDisturbed({450e3, 880e3}, 320e3, TimingRule()));
  EXPECT_FALSE(IsHeldUp({815e3}, {450e3}, 320e3));
  EXPECT_TRUE(IsHeldUp({830e3}, {450e3}, 320e3));
}

TEST(HeldUpTest, IsLongerThroughoutThanWithNobodyThere) {
  EXPECT_FALSE(IsHeldUp({4280e3, 4250e3, 9000e3}, {4250e3, 4240e3, 4260e3}, 0));
  EXPECT_FALSE(IsHeldUp({4340e3}, {4250e3}, 0)) << "a hundredth and 50 us";
  EXPECT_TRUE(IsHeldUp({4350e3, 4345e3, 4250e3}, {4250e3}, 0));
  EXPECT_FALSE(IsHeldUp({}, {4250e3}, 0));
  EXPECT_FALSE(IsHeldUp({4250e3}, {}, 0));
}

TEST(DisagreementTest, AllowsFivePercentAndTenMicroseconds) {
  EXPECT_EQ(Disagreement(1'000'000, 1'000'000, 1), "");
  EXPECT_EQ(Disagreement(1'059'000, 1'000'000, 1), "");
  EXPECT_EQ(Disagreement(1'000'000, 941'000, 1), "");
  EXPECT_NE(Disagreement(1'000'000, 930'000, 1), "");
  EXPECT_EQ(Disagreement(15'000, 5'000, 1), "");
}

TEST(DisagreementTest, TheTenMicrosecondsAreOfAllCallsThatWereTimedAsOne) {
  EXPECT_EQ(Disagreement(109'000, 100'000, 1), "");
  EXPECT_NE(Disagreement(109'000, 100'000, 8), "");
  EXPECT_EQ(Disagreement(106'000, 100'000, 8), "");
}

TEST(DisagreementTest, NamesBothNumbers) {
  EXPECT_EQ(Disagreement(1'000'000, 500'000, 1),
            "for one call, the grader's clock measured 1000.0 us but the worker's events measured 500.0 us");
  EXPECT_NE(Disagreement(1'000'000, -1, 1), "");
}

TEST(SlowedSolutionTest, ASolutionThatIsSlowAsLongAsTheStudentsProgramIsThereIsSeen) {
  const std::vector<double> alone = {10e6, 10.2e6, 11e6, 30e6};
  EXPECT_FALSE(IsSlowedDown({10e6, 11e6, 12e6}, alone));
  EXPECT_FALSE(IsSlowedDown({5e6, 5e6}, alone)) << "no gain in that";
  EXPECT_FALSE(IsSlowedDown({11e6, 11.5e6, 15e6}, alone)) << "by less than 15%";
  EXPECT_TRUE(IsSlowedDown({11.8e6, 11.9e6, 15e6}, alone));
  EXPECT_FALSE(IsSlowedDown({}, {})) << "there is no solution";
}

TEST(SlowedSolutionTest, SoIsOneThatIsSlowInEverySecondPairOrInOneOfThree) {
  const std::vector<double> alone(25, 10e6);
  std::vector<double> half(50, 10e6), third(50, 10e6), tenth(50, 10e6);
  for (size_t i = 0; i < half.size(); ++i) {
    if (i % 2 == 0) half[i] = 12e6;
    if (i % 3 == 0) third[i] = 12e6;
    if (i % 10 == 0) tenth[i] = 12e6;
  }
  EXPECT_TRUE(IsSlowedDown(half, alone));
  EXPECT_TRUE(IsSlowedDown(third, alone));
  EXPECT_FALSE(IsSlowedDown(tenth, alone)) << "the slowest quarter does not count";
}

TEST(SlowedSolutionTest, SaysBothTimesOrNothing) {
  EXPECT_EQ(SlowedSolution({10e6}, {10e6}), "");
  EXPECT_EQ(SlowedSolution({20e6}, {10e6}),
            "the course's solution took 20000.0 us while the program was stopped and 10000.0 us without the program: "
            "does the program leave work on the GPU?");
}

TEST(HeldUpTest, SaysBothMediansOrNothing) {
  EXPECT_EQ(HeldUpDeliveries({4250e3}, {4250e3}, 0), "");
  EXPECT_EQ(HeldUpDeliveries({5000e3}, {4000e3}, 0),
            "copying the inputs into place took 5000.0 us while the program was waiting for its call and 4000.0 us "
            "without the program: does it use the GPU before it is called?");
}

}  // namespace
}  // namespace warpgrade::judge
