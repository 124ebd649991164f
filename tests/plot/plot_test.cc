#include "grader/plot/plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::plot {
namespace {

using testing::ElementsAre;

TEST(PlotTest, NumbersAreShort) {
  EXPECT_EQ(NumberOn(Scale::kPowersOf2, 65536), "2^16");
  EXPECT_EQ(NumberOn(Scale::kPowersOf2, 512), "512");
  EXPECT_EQ(NumberOn(Scale::kPowersOf2, 1500), "1500");
  EXPECT_EQ(NumberOn(Scale::kLinear, 1024), "1024");
  EXPECT_EQ(NumberOn(Scale::kLinear, 0.123456), "0.1235");
  EXPECT_EQ(NumberOn(Scale::kLinear, -0.0), "0");
  EXPECT_EQ(NumberOn(Scale::kPowersOf10, 123456), "123456");
}

TEST(PlotTest, MarksLieInsideTheAxisAndAreFew) {
  EXPECT_THAT(Ticks(Scale::kLinear, 0, 100, 5), ElementsAre(0, 20, 40, 60, 80, 100));
  EXPECT_THAT(Ticks(Scale::kPowersOf2, 1024, 8192, 10), ElementsAre(1024, 2048, 4096, 8192));
  EXPECT_THAT(Ticks(Scale::kPowersOf10, 0.9, 12, 9), ElementsAre(1, 2, 5, 10));
  EXPECT_THAT(Ticks(Scale::kPowersOf10, 4.0, 4.2, 5), ElementsAre(4.0, testing::DoubleEq(4.05), testing::DoubleEq(4.1),
                                                                  testing::DoubleEq(4.15), testing::DoubleEq(4.2)));
  EXPECT_LE(Ticks(Scale::kPowersOf2, 1024, 268435456, 10).size(), 11u);
  EXPECT_LE(Ticks(Scale::kPowersOf10, 1e-3, 1e6, 9).size(), 11u);
  EXPECT_THAT(Ticks(Scale::kLinear, 3, 3, 5), ElementsAre(3));
}

TEST(PlotTest, TheCsvFileHasARowForEachPointWithAllFacts) {
  Plot plot{.title = "lab1", .facts = {{"Device", "the emulator, 2 cores"}, {"Date", "2026-11-26"}}, .charts = {}};
  plot.charts.push_back({.id = "throughput",
                         .title = "Throughput",
                         .x = {"elements", Scale::kPowersOf2},
                         .y = {"GB/s", Scale::kPowersOf10},
                         .series = {{.name = "v\"1\"", .points = {{1024, 2.5, 2, 3}, {2048, 4, 4, 4, true}}}}});
  plot.charts.push_back(
      {.id = "bars", .y = {"bytes"}, .categories = {"v1"}, .series = {{.name = "b", .points = {{0, 7, 7, 7}}}}});
  EXPECT_EQ(CsvText(plot),
            "chart,series,x,y,low,high,doubtful,x_axis,y_axis,device,date\n"
            "throughput,\"v\"\"1\"\"\",1024,2.5,2,3,no,elements,GB/s,\"the emulator, 2 cores\",2026-11-26\n"
            "throughput,\"v\"\"1\"\"\",2048,4,4,4,yes,elements,GB/s,\"the emulator, 2 cores\",2026-11-26\n"
            "bars,b,v1,7,7,7,no,,bytes,\"the emulator, 2 cores\",2026-11-26\n");
}

}  // namespace
}  // namespace warpgrade::plot
