#include "grader/study/rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::study {
namespace {

using testing::HasSubstr;

TEST(RowsTest, BelongToTheirTableAndTheirSeriesInTheOrderInWhichTheyWerePrinted) {
  const auto rows = ReadRows(
      "device\tNVIDIA H200\t1\n"
      "row\ttime\tup\t1024\t5.5\t5\t6\n"
      "row\tspeed\tup\t1024\t0.2\t0.2\t0.2\n"
      "row\ttime\tdown\t1024\t7\t7\t7\n"
      "row\ttime\tup\t2048\t6\t6\t6.25\n");
  ASSERT_TRUE(rows.ok()) << rows.error().message;
  EXPECT_EQ(rows->device, "NVIDIA H200");
  EXPECT_TRUE(rows->has_times);
  ASSERT_EQ(rows->Of("time").series.size(), 2u);
  EXPECT_EQ(rows->Of("time").series[1].name, "down");
  const plot::Series* up = rows->Of("time").Find("up");
  ASSERT_NE(up, nullptr);
  ASSERT_EQ(up->points.size(), 2u);
  EXPECT_EQ(up->points[0].low, 5);
  EXPECT_EQ(up->points[1].high, 6.25);
  EXPECT_EQ(rows->Of("time").Find("sideways"), nullptr);
  EXPECT_TRUE(rows->Of("power").series.empty());
}

TEST(RowsTest, ABarStandsAtItsCategory) {
  const auto rows = ReadRows(
      "device\twarpgrade emulator\t0\n"
      "bar\tright\tshuffles\tcopies\t1\t1\t1\n"
      "bar\tright\tshuffles\tmanaged\t2\t2\t2\n"
      "bar\tright\tbarriers\tmanaged\t3\t3\t3\n");
  ASSERT_TRUE(rows.ok()) << rows.error().message;
  EXPECT_FALSE(rows->has_times);
  const Table& right = rows->Of("right");
  EXPECT_THAT(right.categories, testing::ElementsAre("copies", "managed"));
  EXPECT_EQ(right.Bar("shuffles", "managed"), 2);
  EXPECT_EQ(right.Bar("barriers", "managed"), 3);
  EXPECT_EQ(right.Bar("barriers", "copies"), std::nullopt);
  EXPECT_EQ(right.series.at(1).points.at(0).x, 1);
}

TEST(RowsTest, ALineThatIsNoRowIsAnErrorThatQuotesIt) {
  for (const char* line : {"row\ttime\tup\t1024\t5.5\t5", "row\ttime\tup\t1024\tnan\t5\t6", "row\ttime\tup\tx\t1\t1\t1",
                           "hello", "bar\ttime\tup\tcopies\tfast\t1\t1", "row\ttime\tup\t1024\t5.5\t5\t6\t7"}) {
    const auto rows = ReadRows(std::string("device\tNVIDIA H200\t1\n") + line + "\n");
    ASSERT_FALSE(rows.ok()) << line;
    EXPECT_THAT(rows.error().message, HasSubstr(line));
  }
}

TEST(RowsTest, AProgramThatDoesNotNameItsDeviceIsAnError) {
  EXPECT_FALSE(ReadRows("").ok());
  EXPECT_FALSE(ReadRows("row\ttime\tup\t1024\t5.5\t5\t6\n").ok());
}

}  // namespace
}  // namespace warpgrade::study
