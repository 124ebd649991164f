#include "grader/result/counted.h"

#include <gtest/gtest.h>

namespace warpgrade {
namespace {

TEST(CountedTest, OneTakesTheSingularAndAllElseThePlural) {
  EXPECT_EQ(Counted(0, "error"), "0 errors");
  EXPECT_EQ(Counted(1, "error"), "1 error");
  EXPECT_EQ(Counted(2, "more finding"), "2 more findings");
  EXPECT_STREQ(IsOrAre(0), "are");
  EXPECT_STREQ(IsOrAre(1), "is");
  EXPECT_STREQ(IsOrAre(2), "are");
}

}  // namespace
}  // namespace warpgrade
