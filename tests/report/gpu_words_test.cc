#include "grader/report/gpu_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/report/words.h"
#include "tests/report/sample_report.h"

namespace warpgrade::report {
namespace {

using score::GpuTelemetry;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(GpuWordsTest, ASteadyGpu) {
  EXPECT_EQ(GpuWords(SteadyGpu()), "GPU: SM 1980 MHz of 1980, memory 3201 MHz, 45 C, 412 W, not throttled");
}

TEST(GpuWordsTest, AGpuWhoseClockWavered) {
  EXPECT_EQ(GpuWords(HotGpu()),
            "GPU: SM 1755 MHz (1410 to 1980) of 1980, memory 3201 MHz, 91 C, 412 W, throttled: thermal (hardware), "
            "power cap");
}

TEST(GpuWordsTest, WhatTheDriverDidNotTellIsLeftOut) {
  GpuTelemetry gpu;
  gpu.readings = 3;
  EXPECT_EQ(GpuWords(gpu), "");
  gpu.temperature_c = 45;
  EXPECT_EQ(GpuWords(gpu), "GPU: 45 C");
  gpu.sm_mhz_median = 1755;
  EXPECT_EQ(GpuWords(gpu), "GPU: SM 1755 MHz, 45 C");
}

TEST(GpuWordsTest, AResultsFileThatSomebodyEditedCannotFloodTheLine) {
  GpuTelemetry gpu;
  gpu.throttle = std::vector<std::string>(1000, "\x1b[2J" + std::string(1000, 'x'));
  const std::string words = GpuWords(gpu);
  EXPECT_LT(words.size(), 400u);
  EXPECT_THAT(words, HasSubstr("\\x1b[2J"));
  EXPECT_TRUE(words.ends_with(", ..."));
}

score::RungScore Timed(const GpuTelemetry& gpu) {
  score::RungScore rung = RightRung("v1");
  rung.measurement.throughput.status = score::ThroughputMeasurement::Status::kMeasured;
  rung.measurement.throughput.gpu = gpu;
  return rung;
}

TEST(SlowdownWordsTest, HeatIsToldToTheTaWithWhatToDo) {
  EXPECT_THAT(Notes(Timed(HotGpu()), {"gpu", "", "", ""}, ""),
              ElementsAre("throughput: the GPU slowed down during the timing: thermal (hardware), power cap; it is "
                          "fair to grade this rung again when the GPU is cool"));
}

TEST(SlowdownWordsTest, APowerCapIsEverydayAndNotSaid) {
  GpuTelemetry gpu = SteadyGpu();
  gpu.throttle = {"power cap", "application clocks"};
  EXPECT_THAT(Notes(Timed(gpu), {"gpu", "", "", ""}, ""), IsEmpty());
  EXPECT_EQ(SlowdownWords(gpu), "");
}

}  // namespace
}  // namespace warpgrade::report
