// The ladders of the handouts, compared with the files of labs/speeds/.
#include "grader/cli/shipped_speeds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace warpgrade::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const std::vector<std::string> kGpus = {"h200", "h100"};

// The middle of what labs/speeds/ has of a solution: [its speed, the same as a percentage of its ceiling].
std::pair<double, double> MiddleOf(const std::string& gpu, const std::string& lab, const std::string& rung) {
  const auto file =
      nlohmann::json::parse(ReadText(std::string(WARPGRADE_SOURCE_DIR).append("/labs/speeds/").append(gpu) + ".json"));
  std::vector<double> speeds, shares;
  for (const auto& grading : file["gradings"]) {
    if (grading["lab"] != lab || grading["rung"] != rung || grading["kind"] != "solution") continue;
    speeds.push_back(grading["value"]);
    shares.push_back(100 * speeds.back() / grading["ceiling"].get<double>());
  }
  EXPECT_EQ(speeds.size(), 3u) << "of an odd number the middle one is the median";
  std::sort(speeds.begin(), speeds.end());
  std::sort(shares.begin(), shares.end());
  return {speeds.at(1), shares.at(1)};
}

TEST(ShippedSpeedsTest, ABarIsTheShareOfACopyThatTheSolutionReached) {
  const std::vector<std::string> rungs = {"v1_naive", "v2_shared", "v3_padded", "v4_unrolled", "v5_open"};
  const std::vector<plot::Chart> charts = ShippedLadder("lab2", rungs);
  ASSERT_EQ(charts.size(), 1u);
  EXPECT_EQ(charts[0].categories, rungs);
  EXPECT_EQ(charts[0].y.title, "percent");
  ASSERT_EQ(charts[0].series.size(), 2u);
  EXPECT_EQ(charts[0].series[0].name, "NVIDIA H200");
  EXPECT_EQ(charts[0].series[1].name, "NVIDIA H100 80GB HBM3");
  for (size_t gpu = 0; gpu < kGpus.size(); ++gpu) {
    ASSERT_EQ(charts[0].series[gpu].points.size(), rungs.size());
    for (size_t i = 0; i < rungs.size(); ++i) {
      const plot::Point& point = charts[0].series[gpu].points[i];
      EXPECT_DOUBLE_EQ(point.y, MiddleOf(kGpus[gpu], "lab2", rungs[i]).second) << kGpus[gpu] << " " << rungs[i];
      EXPECT_LE(point.low, point.y);
      EXPECT_GE(point.high, point.y);
    }
  }
}

TEST(ShippedSpeedsTest, AnArithmeticSpeedIsInGigaflops) {
  const std::vector<plot::Chart> charts = ShippedLadder("lab3", {"v1_naive", "v7_tensor"});
  ASSERT_EQ(charts.size(), 1u);
  EXPECT_EQ(charts[0].y.title, "GFLOP/s");
  EXPECT_DOUBLE_EQ(charts[0].series[0].points[1].y, MiddleOf("h200", "lab3", "v7_tensor").first);
  EXPECT_DOUBLE_EQ(charts[0].series[1].points[0].y, MiddleOf("h100", "lab3", "v1_naive").first);
}

TEST(ShippedSpeedsTest, ALabWithBothHasTwoChartsOfDifferentRungs) {
  const std::vector<plot::Chart> charts = ShippedLadder("lab4", {"v1_naive", "v4_image", "v6_separable"});
  ASSERT_EQ(charts.size(), 2u);
  EXPECT_THAT(charts[0].categories, ElementsAre("v1_naive", "v6_separable"));
  EXPECT_THAT(charts[1].categories, ElementsAre("v4_image"));
}

TEST(ShippedSpeedsTest, RungsWithoutABarAreNamed) {
  const std::vector<plot::Chart> charts = ShippedLadder("lab0", {"v1_vector_add", "v2_image", "v5_streams"});
  ASSERT_EQ(charts.size(), 1u);
  EXPECT_THAT(charts[0].categories, ElementsAre("v2_image"));
  EXPECT_EQ(charts[0].sentences.back(),
            "Without a bar, because they are not compared with a copy: v1_vector_add, v5_streams.");
}

TEST(ShippedSpeedsTest, ALabThatWasNotTimedHasNoLadder) {
  EXPECT_TRUE(ShippedLadder("lab8", {"v1_tail"}).empty());
  EXPECT_TRUE(ShippedLadder("mine", {"v1_each"}).empty());
}

// They are in the executable of students.
TEST(ShippedSpeedsTest, OnlyTheSolutionsAreShipped) {
  EXPECT_THAT(std::string(kShippedSpeeds), HasSubstr("\"kind\":\"solution\""));
  for (const char* kind : {"mutant", "earlier", "alternative"}) {
    EXPECT_THAT(std::string(kShippedSpeeds), Not(HasSubstr(kind)));
  }
}

}  // namespace
}  // namespace warpgrade::cli
