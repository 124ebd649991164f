#include "grader/judge/gpu_peaks.h"

#include <gtest/gtest.h>

namespace warpgrade::judge {
namespace {

GpuFigures H200() {
  return {.major = 9,
          .minor = 0,
          .multiprocessors = 132,
          .clock_khz = 1'980'000,
          .memory_clock_khz = 3'201'000,
          .memory_bus_bits = 6144};
}

// 132 multiprocessors of 128 lanes with a multiply-add each at 1980 MHz; the data sheet says 67 TFLOP/s and 4.8 TB/s.
TEST(GpuPeaksTest, AnH200DoesNoMoreThan66Point9TeraflopsInFloat) {
  const score::Peaks peaks = PeaksOf(H200());
  ASSERT_TRUE(peaks.gflop_s && peaks.gb_s);
  EXPECT_NEAR(*peaks.gflop_s, 66'908, 1);
  EXPECT_NEAR(*peaks.gb_s, 4'917, 1);
  EXPECT_EQ(peaks.tensor_gflop_s, std::nullopt);
}

TEST(GpuPeaksTest, AnotherCapabilityHasOtherLanes) {
  GpuFigures a100 = H200();
  a100.major = 8;
  a100.multiprocessors = 108;
  a100.clock_khz = 1'410'000;
  EXPECT_NEAR(*PeaksOf(a100).gflop_s, 19'492, 1);
}

TEST(GpuPeaksTest, WhatIsNotKnownIsLeftOpen) {
  GpuFigures unknown = H200();
  unknown.major = 99;
  EXPECT_EQ(PeaksOf(unknown).gflop_s, std::nullopt);
  EXPECT_TRUE(PeaksOf(unknown).gb_s);
  GpuFigures silent = H200();
  silent.clock_khz = 0;
  silent.memory_clock_khz = 0;
  EXPECT_EQ(PeaksOf(silent).gflop_s, std::nullopt);
  EXPECT_EQ(PeaksOf(silent).gb_s, std::nullopt);
}

}  // namespace
}  // namespace warpgrade::judge
