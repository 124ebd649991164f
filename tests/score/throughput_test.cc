#include "grader/score/throughput.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <string>

namespace warpgrade::score {
namespace {

using config::Points;
using config::ThroughputScale;
using Unit = ThroughputScale::Unit;

const Points kTwo = Points::FromHundredths(200);

ThroughputScale Linear(Unit unit, double zero, double full) {
  ThroughputScale scale;
  scale.unit = unit;
  scale.zero = zero;
  scale.full = full;
  return scale;
}

ThroughputScale Steps() {
  ThroughputScale scale;
  scale.steps = {{100, Points::FromHundredths(50)}, {200, kTwo}};
  return scale;
}

ThroughputMeasurement Measured(double value, std::optional<double> ceiling = std::nullopt) {
  ThroughputMeasurement measurement;
  measurement.status = ThroughputMeasurement::Status::kMeasured;
  measurement.value = value;
  measurement.ceiling = ceiling;
  return measurement;
}

int64_t Hundredths(const ThroughputScale& scale, const ThroughputMeasurement& measurement) {
  return ThroughputPoints(scale, kTwo, measurement).hundredths();
}

config::Rung WithScales(const std::map<std::string, Unit>& units) {
  config::Rung rung;
  for (const auto& [target, unit] : units) rung.throughput_scales[target] = Linear(unit, 0.5, 1);
  return rung;
}

TEST(TimingTest, AShareOfTheSolutionIsTimedInPairsIfThereIsASolution) {
  const config::Rung everywhere = WithScales({{"any", Unit::kShareOfSolution}});
  EXPECT_TRUE(IsComparedWithSolution(everywhere));
  EXPECT_EQ(TimingOf(everywhere, "h200", true), Timing::kInPairs);
  EXPECT_EQ(TimingOf(everywhere, "h200", false), Timing::kNot);
}

TEST(TimingTest, ARungWithAnotherUnitForSomeGpuIsTimedAloneWhereThereIsNoSolution) {
  const config::Rung rung = WithScales({{"h200", Unit::kGigabytesPerSecond}, {"any", Unit::kShareOfSolution}});
  EXPECT_FALSE(IsComparedWithSolution(rung));
  EXPECT_EQ(TimingOf(rung, "a100", true), Timing::kInPairs);
  EXPECT_EQ(TimingOf(rung, "a100", false), Timing::kAlone);
  EXPECT_EQ(TimingOf(rung, "h200", true), Timing::kAlone);
  EXPECT_EQ(TimingOf(rung, "h200", false), Timing::kAlone);
}

TEST(TimingTest, ARungWithoutAScaleForTheGpuIsTimedAlone) {
  EXPECT_FALSE(IsComparedWithSolution(config::Rung()));
  EXPECT_EQ(TimingOf(config::Rung(), "h200", true), Timing::kAlone);
  EXPECT_EQ(TimingOf(WithScales({{"h200", Unit::kGigabytesPerSecond}}), "a100", true), Timing::kAlone);
}

TEST(ThroughputTest, WhatHasPointsForItOrALeaderboardIsTimed) {
  config::Lab lab;
  config::Rung rung;
  EXPECT_FALSE(IsTimed(lab, rung));
  rung.throughput = kTwo;
  EXPECT_TRUE(IsTimed(lab, rung));
  rung.throughput = Points();
  lab.leaderboard.emplace();
  EXPECT_TRUE(IsTimed(lab, rung));
}

TEST(ThroughputTest, RungsWithoutAScaleForAGpuAreCounted) {
  config::Rung everywhere, one_gpu, untimed;
  everywhere.name = "v1";
  everywhere.throughput = kTwo;
  everywhere.throughput_scales["any"] = Steps();
  one_gpu.name = "v2";
  one_gpu.throughput = kTwo;
  one_gpu.throughput_scales["h200"] = Steps();
  config::Lab lab;
  lab.name = "lab3";
  lab.rungs = {everywhere, one_gpu, untimed};
  EXPECT_TRUE(RungsWithoutScale({lab}, "h200").rungs.empty());
  const WithoutScale on_h100 = RungsWithoutScale({lab, lab}, "h100");
  EXPECT_EQ(on_h100.rungs, (std::vector<std::string>{"lab3 v2", "lab3 v2"}));
  EXPECT_EQ(on_h100.of, 4u);
  EXPECT_EQ(on_h100.points, kTwo + kTwo);
}

TEST(ThroughputTest, LinearIsClampedAtBothEnds) {
  const ThroughputScale scale = Linear(Unit::kGigabytesPerSecond, 100, 300);
  EXPECT_EQ(Hundredths(scale, Measured(0)), 0);
  EXPECT_EQ(Hundredths(scale, Measured(100)), 0);
  EXPECT_EQ(Hundredths(scale, Measured(200)), 100);
  EXPECT_EQ(Hundredths(scale, Measured(201)), 101);
  EXPECT_EQ(Hundredths(scale, Measured(300)), 200);
  EXPECT_EQ(Hundredths(scale, Measured(9000)), 200);
}

TEST(ThroughputTest, TheHighestStepReachedCounts) {
  EXPECT_EQ(Hundredths(Steps(), Measured(99.9)), 0);
  EXPECT_EQ(Hundredths(Steps(), Measured(100)), 50);
  EXPECT_EQ(Hundredths(Steps(), Measured(199.9)), 50);
  EXPECT_EQ(Hundredths(Steps(), Measured(200)), 200);
}

TEST(ThroughputTest, AShareOfTheSolutionsSpeedIsOneInAnyUnit) {
  const ThroughputScale scale = Linear(Unit::kShareOfSolution, 0.5, 1);
  ThroughputMeasurement measurement = Measured(3, 4.0);
  EXPECT_EQ(Hundredths(scale, measurement), 0) << "4 is what a copy moves";
  measurement.ceiling_of = ThroughputMeasurement::Ceiling::kSolution;
  EXPECT_EQ(Hundredths(scale, measurement), 100);
  measurement.unit = "GFLOP/s";
  EXPECT_EQ(Hundredths(scale, measurement), 100);
  measurement.value = 5;
  EXPECT_EQ(Hundredths(scale, measurement), 200);
  measurement.value = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(Hundredths(scale, measurement), 0);
  measurement.value = 3;
  measurement.ceiling = std::nullopt;
  EXPECT_EQ(Hundredths(scale, measurement), 0);
  measurement.ceiling = 0;
  EXPECT_EQ(Hundredths(scale, measurement), 0);
}

TEST(ThroughputTest, TheSolutionsSpeedIsNoCopys) {
  ThroughputMeasurement measurement = Measured(3, 4.0);
  measurement.ceiling_of = ThroughputMeasurement::Ceiling::kSolution;
  EXPECT_EQ(Hundredths(Linear(Unit::kShareOfCopy, 0.5, 1), measurement), 0);
  EXPECT_EQ(Hundredths(Linear(Unit::kGigabytesPerSecond, 2, 4), measurement), 100);
}

TEST(ThroughputTest, OperationsAreNoShareOfACopysBytes) {
  ThroughputMeasurement measurement = Measured(3, 4.0);
  EXPECT_EQ(ShareOfCeiling(measurement), 0.75);
  measurement.unit = "GFLOP/s";
  EXPECT_EQ(ShareOfCeiling(measurement), std::nullopt);
}

TEST(ThroughputTest, AShareIsOfTheMeasuredCopy) {
  const ThroughputScale scale = Linear(Unit::kShareOfCopy, 0, 1);
  EXPECT_EQ(Hundredths(scale, Measured(2000, 4000)), 100);
  EXPECT_EQ(Hundredths(scale, Measured(5000, 4000)), 200);
}

TEST(ThroughputTest, AShareWithoutACeilingEarnsNothing) {
  const ThroughputScale scale = Linear(Unit::kShareOfCopy, 0, 1);
  EXPECT_EQ(Hundredths(scale, Measured(2000)), 0);
  EXPECT_EQ(Hundredths(scale, Measured(2000, 0)), 0);
  EXPECT_EQ(Hundredths(scale, Measured(2000, -1)), 0);
  EXPECT_EQ(Hundredths(scale, Measured(2000, std::nan(""))), 0);
}

TEST(ThroughputTest, WhatIsNoNumberEarnsNothing) {
  for (const ThroughputScale& scale : {Linear(Unit::kGigabytesPerSecond, 0, 1), Steps()}) {
    EXPECT_EQ(Hundredths(scale, Measured(std::nan(""))), 0);
    EXPECT_EQ(Hundredths(scale, Measured(std::numeric_limits<double>::infinity())), 0);
    EXPECT_EQ(Hundredths(scale, Measured(-5)), 0);
  }
}

TEST(ThroughputTest, WhatIsNotMeasuredOrFlaggedEarnsNothing) {
  ThroughputMeasurement measurement = Measured(9000);
  measurement.status = ThroughputMeasurement::Status::kFlagged;
  EXPECT_EQ(Hundredths(Steps(), measurement), 0);
  measurement.status = ThroughputMeasurement::Status::kNotMeasured;
  EXPECT_EQ(Hundredths(Steps(), measurement), 0);
}

TEST(ThroughputTest, AnotherUnitThanTheScalesEarnsNothing) {
  ThroughputMeasurement measurement = Measured(9000);
  measurement.unit = "GFLOP/s";
  EXPECT_EQ(Hundredths(Steps(), measurement), 0);
  EXPECT_EQ(Hundredths(Linear(Unit::kGigaflopsPerSecond, 0, 1), measurement), 200);
  EXPECT_EQ(Hundredths(Linear(Unit::kGigaflopsPerSecond, 0, 1), Measured(9000)), 0);
}

TEST(ThroughputTest, ATargetsOwnScaleGoesBeforeAny) {
  config::Rung rung;
  EXPECT_EQ(FindScale(rung, "h200"), nullptr);
  rung.throughput_scales["any"] = Linear(Unit::kShareOfCopy, 0, 1);
  rung.throughput_scales["h200"] = Steps();
  EXPECT_EQ(FindScale(rung, "h200"), &rung.throughput_scales["h200"]);
  EXPECT_EQ(FindScale(rung, "a100"), &rung.throughput_scales["any"]);
  EXPECT_EQ(FindScale(rung, ""), &rung.throughput_scales["any"]);
}

using Arithmetic = config::Rung::Arithmetic;
// Of an H200.
const Peaks kPeaks{.gb_s = 4800, .gflop_s = 66908, .tensor_gflop_s = 989000};

ThroughputMeasurement::Status Checked(double value, const std::string& unit, Arithmetic arithmetic,
                                      const Peaks& peaks = kPeaks) {
  ThroughputMeasurement measurement = Measured(value);
  measurement.unit = unit;
  FlagImpossible(peaks, arithmetic, &measurement);
  return measurement.status;
}

TEST(ThroughputTest, MoreThanTheGpuCanDoIsFlaggedAndGivesNothing) {
  const ThroughputScale scale = Linear(Unit::kGigabytesPerSecond, 100, 300);
  ThroughputMeasurement possible = Measured(4800), impossible = Measured(4801);
  FlagImpossible(kPeaks, Arithmetic::kFloat, &possible);
  FlagImpossible(kPeaks, Arithmetic::kFloat, &impossible);
  EXPECT_EQ(Hundredths(scale, possible), 200);
  EXPECT_EQ(Hundredths(scale, impossible), 0);
  EXPECT_EQ(impossible.status, ThroughputMeasurement::Status::kFlagged);
  EXPECT_EQ(impossible.reason,
            "4801 GB/s is more than this GPU can do (4800 GB/s); it gives no points until a person has looked at it "
            "and accepted it with warpgrade accept");
}

TEST(ThroughputTest, FloatHasThePeakOfOrdinaryCores) {
  EXPECT_EQ(Checked(66908, "GFLOP/s", Arithmetic::kFloat), ThroughputMeasurement::Status::kMeasured);
  EXPECT_EQ(Checked(66909, "GFLOP/s", Arithmetic::kFloat), ThroughputMeasurement::Status::kFlagged);
}

TEST(ThroughputTest, TensorCoresHaveAPeakOfTheirOwn) {
  EXPECT_EQ(Checked(205226, "GFLOP/s", Arithmetic::kTensor), ThroughputMeasurement::Status::kMeasured);
  EXPECT_EQ(Checked(989001, "GFLOP/s", Arithmetic::kTensor), ThroughputMeasurement::Status::kFlagged);
  EXPECT_EQ(Checked(4801, "GB/s", Arithmetic::kTensor), ThroughputMeasurement::Status::kFlagged);
}

TEST(ThroughputTest, APeakThatIsNotKnownFlagsNothing) {
  EXPECT_EQ(Checked(1e9, "GB/s", Arithmetic::kFloat, {}), ThroughputMeasurement::Status::kMeasured);
  const Peaks memory_only{.gb_s = 4800, .gflop_s = std::nullopt, .tensor_gflop_s = std::nullopt};
  EXPECT_EQ(Checked(1e9, "GFLOP/s", Arithmetic::kFloat, memory_only), ThroughputMeasurement::Status::kMeasured);
  EXPECT_EQ(Checked(1e9, "GFLOP/s", Arithmetic::kTensor, {.gb_s = 4800, .gflop_s = 66908, .tensor_gflop_s = {}}),
            ThroughputMeasurement::Status::kMeasured);
}

}  // namespace
}  // namespace warpgrade::score
