// The studies drawn from what their programs printed on an H200, on 2026-11-27 (h200/). The figures that the documents
// give are those of these records, or of the same session. A second run a minute later was noisier: its totals of
// `overlap` were up to 32% above the longer time, where these are within 3%.
#include "tests/study/recorded.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/study/transfers.h"
#include "tests/cli/program.h"

namespace warpgrade::study {
namespace {

using testing::Contains;
using testing::HasSubstr;

std::string RecordOf(const std::string& study) {
  return ReadText(std::string(WARPGRADE_RECORDED) + "/" + study + ".rows");
}

plot::Plot FromRecord(const std::string& study) {
  Recorded machine(RecordOf(study));
  const Result<plot::Plot> plot = StudyNamed(study).run(machine);
  EXPECT_TRUE(plot.ok()) << (plot.ok() ? "" : plot.error().message);
  if (!plot) return {};
  EXPECT_EQ(plot->facts.at(0).second, "NVIDIA H200");
  return *plot;
}

TEST(RecordedTest, TransfersHaveTheLatencyAndTheSpeedOfAnH200) {
  const plot::Plot plot = FromRecord("transfers");
  ASSERT_EQ(plot.charts.size(), 2u);
  ASSERT_EQ(plot.charts[0].series.size(), 4u);
  for (const plot::Series& times : plot.charts[0].series) {
    ASSERT_EQ(times.points.size(), 10u) << times.name;
    EXPECT_EQ(times.points.front().x, 1 << 10);
    EXPECT_EQ(times.points.back().x, 256 << 20);
    const TransferModel model = FitTransfers(times);
    EXPECT_GT(model.latency_us, 5) << times.name;
    EXPECT_LT(model.latency_us, 15) << times.name;
    EXPECT_LT(WorstError(times, model), 0.6) << times.name;
  }
  const auto& speeds = plot.charts[1].series;
  EXPECT_NEAR(speeds[0].points.back().y, 55.0, 0.2) << speeds[0].name;
  EXPECT_NEAR(FitTransfers(plot.charts[0].series[0]).HalfSpeedBytes() / 1024, 432, 1) << "KB";
  EXPECT_GT(speeds[2].points.back().y, 3 * speeds[3].points.back().y) << "pinned beside pageable";
}

TEST(RecordedTest, TheHostsWorkIsHiddenBehindTheKernel) {
  const plot::Plot plot = FromRecord("overlap");
  ASSERT_EQ(plot.charts.size(), 1u);
  const auto& series = plot.charts[0].series;  // waits first, waits at the end, the sum, the longer one
  ASSERT_EQ(series.size(), 4u);
  for (size_t i = 0; i < series[0].points.size(); ++i) {
    EXPECT_NEAR(series[0].points[i].y / series[2].points[i].y, 1, 0.02);
    EXPECT_NEAR(series[1].points[i].y / series[3].points[i].y, 1, 0.03);
  }
}

TEST(RecordedTest, AFastSineIsWrongNearAZeroFarFromTheOrigin) {
  const plot::Plot plot = FromRecord("fastmath");
  ASSERT_EQ(plot.charts.size(), 3u);
  const plot::Chart& bits = plot.charts[1];
  EXPECT_NEAR(bits.series.at(1).points.at(0).y, 18.4, 0.1) << "sin, 0.1 to 3";
  EXPECT_EQ(bits.series.at(1).points.at(1).y, 0) << "sin, 1000 to 1003";
  for (const plot::Point& precise : bits.series.at(0).points) EXPECT_GT(precise.y, 22);
  EXPECT_THAT(plot.charts[2].sentences, Contains(HasSubstr("sin, 0.1 to 3: fast is 3.7 times as fast.")));
}

TEST(RecordedTest, TheKernelsThatAddAreASmallPartOfTheTime) {
  const plot::Plot plot = FromRecord("sync");
  ASSERT_EQ(plot.charts.size(), 4u);
  for (const plot::Chart& chart : plot.charts) {
    EXPECT_EQ(chart.series.size(), 4u) << chart.title;
    EXPECT_EQ(chart.categories.size(), 4u) << chart.title;
    EXPECT_FALSE(chart.sentences.empty()) << chart.title;
  }
  // Copies: 100 times as long until the host has the sum, while the kernels take as long.
  EXPECT_GT(plot.charts[0].series.at(3).points.at(1).y, 100 * plot.charts[0].series.at(3).points.at(2).y);
  EXPECT_NEAR(plot.charts[1].series.at(3).points.at(1).y, plot.charts[1].series.at(3).points.at(2).y, 2);
}

}  // namespace
}  // namespace warpgrade::study
