#include "grader/cli/plot_charts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/device_model/occupancy.h"

namespace warpgrade::cli {
namespace {

using plot::Chart;
using plot::Plot;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

PlotSubject Gpu() {
  PlotSubject subject{
      "lab1 Reduction", "the course's solutions", "2026-11-26T12:00:00Z", {"gpu", "NVIDIA H200", "", "570", {}}};
  subject.device.peaks.gb_s = 4000;
  subject.device.peaks.gflop_s = 60000;
  return subject;
}

PlotSubject Emulator() {
  return {"lab1 Reduction", "my-work", "2026-11-26T12:00:00Z", {"emulator", "emulator", "", "", {}}};
}

score::SizeMeasurement Timed(uint64_t elements, double gb_s, double spread = 1) {
  score::SizeMeasurement size;
  size.elements = elements;
  size.throughput.status = score::ThroughputMeasurement::Status::kMeasured;
  size.throughput.value = gb_s;
  size.throughput.seconds = 4.0 * static_cast<double>(elements) / (gb_s * 1e9);
  size.throughput.spread_percent = spread;
  return size;
}

score::SizeMeasurement Counted(uint64_t elements, double instructions, double blocks) {
  score::SizeMeasurement size;
  size.elements = elements;
  size.metrics = {{"warp_instructions", instructions}, {"global_bytes_per_element", 4.5}, {"blocks", blocks}};
  return size;
}

PlottedRung Plotted(const std::string& name, std::vector<score::SizeMeasurement> sizes) {
  PlottedRung rung{name, {}};
  rung.measurement.sizes = std::move(sizes);
  return rung;
}

std::string Fact(const Plot& plot, const std::string& name) {
  std::string facts;
  for (const auto& [key, value] : plot.facts) {
    if (key == name) facts += value + "\n";
  }
  return facts;
}

TEST(PlotChartsTest, AShmooOnAGpuHasSpeedAndTimeWithTheSpreadAndWhoOvertakesWhom) {
  const Plot plot = ShmooPlot(
      Gpu(), {Plotted("v3", {Timed(1024, 10), Timed(2048, 20)}), Plotted("v4", {Timed(1024, 5), Timed(2048, 40, 7)})});
  ASSERT_EQ(plot.charts.size(), 2u);
  EXPECT_EQ(plot.charts[0].y.title, "GB/s");
  EXPECT_THAT(plot.charts[0].sentences, Contains("v4 overtakes v3 from 2^11 elements on."));
  const plot::Point& point = plot.charts[0].series.at(1).points.at(1);
  EXPECT_DOUBLE_EQ(point.low, 40 * 0.93);
  EXPECT_DOUBLE_EQ(point.high, 40 * 1.07);
  EXPECT_NEAR(plot.charts[1].series.at(0).points.at(0).y, 0.4, 1e-9) << "4 bytes at 10 GB/s take 0.4 ns";
  EXPECT_THAT(Fact(plot, "Device"), HasSubstr("NVIDIA H200, driver 570"));
  EXPECT_THAT(Fact(plot, "Date"), HasSubstr("2026-11-26"));
  EXPECT_THAT(Fact(plot, "Sizes"), HasSubstr("2 from 2^10 to 2^11 elements"));
  EXPECT_THAT(Fact(plot, "Spread"), HasSubstr("at most 7% (v4 at 2^11)"));
}

TEST(PlotChartsTest, TheErrorOfTheClockCountsWhereItIsLargerThanTheSpread) {
  score::SizeMeasurement small = Timed(1024, 10, 1);
  small.clock_error_percent = 30;
  const Plot plot = ShmooPlot(Gpu(), {Plotted("v3", {small})});
  EXPECT_DOUBLE_EQ(plot.charts[0].series.at(0).points.at(0).low, 7);
}

TEST(PlotChartsTest, WhatHasNoPointIsSaidWithTheReason) {
  score::SizeMeasurement late;
  late.elements = 4096;
  late.throughput.reason = "no time was left";
  PlottedRung wrong = Plotted("v5", {});
  wrong.measurement.status = score::RungStatus::kFailed;
  wrong.measurement.failures.push_back({"n", 0, "1", "2", "n = 1024: out[0] is wrong"});
  const Plot plot = ShmooPlot(Gpu(), {Plotted("v3", {Timed(1024, 10), late}), wrong});
  EXPECT_EQ(plot.charts[0].series.size(), 1u);
  EXPECT_EQ(plot.charts[0].series[0].points.size(), 1u);
  EXPECT_THAT(Fact(plot, "Left out"),
              AllOf(HasSubstr("v3 at 2^12: no time was left"), HasSubstr("v5: failed, n = 1024: out[0] is wrong")));
}

TEST(PlotChartsTest, APointWhoseClocksDisagreeIsHollow) {
  score::SizeMeasurement flagged = Timed(1024, 10);
  flagged.throughput.status = score::ThroughputMeasurement::Status::kFlagged;
  const Plot plot = ShmooPlot(Gpu(), {Plotted("v3", {flagged})});
  EXPECT_TRUE(plot.charts[0].series.at(0).points.at(0).doubtful);
  EXPECT_THAT(Fact(plot, "Spread"), HasSubstr("1 point is hollow"));
}

TEST(PlotChartsTest, AShmooOnTheEmulatorHasCountsPerElementAndNoTime) {
  const Plot plot =
      ShmooPlot(Emulator(), {Plotted("v3", {Counted(1024, 512, 4)}), Plotted("v4", {Counted(1024, 256, 2)})});
  ASSERT_EQ(plot.charts.size(), 2u);
  EXPECT_DOUBLE_EQ(plot.charts[0].series.at(0).points.at(0).y, 0.5);
  EXPECT_DOUBLE_EQ(plot.charts[1].series.at(0).points.at(0).y, 4.5) << "is per element already";
  EXPECT_THAT(plot.charts[0].sentences, Contains("v4 is better than v3 at 2^10 elements."));
  EXPECT_THAT(Fact(plot, "Device"), HasSubstr("emulator"));
  EXPECT_THAT(Fact(plot, "Spread"), HasSubstr("counts exactly"));
  EXPECT_THAT(Fact(plot, "Program"), HasSubstr("my-work"));
}

TEST(PlotChartsTest, AShmooSaysWhatTheLargestSizeTakes) {
  const Plot plot = ShmooPlot(
      Gpu(), {Plotted("v1", {Timed(1024, 10), Timed(1 << 30, 417)}), Plotted("v9", {Timed(1 << 20, 4194.304)})});
  EXPECT_THAT(plot.charts.at(1).sentences,
              ElementsAre("v1 takes 10.3 ms for 2^30 elements.", "v9 takes 1 us for 2^20 elements."));
}

TEST(PlotChartsTest, TheWorkOfALargeSizeIsSaidWhereTheCountPerElementIsSteady) {
  const Plot plot = ShmooPlot(Emulator(), {Plotted("v1", {Counted(1024, 2048, 4), Counted(2048, 4100, 4)}),
                                           Plotted("v2", {Counted(1024, 2048, 4), Counted(2048, 3000, 4)}),
                                           Plotted("v3", {Counted(2048, 1024, 4)})});
  const auto& sentences = plot.charts.at(0).sentences;
  EXPECT_THAT(
      sentences,
      Contains("v1 executes 2 instructions of warps per element at 2^11: about 2150 million for 2^30 elements."));
  EXPECT_THAT(sentences, testing::Not(Contains(HasSubstr("v2 executes"))));
  EXPECT_THAT(sentences, testing::Not(Contains(HasSubstr("v3 executes"))));
}

TEST(PlotChartsTest, ALadderOnAGpuSaysHowNearToACopyEachRungComes) {
  PlottedRung v1{"v1", {}}, v2{"v2", {}};
  for (PlottedRung* rung : {&v1, &v2}) {
    rung->measurement.throughput = Timed(1024, rung == &v1 ? 500 : 2000).throughput;
    rung->measurement.throughput.ceiling = 4000;
  }
  const Plot plot = LadderPlot(Gpu(), {v1, v2}, {{"v1", {8, 0, 1024, "n = 1", "n = 2"}}});
  ASSERT_EQ(plot.charts.size(), 2u);
  EXPECT_THAT(plot.charts[0].categories, ElementsAre("v1", "v2"));
  EXPECT_THAT(plot.charts[0].sentences, ElementsAre("v2 is 4.00 times as fast as v1."));
  EXPECT_DOUBLE_EQ(plot.charts[1].series.at(0).points.at(1).y, 50);
  EXPECT_THAT(plot.charts[1].sentences, ElementsAre("v2 comes nearest to a copy in device memory: 50.0%."));
  EXPECT_EQ(Fact(plot, "Sizes"), "n = 2\n");
}

TEST(PlotChartsTest, ALadderOnTheEmulatorComparesTrafficWithTheIdeal) {
  PlottedRung v1{"v1", {}};
  v1.measurement.metrics = {{"global_bytes_per_element", 36}};
  const Plot plot = LadderPlot(Emulator(), {v1}, {{"v1", {8, 0, 1024, "n = 1", "n = 2"}}});
  EXPECT_THAT(plot.charts.at(0).sentences, ElementsAre("v1 moves 36 bytes per element, 4.5 times the ideal of 8."));
  EXPECT_EQ(Fact(plot, "Sizes"), "n = 1\n");
}

TEST(PlotChartsTest, ARooflineSaysWhichRoofBoundsARungAndHowMuchOfItIsReached) {
  PlottedRung v1{"v1", {}};
  v1.measurement.metrics = {{"global_bytes_per_element", 8}};
  v1.measurement.throughput = Timed(1024, 1000).throughput;
  v1.measurement.throughput.unit = "GFLOP/s";
  const WorkOfRungs work = {{"v1", {8, 4096, 1024, "n = 1", "n = 2"}}};  // 0.5 operations per byte
  const Plot plot = RooflinePlot(Gpu(), {v1}, work, DefaultDeviceModel());
  EXPECT_THAT(plot.charts.at(0).sentences,
              ElementsAre("v1 does 0.5 operations per byte, so memory bounds it at 2000 GFLOP/s; it reaches 1000, "
                          "which is 50%."));
  ASSERT_EQ(plot.charts[0].series.size(), 2u);
  EXPECT_TRUE(plot.charts[0].series[1].is_bound);
  EXPECT_DOUBLE_EQ(plot.charts[0].series[1].points.at(1).y, 60000) << "the ridge";
  const Plot bound = RooflinePlot(Emulator(), {v1}, work, DefaultDeviceModel());
  EXPECT_TRUE(bound.charts.at(0).series.at(0).points.at(0).doubtful) << "nothing was timed";
  EXPECT_THAT(bound.charts[0].sentences[0], Not(HasSubstr("reaches")));
}

TEST(PlotChartsTest, OccupancyIsThatOfTheCalculatorEverywhere) {
  const OccupancyQuestion question{50, 128, 0};
  const DeviceModel& gpu = DefaultDeviceModel();
  const Plot plot = OccupancyPlot(question, gpu, "2026-11-26");
  ASSERT_EQ(plot.charts.size(), 3u);
  for (const plot::Point& point : plot.charts[0].series.at(0).points) {
    KernelNeeds needs;
    needs.registers = static_cast<uint32_t>(point.x);
    EXPECT_EQ(point.y, OccupancyOf(needs, gpu.capability, 128, 0).warps) << point.x;
  }
  // 48 is also what OccupancyTextTest works out by hand.
  EXPECT_THAT(plot.charts[0].sentences, Contains("With 48 registers, 40 warps are resident."));
  EXPECT_THAT(Fact(plot, "Sizes"), HasSubstr("36 of 64 warps"));
}

TEST(PlotChartsTest, ScalingPutsTheTimeOfTheGpuAgainstTheBlocksOfTheEmulator) {
  const std::vector<PlottedRung> counted = {
      Plotted("v7", {Counted(1024, 100, 4), Counted(2048, 400, 8), Counted(4096, 800, 8)})};
  const Plot plot = ScalingPlot(Gpu(), counted, {Plotted("v7", {Timed(1024, 10), Timed(2048, 30)})});
  const std::vector<plot::Point>& points = plot.charts.at(0).series.at(0).points;
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[1].x, 8);
  EXPECT_EQ(points[1].y, 30);
  EXPECT_THAT(plot.charts[0].sentences, ElementsAre("v7 launches 4 to 8 blocks, and no more from 2^11 elements on."));
  EXPECT_EQ(ScalingPlot(Emulator(), counted, {}).charts.at(0).series.at(0).points.at(2).y, 100);
}

}  // namespace
}  // namespace warpgrade::cli
