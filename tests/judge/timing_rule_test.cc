#include "grader/judge/timing_rule.h"

#include <gtest/gtest.h>

namespace warpgrade::judge {
namespace {

TEST(StoppingTest, TakesTheLeastNumberOfSamplesWhateverTheBudget) {
  const TimingRule rule;
  EXPECT_FALSE(EnoughSamples(std::vector<double>(9, 100.0), rule.budget_ns * 10, 0, rule));
  EXPECT_TRUE(EnoughSamples(std::vector<double>(10, 100.0), 0, 0, rule));
}

TEST(StoppingTest, GoesOnWhileTheMeanIsUncertainAndTimeIsLeft) {
  const TimingRule rule;
  std::vector<double> noisy;
  for (int i = 0; i < 20; ++i) noisy.push_back(i % 2 == 0 ? 50 : 150);
  EXPECT_FALSE(EnoughSamples(noisy, 0, 0, rule));
  EXPECT_TRUE(EnoughSamples(noisy, rule.budget_ns, 0, rule));
  while (noisy.size() < 100) noisy.push_back(noisy.size() % 2 == 0 ? 50 : 150);
  EXPECT_TRUE(EnoughSamples(noisy, 0, 0, rule));
}

TEST(StoppingTest, ThreeLongCallsAreEnoughAndOneOfTwentySeconds) {
  const TimingRule rule;
  EXPECT_FALSE(EnoughSamples({2e9, 2e9}, 4e9, 4e9, rule));
  EXPECT_FALSE(EnoughSamples({3.5e9, 3.5e9}, 7e9, 7e9, rule));
  EXPECT_FALSE(EnoughSamples({0.2e9, 0.2e9, 0.2e9}, 0.6e9, 0.6e9, rule));
  EXPECT_TRUE(EnoughSamples({0.25e9, 0.25e9, 0.25e9}, 0, 0.75e9, rule));
  EXPECT_FALSE(EnoughSamples({19e9}, 0, 19e9, rule));
  EXPECT_TRUE(EnoughSamples({20e9}, 0, 20e9, rule));
  EXPECT_FALSE(EnoughSamples({}, 0, 20e9, rule));
}

TEST(StoppingTest, WhatTheJudgeDoesBetweenTheCallsDoesNotShortenTheTiming) {
  const TimingRule rule;
  EXPECT_FALSE(EnoughSamples({1e6, 1e6, 1e6}, 60'000'000'000, 3e6, rule));
}

TEST(WarmUpTest, EndsWhenThreeCallsAreSteadyOrTwoLongOnesAboutEqualOrAllTookFiveSeconds) {
  const TimingRule rule;
  EXPECT_FALSE(IsWarm({}, rule));
  EXPECT_FALSE(IsWarm({0.28e9}, rule));
  EXPECT_TRUE(IsWarm({0.28e9, 0.26e9}, rule));
  EXPECT_FALSE(IsWarm({0.12e9, 0.12e9}, rule));
  EXPECT_FALSE(IsWarm({0.3e9, 0.001e9}, rule)) << "the first call started something up";
  EXPECT_FALSE(IsWarm({0.3e9, 0.001e9, 0.28e9}, rule));
  EXPECT_TRUE(IsWarm({0.3e9, 0.28e9, 0.28e9}, rule));
  EXPECT_FALSE(IsWarm({3.5e9, 1.4e9}, rule));
  EXPECT_TRUE(IsWarm({3.6e9, 1.4e9}, rule));
  EXPECT_TRUE(IsWarm({7e9}, rule));
  EXPECT_TRUE(IsWarm({900, 100, 101, 100}, rule));
}

TEST(SteadyTest, NeedsThreeTimesThatAgreeAfterTheFirst) {
  EXPECT_FALSE(IsSteady({}));
  EXPECT_FALSE(IsSteady({100, 100, 100}));
  EXPECT_TRUE(IsSteady({900, 100, 101, 100}));
  EXPECT_FALSE(IsSteady({100, 100, 100, 103}));
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

TEST(InPairsTest, TakeSeveralWorkersWhichTogetherHaveMoreTimeThanOneAlone) {
  TimingRule rule;
  const TimingRule pairs = InPairs(rule);
  EXPECT_EQ(pairs.workers, 5);
  EXPECT_EQ(pairs.budget_ns, 2'500'000'000);
  EXPECT_DOUBLE_EQ(pairs.standard_error_percent, 0.25);
  EXPECT_EQ(pairs.min_samples, rule.min_samples);
  EXPECT_FALSE(EnoughSamples({0.3e9, 0.3e9, 0.3e9}, 0.9e9, 0.9e9, pairs));
  EXPECT_EQ(pairs.max_workers, rule.max_workers);
}

TEST(InLongSamplesTest, ASampleIsLongerAndHalfAsManyAreEnough) {
  const TimingRule rule;
  const TimingRule longer = InLongSamples(rule, 4);
  EXPECT_EQ(longer.sample_ns, 4 * rule.sample_ns);
  EXPECT_EQ(longer.min_samples, 5);
  EXPECT_EQ(longer.max_calls, 32);
  EXPECT_EQ(InLongSamples(rule, 5).max_calls, protocol::kMaxCalls);
  EXPECT_EQ(longer.max_samples, rule.max_samples);
  EXPECT_EQ(longer.workers, 1);
  EXPECT_EQ(CallsOfASample(390'000, longer), 21);
  EXPECT_EQ(CallsOfASample(390'000, rule), 6);
  EXPECT_EQ(InLongSamples(rule, 1).min_samples, rule.min_samples);
  EXPECT_EQ(InLongSamples(rule, 1).sample_ns, rule.sample_ns);
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

}  // namespace
}  // namespace warpgrade::judge
