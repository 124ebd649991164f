#include "grader/times/times.h"

#include <gtest/gtest.h>

namespace warpgrade {
namespace {

constexpr int64_t kMorning = 1'795'342'500;  // 2026-11-22T10:15:00Z

TEST(TimesTest, AMomentIsWrittenInUtc) { EXPECT_EQ(UtcText(kMorning), "2026-11-22T10:15:00Z"); }

TEST(TimesTest, EveryWayToWriteAMomentIsTheSameMoment) {
  for (const char* text :
       {"2026-11-22T10:15:00Z", "2026-11-22T10:15Z", "2026-11-22 10:15:00.123456000 Z", "2026-11-22 10:15:00 UTC",
        "2026-11-22T02:15:00-08:00", "2026-11-22T15:45+0530", "2026-11-22 10:15:00"}) {
    EXPECT_EQ(ParseTime(text), kMorning) << text;
  }
}

TEST(TimesTest, ADateEndsWithItsDay) {
  EXPECT_EQ(UtcText(*ParseTime("2026-11-22")), "2026-11-22T00:00:00Z");
  EXPECT_EQ(UtcText(*EndOfTime("2026-11-22")), "2026-11-22T23:59:59Z");
  EXPECT_EQ(UtcText(*EndOfTime("2026-11-22T12:00Z")), "2026-11-22T12:00:00Z");
  EXPECT_TRUE(ParseTime("2028-02-29").has_value());
}

TEST(TimesTest, WhatIsNoTimeIsNone) {
  for (const char* text : {"", "2026", "2026-11", "2026-13-01", "2026-02-29", "2026-11-31", "2026-11-22T",
                           "2026-11-22T10", "2026-11-22T24:00Z", "2026-11-22T10:60Z", "2026-11-22T10:15:00+99:00",
                           "2026-11-22x", "2026-11-22T10:15:00Zx", "22.11.2026", "1969-12-31", "tomorrow"}) {
    EXPECT_EQ(ParseTime(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace warpgrade
