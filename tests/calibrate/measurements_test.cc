#include "grader/calibrate/measurements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/calibrate/made.h"

namespace warpgrade::calibrate {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

Measurements Some() {
  Measurements measurements;
  measurements.kit_version = "0.1.0";
  measurements.began = "2026-11-26T20:00:00Z";
  measurements.device.name = "NVIDIA H200";
  measurements.device.peaks.gb_s = 4800;
  measurements.gradings = {GradingOf(SolutionOf("v2"), 684.123456), GradingOf(Earlier("v2", "v1"), 417, 2)};
  Grading wrong{.program = Mutant("v2", "it's \"odd\"\n"), .round = 1};
  wrong.left_out = "it did not pass: failed: \xff";
  measurements.gradings.push_back(wrong);
  return measurements;
}

TEST(MeasurementsTest, AFileHasWhatWasMeasured) {
  const std::string text = JsonText(Some());
  const auto read = ParseMeasurements(text, "x.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->device.name, "NVIDIA H200");
  EXPECT_EQ(read->device.peaks.gb_s, 4800);
  EXPECT_EQ(read->device.peaks.gflop_s, std::nullopt);
  ASSERT_THAT(read->gradings, SizeIs(3));
  EXPECT_EQ(read->gradings[0].program, SolutionOf("v2"));
  EXPECT_DOUBLE_EQ(*read->gradings[0].Value(), 684.123);
  EXPECT_DOUBLE_EQ(*read->gradings[0].ShareOfCopy(), 684.123 / 4000);
  EXPECT_EQ(read->gradings[1].round, 2);
  EXPECT_EQ(read->gradings[2].program.name, "it's \"odd\"\n");
  EXPECT_THAT(read->gradings[2].left_out, HasSubstr("it did not pass"));
  EXPECT_EQ(JsonText(*read), text);
  EXPECT_TRUE(read->Has(SolutionOf("v2"), 1));
  EXPECT_FALSE(read->Has(SolutionOf("v2"), 2));
}

TEST(MeasurementsTest, ANumberThatIsNoSpeedLeavesItsGradingOut) {
  for (const double value : {std::nan(""), static_cast<double>(INFINITY), 0.0, -3.0}) {
    Measurements measurements = Some();
    measurements.gradings[0].speed.value = value;
    EXPECT_EQ(measurements.gradings[0].Value(), std::nullopt) << value;
    const auto read = ParseMeasurements(JsonText(measurements), "x.json");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->gradings[0].Value(), std::nullopt) << value;
    EXPECT_THAT(read->gradings[0].left_out, HasSubstr("not a number above 0")) << value;
  }
}

TEST(MeasurementsTest, OtherFilesAreRefusedWithTheirName) {
  for (const std::string text :
       {"", "{", "[]", "{\"schema\": \"warpgrade.results/1\"}", "{\"schema\": \"warpgrade.calibration/1\"}",
        "{\"schema\": \"warpgrade.calibration/1\", \"device\": {\"name\": \"x\"}, \"gradings\": "
        "[{\"lab\": \"lab1\", \"rung\": \"v1\", \"kind\": \"other\", \"name\": \"x\", "
        "\"round\": 1}]}"}) {
    const auto read = ParseMeasurements(text, "x.json");
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().kind, ErrorKind::kUsage);
    EXPECT_THAT(read.error().message, HasSubstr("x.json: ")) << text;
    EXPECT_THAT(read.error().message, HasSubstr("`warpgrade calibrate --json`")) << text;
  }
  EXPECT_THAT(ReadMeasurements("/no/such.json").error().message, HasSubstr("/no/such.json: it cannot be read"));
}

TEST(MeasurementsTest, FilesOfOneModelArePooledAsMoreRounds) {
  Measurements h100 = Some();
  h100.device.name = "NVIDIA H100 80GB HBM3";
  const std::vector<Measurements> pooled = Pooled({Some(), h100, Some()});
  ASSERT_THAT(pooled, SizeIs(2));
  EXPECT_THAT(pooled[0].gradings, SizeIs(6));
  EXPECT_EQ(pooled[0].gradings[3].round, 3);
  EXPECT_EQ(pooled[0].gradings[4].round, 4);
  EXPECT_EQ(pooled[1].device.name, "NVIDIA H100 80GB HBM3");
  EXPECT_THAT(pooled[1].gradings, SizeIs(3));
}

TEST(MeasurementsTest, OnlyBytesHaveAShareOfACopy) {
  Grading grading = GradingOf(SolutionOf("v2"), 1000);
  EXPECT_DOUBLE_EQ(*grading.ShareOfCopy(), 0.25);
  grading.speed.unit = "GFLOP/s";
  EXPECT_EQ(grading.ShareOfCopy(), std::nullopt);
  grading.speed.unit = "GB/s";
  grading.speed.ceiling = 0;
  EXPECT_EQ(grading.ShareOfCopy(), std::nullopt);
  grading.speed.ceiling = 900;
  grading.speed.ceiling_of = score::ThroughputMeasurement::Ceiling::kSolution;
  EXPECT_EQ(grading.ShareOfCopy(), std::nullopt);
}

}  // namespace
}  // namespace warpgrade::calibrate
