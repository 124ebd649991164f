// `warpgrade plot` as a person meets it, on the emulator.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace warpgrade {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

ProgramResult PlotOf(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {WARPGRADE_BINARY, "plot"});
  return RunProgram(arguments);
}

TEST(PlotCommandTest, AShmooOnTheEmulatorIsWrittenInEveryFormat) {
  const TemporaryFolder folder;
  const ProgramResult result =
      PlotOf({"shmoo", "lab1", "--rung", "v3", "--rung", "v4", "--from", "10", "--to", "12", "--device", "emulator",
              "--csv", folder.Path("a.csv"), "--svg", folder.Path("a.svg"), "--html", folder.Path("a.html")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("3 from 2^10 to 2^12 elements"), HasSubstr("the emulator, which counts"),
                                HasSubstr("v4_first_add is better than v3_sequential everywhere.")));
  const std::string csv = ReadText(folder.Path("a.csv"));
  EXPECT_THAT(csv, StartsWith("chart,series,x,y,low,high,doubtful,x_axis,y_axis,device,date,"));
  EXPECT_THAT(csv, HasSubstr("\nwarp_instructions,v4_first_add,4096,"));
  EXPECT_THAT(ReadText(folder.Path("a.svg")), StartsWith("<svg"));
  EXPECT_THAT(ReadText(folder.Path("a.html")), HasSubstr("v4_first_add is better than v3_sequential everywhere."));
}

TEST(PlotCommandTest, OccupancyNeedsNoMeasurement) {
  const ProgramResult result = PlotOf({"occupancy", "--registers", "50", "--threads", "128"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("36 of 64 warps are resident"), HasSubstr("With 48 registers, 40 warps")));
}

TEST(PlotCommandTest, WhatCannotBePlottedSaysWhatCan) {
  const ProgramResult sizes = PlotOf({"shmoo", "lab3", "--device", "emulator"});
  EXPECT_EQ(sizes.exit_code, 2);
  EXPECT_THAT(sizes.err, HasSubstr("`warpgrade plot ladder lab3`"));
  const ProgramResult roofline = PlotOf({"roofline", "lab1", "--device", "emulator"});
  EXPECT_EQ(roofline.exit_code, 2);
  EXPECT_THAT(roofline.err, HasSubstr("lab3, lab4 and lab6"));
  EXPECT_EQ(PlotOf({"shmoo", "lab1", "--from", "12", "--to", "11", "--device", "emulator"}).exit_code, 2);
  EXPECT_EQ(PlotOf({"shmoo", "lab77", "--device", "emulator"}).exit_code, 2);
  const ProgramResult nowhere =
      PlotOf({"occupancy", "--registers", "50", "--threads", "128", "--svg", "/no/such/x.svg"});
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("--svg"));
}

TEST(PlotCommandTest, ThePageOfASubmissionHasTheRooflineOfALabWithASpeedInOperations) {
  const TemporaryFolder folder;
  const ProgramResult graded = RunProgram({WARPGRADE_BINARY, "grade", std::string(WARPGRADE_SOURCE_DIR) + "/solutions",
                                           "--device", "emulator", "--lab", "lab1", "--lab", "lab6", "--rung", "v1",
                                           "--most-elements", "10000", "--html", folder.Path("a.html")});
  EXPECT_EQ(graded.exit_code, 0) << graded.err;
  const std::string page = ReadText(folder.Path("a.html"));
  const size_t roofline = page.find("\"roofline\":");
  ASSERT_NE(roofline, std::string::npos);
  EXPECT_EQ(page.find("\"roofline\":", roofline + 1), std::string::npos) << "lab1 has its speed in bytes";
  EXPECT_THAT(page, HasSubstr("operations per byte, so memory bounds it at"));
}

TEST(PlotCommandTest, WithoutAGpuTheGpuIsAClearError) {
  const ProgramResult result = PlotOf({"shmoo", "lab1", "--device", "gpu", "--rung", "v3", "--to", "10"});
  if (result.exit_code == 0) GTEST_SKIP() << "there is a GPU here";
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, StartsWith("warpgrade: --device gpu: no GPU here"));
}

}  // namespace
}  // namespace warpgrade
