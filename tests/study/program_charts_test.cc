// The charts of the studies that compile programs, drawn from lines that the programs print on a GPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/study/recorded.h"

namespace warpgrade::study {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string Bar(const std::string& table, const std::string& series, const std::string& category, double y) {
  const std::string value = std::to_string(y);
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

}  // namespace
}  // namespace warpgrade::study
