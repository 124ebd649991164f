#include "grader/cli/pace.h"

#include <gtest/gtest.h>

namespace warpgrade::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(PaceTest, TheFirstResultIsDueAtOnce) { EXPECT_TRUE(Pace().IsDue(Pace::TimePoint())); }

TEST(PaceTest, WritesAtMostOnceASecond) {
  Pace pace;
  const Pace::TimePoint begin;
  pace.Wrote(begin, begin);
  EXPECT_FALSE(pace.IsDue(begin + milliseconds(999)));
  EXPECT_TRUE(pace.IsDue(begin + seconds(1)));
}

TEST(PaceTest, WhatTakesLongIsWrittenSeldom) {
  Pace pace;
  const Pace::TimePoint begin;
  pace.Wrote(begin, begin + milliseconds(300));
  EXPECT_FALSE(pace.IsDue(begin + seconds(30)));
  EXPECT_TRUE(pace.IsDue(begin + milliseconds(30'300)));
}

}  // namespace
}  // namespace warpgrade::cli
