// The charts of the studies that compile programs, drawn from lines that the programs print on a GPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "tests/study/recorded.h"

namespace warpgrade::study {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

std::string Bar(const std::string& table, const std::string& series, const std::string& category, double y) {
  char value[32];
  std::snprintf(value, sizeof value, "%.17g", y);
  return "bar\t" + table + "\t" + series + "\t" + category + "\t" + value + "\t" + value + "\t" + value + "\n";
}

plot::Plot DrawnFrom(const std::string& study, const std::string& printed) {
  Recorded machine("device\tNVIDIA Test\t1\n" + printed);
  const Result<plot::Plot> plot = StudyNamed(study).run(machine);
  if (plot) return *plot;
  ADD_FAILURE() << plot.error().message;
  return {};
}

TEST(ProgramChartsTest, SyncComparesTheWaysAndTheData) {
  std::string printed;
  for (const std::string type : {"float", "double"}) {
    const double size = type == "float" ? 1 : 2;
    printed += Bar("total, " + type, "shuffles", "managed memory", 6000 * size) +
               Bar("total, " + type, "shuffles", "explicit copies", 5000 * size) +
               Bar("total, " + type, "shuffles", "made on the device", 50 * size) +
               Bar("execution, " + type, "shuffles", "made on the device", 40) +
               Bar("execution, " + type, "shuffles", "managed, made on the device", 60) +
               Bar("execution, " + type, "block barriers", "made on the device", 42) +
               Bar("execution, " + type, "passes in place", "made on the device", 84);
  }
  const plot::Plot plot = DrawnFrom("sync", printed);
  ASSERT_EQ(plot.charts.size(), 4u);
  EXPECT_THAT(plot.charts[0].categories, ElementsAre("managed memory", "explicit copies", "made on the device"));
  EXPECT_EQ(plot.charts[2].series.at(0).points.at(1).y, 10'000);
  EXPECT_THAT(plot.charts[0].sentences,
              ElementsAre("shuffles: explicit copies takes 100 times as long as made on the device.",
                          "shuffles: managed memory takes 1.2 times as long as explicit copies."));
  EXPECT_THAT(plot.charts[3].sentences,
              ElementsAre("shuffles: managed, made on the device takes 1.5 times as long as made on the device.",
                          "made on the device: passes in place takes 2 times as long as block barriers."));
}

TEST(ProgramChartsTest, OverlapComparesTheTotalsWithTheSumAndWithTheLongerTime) {
  std::string printed;
  for (const double host : {0.0, 500.0, 1000.0, 2000.0}) {
    const std::string x = std::to_string(host), sum = std::to_string(1000 + host),
                      longer = std::to_string(std::max(1000.0, host) * (host == 1000 ? 1.1 : 1));
    printed += "row\ttotal\twaits first\t" + x + "\t" + sum + "\t" + sum + "\t" + sum + "\n";
    printed += "row\ttotal\twaits at the end\t" + x + "\t" + longer + "\t" + longer + "\t" + longer + "\n";
  }
  const plot::Plot plot = DrawnFrom("overlap", printed);
  ASSERT_EQ(plot.charts.size(), 1u);
  ASSERT_EQ(plot.charts[0].series.size(), 4u);
  EXPECT_TRUE(plot.charts[0].series[2].is_bound);
  EXPECT_EQ(plot.charts[0].series[2].points.at(3).y, 3000) << "the sum";
  EXPECT_EQ(plot.charts[0].series[3].points.at(1).y, 1000) << "the longer one";
  EXPECT_THAT(plot.charts[0].sentences, AllOf(Contains("The kernel alone takes 1000 us, with its launch."),
                                              Contains(HasSubstr("is the sum of both times: at most 0% more")),
                                              Contains(HasSubstr("is the longer one of them: at most 10% more"))));
}

TEST(ProgramChartsTest, FastMathTurnsErrorsIntoBits) {
  const plot::Plot plot =
      DrawnFrom("fastmath", Bar("error", "precise", "sin", 1.0 / (1 << 23)) + Bar("error", "fast", "sin", 1.0 / 1024) +
                                Bar("error", "precise", "exp", 0) + Bar("error", "fast", "exp", 2) +
                                Bar("speed", "precise", "sin", 100) + Bar("speed", "fast", "sin", 250));
  ASSERT_EQ(plot.charts.size(), 3u);
  const plot::Chart& bits = plot.charts[1];
  EXPECT_NEAR(bits.series.at(0).points.at(0).y, 23, 1e-4);
  EXPECT_NEAR(bits.series.at(1).points.at(0).y, 10, 0.01);
  EXPECT_EQ(bits.series.at(0).points.at(1).y, 24) << "no error";
  EXPECT_EQ(bits.series.at(1).points.at(1).y, 0) << "an error above 100%";
  EXPECT_THAT(bits.sentences, ElementsAre(HasSubstr("worst at exp: a relative error of 2.")));
  EXPECT_THAT(plot.charts[2].sentences, ElementsAre("sin: fast is 2.5 times as fast."));
}

// By the PTX that nvcc makes: __sinf is sin.approx, __expf and __logf have a multiplication beside ex2 and lg2, __powf
// has both, and __fdividef is div.approx, behind a move of the constant.
TEST(ProgramChartsTest, FastMathCountsTheInstructionsOfACall) {
  const plot::Plot plot = DrawnFrom("fastmath", "");
  const plot::Chart& counts = plot.charts.at(0);
  std::vector<double> fast, precise;
  for (size_t i = 0; i < counts.categories.size(); ++i) {
    precise.push_back(counts.series.at(0).points.at(i).y);
    fast.push_back(counts.series.at(1).points.at(i).y);
    EXPECT_GE(precise.back(), fast.back()) << counts.categories[i];
  }
  EXPECT_THAT(fast, ElementsAre(1, 1, 2, 2, 3, 2));
  EXPECT_GT(precise.at(1), 2 * precise.at(0)) << "the slow path of the sine";
}

TEST(ProgramChartsTest, TexturesSayHowFarTheFilterIsOff) {
  std::string printed;
  for (int eighths = -16; eighths <= 48; ++eighths) {
    const double x = eighths / 8.0, exact = 10 * (std::clamp(x, 0.5, 3.5) + 0.5);
    const std::string y = std::to_string(x == 1 ? exact + 0.25 : exact);
    printed += "row\tvalues\tclamp, linear\t" + std::to_string(x) + "\t" + y + "\t" + y + "\t" + y + "\n";
  }
  printed += Bar("time", "texture", "along columns", 50) + Bar("time", "memory", "along columns", 100);
  const plot::Plot plot = DrawnFrom("textures", printed);
  ASSERT_EQ(plot.charts.size(), 2u);
  EXPECT_THAT(plot.charts[0].sentences, ElementsAre(HasSubstr("is off by 0.25 at most")));
  EXPECT_THAT(plot.charts[1].sentences, ElementsAre("along columns: the texture takes 0.5 times as long as memory."));
}

TEST(ProgramChartsTest, TexturesWaitForTheEmulator) {
  Recorded machine;
  const auto plot = StudyNamed("textures").run(machine);
  ASSERT_TRUE(plot.ok()) << plot.error().message;
  EXPECT_TRUE(plot->charts.empty());
  EXPECT_THAT(plot->facts, Contains(testing::Pair("Study", "skipped: no GPU. The emulator has no textures")));
}

}  // namespace
}  // namespace warpgrade::study
