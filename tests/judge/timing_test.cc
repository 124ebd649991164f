#include "grader/judge/timing.h"

#include <gtest/gtest.h>

#include <cmath>

namespace warpgrade::judge {
namespace {

TEST(QuantileTest, InterpolatesBetweenOrderStatistics) {
  EXPECT_DOUBLE_EQ(Median({3, 1, 2}), 2);
  EXPECT_DOUBLE_EQ(Median({4, 1, 2, 3}), 2.5);
  EXPECT_DOUBLE_EQ(Quantile({10, 20, 30, 40, 50}, 0.25), 20);
  EXPECT_DOUBLE_EQ(Quantile({10, 20}, 0.75), 17.5);
  EXPECT_DOUBLE_EQ(Quantile({10, 20}, 1), 20);
  EXPECT_DOUBLE_EQ(Quantile({7}, 0.3), 7);
}

TEST(SpreadTest, IsHalfTheInterquartileRangeOverTheMedian) {
  EXPECT_DOUBLE_EQ(SpreadPercent({90, 95, 100, 105, 110}), 5);
  EXPECT_DOUBLE_EQ(SpreadPercent({100}), 0);
}

TEST(SpreadTest, OneOutlierDoesNotMoveIt) {
  EXPECT_DOUBLE_EQ(SpreadPercent({100, 100, 100, 100, 100, 100, 100, 100, 5000}), 0);
}

TEST(StandardErrorTest, IsTheSampleDeviationOverTheRootOfTheCount) {
  // Mean 100, sample variance 100, four samples: 10 / 2 = 5 of 100.
  EXPECT_NEAR(StandardErrorPercent({90, 90, 110, 110}), 100 * std::sqrt(400.0 / 3 / 4) / 100, 1e-12);
  EXPECT_TRUE(std::isinf(StandardErrorPercent({100})));
}

TEST(StoppingTest, TakesTheLeastNumberOfSamplesWhateverTheBudget) {
  const TimingRule rule;
  EXPECT_FALSE(EnoughSamples(std::vector<double>(9, 100.0), rule.budget_ns * 10, rule));
  EXPECT_TRUE(EnoughSamples(std::vector<double>(10, 100.0), 0, rule));
}

TEST(StoppingTest, GoesOnWhileTheMeanIsUncertainAndTimeIsLeft) {
  const TimingRule rule;
  std::vector<double> noisy;
  for (int i = 0; i < 20; ++i) noisy.push_back(i % 2 == 0 ? 50 : 150);
  EXPECT_FALSE(EnoughSamples(noisy, 0, rule));
  EXPECT_TRUE(EnoughSamples(noisy, rule.budget_ns, rule));
  while (noisy.size() < 100) noisy.push_back(noisy.size() % 2 == 0 ? 50 : 150);
  EXPECT_TRUE(EnoughSamples(noisy, 0, rule));
}

TEST(SteadyTest, NeedsThreeTimesThatAgreeAfterTheFirst) {
  EXPECT_FALSE(IsSteady({}));
  EXPECT_FALSE(IsSteady({100, 100, 100}));
  EXPECT_TRUE(IsSteady({900, 100, 101, 100}));
  EXPECT_FALSE(IsSteady({100, 100, 100, 103}));
}

TEST(OverheadTest, IsTheFasterHalfOfEmptyCalls) {
  const std::optional<double> overhead = CallOverhead({150'000, 152'000, 147'000, 900'000, 150'000}, TimingRule());
  ASSERT_TRUE(overhead.has_value());
  EXPECT_DOUBLE_EQ(*overhead, 149'000);
}

TEST(OverheadTest, OneThatIsTooLongOrTooUnsteadyIsRefused) {
  const TimingRule rule;
  // A worker that slows its empty calls down would be given the difference.
  EXPECT_FALSE(CallOverhead(std::vector<double>(31, 2 * rule.max_overhead_ns), rule).has_value());
  EXPECT_FALSE(CallOverhead({100'000, 500'000, 100'000, 500'000}, rule).has_value());
  EXPECT_FALSE(CallOverhead({}, rule).has_value());
}

TEST(TimingTest, WhatRunsOnAfterDoneIsPartOfTheCall) {
  EXPECT_EQ(WithCollecting(300e3, 150e3, 148e3), 300e3);  // as after an empty call, give or take
  EXPECT_EQ(WithCollecting(300e3, 100e3, 148e3), 300e3);
  EXPECT_EQ(WithCollecting(20e3, 430e3, 150e3), 295e3);  // Done was said 280 us early, and 5 are gained
}

TEST(TimingTest, TheFasterHalfHasTheMiddleOneInIt) {
  EXPECT_EQ(FasterHalf({7}), 7);
  EXPECT_EQ(FasterHalf({9, 5}), 5);
  EXPECT_EQ(FasterHalf({1000, 3, 1}), 2);
  EXPECT_EQ(FasterHalf({1000, 3, 1, 2000}), 2);
}

TEST(OverheadTest, IsBoundedByWhatItWasBeforeTheStudentsProgramRan) {
  EXPECT_EQ(BoundedOverhead(158e3, 150e3), 158e3);  // as on an H200
  EXPECT_EQ(BoundedOverhead(140e3, 150e3), 140e3);
  EXPECT_EQ(BoundedOverhead(400e3, 150e3), 175e3);
}

TEST(OverheadTest, IsSubtractedButTimeStaysPositive) {
  EXPECT_DOUBLE_EQ(WithoutOverhead(1'150'000, 150'000), 1'000'000);
  EXPECT_DOUBLE_EQ(WithoutOverhead(140'000, 150'000), 1);
}

TEST(DisturbedTest, IsATimeFarAboveTheShortestSoFar) {
  EXPECT_FALSE(IsDisturbed({}, 0, TimingRule()));
  EXPECT_FALSE(IsDisturbed({5e6}, 0, TimingRule()));
  EXPECT_FALSE(IsDisturbed({4000e3, 4139e3}, 0, TimingRule()));  // a hundredth, and 100 us
  EXPECT_TRUE(IsDisturbed({4000e3, 4141e3}, 0, TimingRule()));
  EXPECT_FALSE(IsDisturbed({500e3, 900e3, 500e3}, 0, TimingRule())) << "only the last is asked about";
  EXPECT_TRUE(IsDisturbed({5e6, 500e3, 1500e3}, 0, TimingRule()));
}

TEST(HeldUpTest, ThereAreMicrosecondsForEveryTurnBesideTheHostsWork) {
  EXPECT_FALSE(IsDisturbed({450e3, 870e3}, 16, TimingRule()));
  EXPECT_TRUE(IsDisturbed({450e3, 880e3}, 16, TimingRule()));
  EXPECT_FALSE(IsHeldUp({815e3}, {450e3}, 16));
  EXPECT_TRUE(IsHeldUp({830e3}, {450e3}, 16));
}

TEST(HeldUpTest, IsLongerThroughoutThanWithNobodyThere) {
  EXPECT_FALSE(IsHeldUp({4280e3, 4250e3, 9000e3}, {4250e3, 4240e3, 4260e3}, 0));
  EXPECT_FALSE(IsHeldUp({4340e3}, {4250e3}, 0)) << "a hundredth and 50 us";
  EXPECT_TRUE(IsHeldUp({4350e3, 4345e3, 4250e3}, {4250e3}, 0));
  EXPECT_FALSE(IsHeldUp({}, {4250e3}, 0));
  EXPECT_FALSE(IsHeldUp({4250e3}, {}, 0));
}

TEST(BoundedCeilingTest, IsNotMuchLessThanBeforeTheWorkerCame) {
  EXPECT_EQ(BoundedCeiling(4240, 4250), 4240);
  EXPECT_EQ(BoundedCeiling(4300, 4250), 4300);
  EXPECT_EQ(BoundedCeiling(2100, 4000), 3800);
  EXPECT_EQ(BoundedCeiling(2100, 0), 2100);
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
            "the grader's clock says 1000.0 us and the worker's events say 500.0 us for one call");
  EXPECT_NE(Disagreement(1'000'000, -1, 1), "");
}

TEST(CallsOfASampleTest, AreAsManyAsTakeTwoMillisecondsButNoMoreThanEight) {
  const TimingRule rule;
  EXPECT_EQ(CallsOfASample(250e3, rule), 8);
  EXPECT_EQ(CallsOfASample(500e3, rule), 4);
  EXPECT_EQ(CallsOfASample(700e3, rule), 3);
  EXPECT_EQ(CallsOfASample(2e6, rule), 1);
  EXPECT_EQ(CallsOfASample(1e9, rule), 1);
  EXPECT_EQ(CallsOfASample(1, rule), 8);
  EXPECT_EQ(CallsOfASample(0, rule), 8);
}

TEST(EdgeTest, ASpeedWithinAPercentOfOneOrWithinItsSpreadIsNear) {
  TimingRule rule;
  EXPECT_FALSE(IsNearAnEdge(1000, 50, 4000, rule)) << "there is none";
  rule.edges = {{1000, false}, {2000, false}};
  EXPECT_TRUE(IsNearAnEdge(1009, 0.1, 4000, rule));
  EXPECT_TRUE(IsNearAnEdge(991, 0.1, 4000, rule));
  EXPECT_TRUE(IsNearAnEdge(1985, 0.1, 4000, rule));
  EXPECT_FALSE(IsNearAnEdge(1011, 0.1, 4000, rule));
  EXPECT_TRUE(IsNearAnEdge(1011, 2, 4000, rule));
  EXPECT_FALSE(IsNearAnEdge(1500, 0.1, 4000, rule));
}

TEST(EdgeTest, OneThatIsAShareOfTheCopyNeedsTheCopysSpeed) {
  TimingRule rule;
  rule.edges = {{0.25, true}};
  EXPECT_TRUE(IsNearAnEdge(1005, 0.1, 4000, rule));
  EXPECT_FALSE(IsNearAnEdge(0.25, 0.1, 4000, rule));
  EXPECT_FALSE(IsNearAnEdge(1005, 0.1, std::nullopt, rule));
}

TEST(EdgeTest, OneOfAShareOfTheSolutionIsAShare) {
  config::ThroughputScale scale;
  scale.unit = config::ThroughputScale::Unit::kShareOfSolution;
  scale.zero = 0.3;
  scale.full = 0.8;
  ASSERT_EQ(EdgesOf(scale).size(), 1u);
  EXPECT_TRUE(EdgesOf(scale)[0].share);
}

TEST(MiddleHalfTest, LeavesOutAQuarterAtEitherEnd) {
  EXPECT_DOUBLE_EQ(MiddleHalf({7}), 7);
  EXPECT_DOUBLE_EQ(MiddleHalf({1, 3}), 2);
  EXPECT_DOUBLE_EQ(MiddleHalf({100, 2, 4, -50}), 3);
  EXPECT_DOUBLE_EQ(MiddleHalf({9e9, 1, 2, 3, 4, 5, 6, 0}), 3.5);
}

TEST(PairsTest, TakeManyWorkersWhichTogetherHaveMoreTimeThanOneAlone) {
  TimingRule rule;
  const TimingRule pairs = InPairs(rule);
  EXPECT_GE(pairs.workers, 10);
  EXPECT_LT(pairs.budget_ns, rule.budget_ns);
  EXPECT_GE(pairs.workers * pairs.budget_ns, 2 * rule.budget_ns);
  EXPECT_LT(pairs.standard_error_percent, rule.standard_error_percent);
  EXPECT_EQ(pairs.min_samples, rule.min_samples);
  EXPECT_EQ(pairs.max_workers, rule.max_workers);
}

TEST(PairsTest, ASolutionThatIsSlowAsLongAsTheStudentsProgramIsThereIsSeen) {
  const std::vector<double> alone = {10e6, 10.2e6, 11e6, 30e6};
  EXPECT_FALSE(IsSlowedDown({10e6, 11e6, 12e6}, alone));
  EXPECT_FALSE(IsSlowedDown({5e6, 5e6}, alone)) << "no gain in that";
  EXPECT_TRUE(IsSlowedDown({14e6, 14e6, 15e6}, alone));
  EXPECT_FALSE(IsSlowedDown({}, {})) << "there is no solution";
}

TEST(EdgeTest, IsEachStepOfAScaleOrWhereItIsFull) {
  config::ThroughputScale steps;
  steps.unit = config::ThroughputScale::Unit::kShareOfCopy;
  steps.steps = {{0.1, config::Points()}, {0.4, config::Points()}};
  ASSERT_EQ(EdgesOf(steps).size(), 2u);
  EXPECT_EQ(EdgesOf(steps)[1].at, 0.4);
  EXPECT_TRUE(EdgesOf(steps)[1].share);
  config::ThroughputScale linear;
  linear.zero = 100;
  linear.full = 300;
  ASSERT_EQ(EdgesOf(linear).size(), 1u);
  EXPECT_EQ(EdgesOf(linear)[0].at, 300);
  EXPECT_FALSE(EdgesOf(linear)[0].share);
}

TEST(OverheadTest, IsWhatAnEmptyCallCostsBeyondItsKernel) { EXPECT_EQ(OverheadOf(150e3, 3e3, 0), 147e3); }

TEST(OverheadTest, BelievesTheWorkersEventTimeOnlyAsFarAsAnEmptyKernelCanTake) {
  EXPECT_EQ(OverheadOf(150e3, 140e3, 0), 140e3);  // a slow "empty kernel" would make every call look slower, not faster
  EXPECT_EQ(OverheadOf(150e3, -1, 0), 150e3);     // no event time
  EXPECT_EQ(OverheadOf(2e3, 5e3, 0), 0);
  EXPECT_EQ(OverheadOf(1153e3, 1003e3, 1000e3), 150e3);
  EXPECT_EQ(OverheadOf(1153e3, 3e3, 1000e3), 153e3);  // a kernel that ends early would give its time away
  EXPECT_EQ(OverheadOf(1153e3, -1, 1000e3), 153e3);
}

}  // namespace
}  // namespace warpgrade::judge
