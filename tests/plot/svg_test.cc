#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "grader/plot/plot.h"

namespace warpgrade::plot {
namespace {

using testing::HasSubstr;
using testing::Not;

size_t Count(const std::string& text, const std::string& what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

Plot TwoCharts() {
  Plot plot{.title = "lab1 <Reduction> & more", .facts = {{"Device", "NVIDIA H200"}}, .charts = {}};
  plot.charts.push_back({.id = "a",
                         .title = "Throughput",
                         .x = {"elements", Scale::kPowersOf2},
                         .y = {"GB/s", Scale::kPowersOf10},
                         .series = {{.name = "v1", .points = {{1024, 10, 9, 11}, {2048, 100, 10, 200}}},
                                    {.name = "v2", .points = {{1024, 20, 20, 20}}},
                                    {.name = "copy", .points = {{1024, 99, 99, 99}}, .is_bound = true}},
                         .sentences = {"v2 overtakes v1."}});
  plot.charts.push_back(
      {.id = "b", .title = "Bars", .categories = {"v1", "v2"}, .series = {{.name = "x", .points = {{0, 3, 3, 3}}}}});
  return plot;
}

TEST(SvgTest, EverythingThatThePlotSaysIsInThePicture) {
  const std::string svg = SvgText(TwoCharts());
  for (const char* text : {"lab1 &lt;Reduction&gt; &amp; more", "Device: NVIDIA H200", ">v2 overtakes v1.<", ">v1<",
                           ">GB/s<", ">2^10<", ">copy<", ">Bars<"}) {
    EXPECT_THAT(svg, HasSubstr(text));
  }
  EXPECT_THAT(svg, Not(HasSubstr("<script")));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
}

TEST(SvgTest, MoreIsHigherUp) {
  const std::string svg = SvgText(TwoCharts());
  std::smatch path;
  ASSERT_TRUE(std::regex_search(svg, path, std::regex("<path d=\"M([0-9.]+) ([0-9.]+) L([0-9.]+) ([0-9.]+)\"")));
  EXPECT_LT(std::stod(path[1]), std::stod(path[3]));
  EXPECT_GT(std::stod(path[2]), std::stod(path[4]));
}

TEST(SvgTest, EveryElementIsClosed) {
  const std::string svg = SvgText(TwoCharts());
  EXPECT_EQ(Count(svg, "<text"), Count(svg, "</text>"));
  EXPECT_EQ(Count(svg, "<svg"), Count(svg, "</svg>"));
  EXPECT_EQ(Count(svg, "<line") + Count(svg, "<rect") + Count(svg, "<circle") + Count(svg, "<path"), Count(svg, "/>"));
}

TEST(SvgTest, APlotWithoutPointsIsStillAPicture) {
  Plot plot = TwoCharts();
  for (Chart& chart : plot.charts) {
    for (Series& series : chart.series) series.points.clear();
  }
  EXPECT_THAT(SvgText(plot), HasSubstr("</svg>"));
  EXPECT_THAT(SvgText(plot), Not(HasSubstr("nan")));
}

}  // namespace
}  // namespace warpgrade::plot
