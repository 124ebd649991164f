#include "grader/judge/machine_speed.h"

#include <gtest/gtest.h>

namespace warpgrade::judge {
namespace {

constexpr int64_t kMillisecondNs = 1'000'000;

TEST(MachineSpeedTest, AFastOrOrdinaryMachineChangesNoLimit) {
  EXPECT_EQ(SlownessFrom(kMillisecondNs / 10), 1);
  EXPECT_EQ(SlownessFrom(kMillisecondNs), 1);
  EXPECT_EQ(SlownessFrom(kMillisecondNs * 3 / 2), 1);
}

TEST(MachineSpeedTest, ASlowMachineGetsAsMuchMoreTimeAsItIsSlowerButNotWithoutEnd) {
  EXPECT_EQ(SlownessFrom(3 * kMillisecondNs), 3);
  EXPECT_EQ(SlownessFrom(1000 * kMillisecondNs), 10);
}

TEST(MachineSpeedTest, WhatIsMeasuredIsWithinItsBounds) {
  const double slowness = MeasureSlowness();
  EXPECT_GE(slowness, 1);
  EXPECT_LE(slowness, 10);
}

TEST(MachineSpeedTest, OnlyLimitsOfTimeAreStretched) {
  config::RunLimits run;
  run.wall_s = 60;
  run.cpu_s = 7;
  const config::RunLimits stretched = Stretched(run, 2.5);
  EXPECT_EQ(stretched.wall_s, 150);
  EXPECT_EQ(stretched.cpu_s, 18);
  EXPECT_EQ(stretched.memory_mb, run.memory_mb);
  EXPECT_EQ(stretched.instruction_budget, run.instruction_budget);
  EXPECT_EQ(stretched.total_instruction_budget, run.total_instruction_budget);
  EXPECT_EQ(Stretched(config::BuildLimits{}, 2).cpu_s, 2 * config::BuildLimits{}.cpu_s);
}

}  // namespace
}  // namespace warpgrade::judge
