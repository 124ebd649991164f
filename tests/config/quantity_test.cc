#include "grader/config/quantity.h"

#include <gtest/gtest.h>

namespace warpgrade::config {
namespace {

template <typename T>
std::string MessageOf(const Result<T>& result) {
  return result ? "" : result.error().message;
}

TEST(QuantityTest, ReadsPointsExactly) {
  EXPECT_EQ(ParsePoints("8").value().hundredths(), 800);
  EXPECT_EQ(ParsePoints("2.5").value().hundredths(), 250);
  EXPECT_EQ(ParsePoints("0.29").value().hundredths(), 29);  // 0.29 * 100 is 28.999... in binary
  EXPECT_EQ(ParsePoints("1000000").value().hundredths(), 100'000'000);
}

TEST(QuantityTest, RefusesWhatIsNoNumberOfPoints) {
  EXPECT_EQ(MessageOf(ParsePoints("-1")), "'-1' is negative; write 0 or more points");
  EXPECT_EQ(MessageOf(ParsePoints("1.005")), "'1.005' has more than two decimals; round it to hundredths");
  EXPECT_EQ(MessageOf(ParsePoints("1000001")), "'1000001' is too large; write at most 1000000 points");
  EXPECT_EQ(MessageOf(ParsePoints("99999999999999999999")),
            "'99999999999999999999' is too large; write at most 1000000 points");
  for (const char* text : {"", "-", ".", "1.", ".5", "1,5", "1e2", "0x10", "8 points", " 8", ".inf", ".nan", "+1"}) {
    EXPECT_EQ(MessageOf(ParsePoints(text)),
              "'" + std::string(text) + "' is not a number of points; write a number such as 8 or 2.5");
  }
}

TEST(QuantityTest, ReadsNumbers) {
  EXPECT_EQ(ParseNumber("300").value(), 300);
  EXPECT_EQ(ParseNumber("0.9").value(), 0.9);
  EXPECT_EQ(ParseNumber("-1.5e3").value(), -1500);
}

TEST(QuantityTest, RefusesWhatIsNoFiniteNumber) {
  for (const char* text : {".inf", "-.inf", ".nan", "inf", "nan", "-infinity"}) {
    EXPECT_EQ(MessageOf(ParseNumber(text)),
              "'" + std::string(text) + "' is not a finite number; write a decimal number such as 0.9");
  }
  for (const char* text : {"", "fast", "1.2.3", "0x10", "1 000", "90%"}) {
    EXPECT_EQ(MessageOf(ParseNumber(text)),
              "'" + std::string(text) + "' is not a number; write a decimal number such as 0.9");
  }
  EXPECT_EQ(MessageOf(ParseNumber("1e999")), "'1e999' is out of range; write a number between -1e300 and 1e300");
}

TEST(QuantityTest, ShortensAValueThatIsTooLongToShow) {
  EXPECT_EQ(MessageOf(ParseNumber(std::string(5000, 'x'))),
            "'" + std::string(40, 'x') + "...' is not a number; write a decimal number such as 0.9");
}

TEST(QuantityTest, ReadsDurations) {
  EXPECT_EQ(ParseSeconds("60s").value(), 60);
  EXPECT_EQ(ParseSeconds("2min").value(), 120);
  EXPECT_EQ(ParseSeconds("1 h").value(), 3600);
}

TEST(QuantityTest, RefusesDurationsWithoutUnitOrPastTheirRange) {
  for (const char* text : {"60", "s", "-5s", "1.5s", "60sec", "60000ms", ""}) {
    EXPECT_EQ(MessageOf(ParseSeconds(text)),
              "'" + std::string(text) + "' is not a duration; write a whole number with s, min or h, such as 60s");
  }
  for (const char* text : {"0s", "86401s", "25h", "18446744073709551615h"}) {
    EXPECT_EQ(MessageOf(ParseSeconds(text)),
              "'" + std::string(text) + "' is out of range; write a duration from 1s to 24h");
  }
}

TEST(QuantityTest, ReadsSizes) {
  EXPECT_EQ(ParseBytes("64KB").value(), 64 << 10);
  EXPECT_EQ(ParseBytes("4096MB").value(), int64_t{4096} << 20);
  EXPECT_EQ(ParseBytes("2GB").value(), int64_t{2} << 30);
}

TEST(QuantityTest, RefusesSizesWithoutUnitOrPastTheirRange) {
  for (const char* text : {"4096", "4GiB", "4 gigabytes", "-1MB", "0.5GB"}) {
    EXPECT_EQ(MessageOf(ParseBytes(text)),
              "'" + std::string(text) + "' is not a size; write a whole number with KB, MB or GB, such as 512MB");
  }
  for (const char* text : {"0MB", "16385GB", "18446744073709551615KB"}) {
    EXPECT_EQ(MessageOf(ParseBytes(text)),
              "'" + std::string(text) + "' is out of range; write a size from 1KB to 16384GB");
  }
}

TEST(QuantityTest, ReadsCounts) {
  EXPECT_EQ(ParseCount("2e9").value(), 2'000'000'000u);
  EXPECT_EQ(ParseCount("1000").value(), 1000u);
  EXPECT_EQ(MessageOf(ParseCount("0.5")), "'0.5' is not a whole number; write a number such as 2e9");
  EXPECT_EQ(MessageOf(ParseCount("0")), "'0' is out of range; write a number from 1 to 1e15");
  EXPECT_EQ(MessageOf(ParseCount("1e16")), "'1e16' is out of range; write a number from 1 to 1e15");
}

}  // namespace
}  // namespace warpgrade::config
