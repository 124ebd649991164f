#include "grader/score/late.h"

#include <gtest/gtest.h>

namespace warpgrade::score {
namespace {

using config::Points;

constexpr int64_t kDue = 1'000'000, kDay = 24 * 3600;

Points Hundredths(int hundredths) { return Points::FromHundredths(hundredths); }

TEST(LateTest, BegunDaysCountWhole) {
  EXPECT_EQ(DaysLate({kDue, std::nullopt, kDue}), 0) << "the last second is in time";
  EXPECT_EQ(DaysLate({kDue + 1, std::nullopt, kDue}), 1);
  EXPECT_EQ(DaysLate({kDue + kDay, std::nullopt, kDue}), 1);
  EXPECT_EQ(DaysLate({kDue + kDay + 1, std::nullopt, kDue}), 2);
  EXPECT_EQ(DaysLate({0, std::nullopt, kDue}), 0);
  EXPECT_EQ(DaysLate({kDue + kDay, std::nullopt, std::nullopt}), 0) << "without a due date nothing is late";
}

TEST(LateTest, ThePlatformKnowsBetterThanTheTimeOfADownload) {
  EXPECT_EQ(DaysLate({kDue + 9 * kDay, false, kDue}), 0);
  EXPECT_EQ(DaysLate({kDue - kDay, true, kDue}), 1);
  EXPECT_EQ(DaysLate({kDue + 2 * kDay, true, kDue}), 2);
}

TEST(LateTest, EachDayCostsItsShareAndNeverMoreThanAll) {
  config::HandInRule rule;
  rule.late_per_day = 0.1;
  EXPECT_EQ(Deduction(rule, Hundredths(5000), 0), Hundredths(0));
  EXPECT_EQ(Deduction(rule, Hundredths(5000), 1), Hundredths(500));
  EXPECT_EQ(Deduction(rule, Hundredths(5000), 3), Hundredths(1500));
  EXPECT_EQ(Deduction(rule, Hundredths(5000), 30), Hundredths(5000));
  EXPECT_EQ(Deduction(rule, Hundredths(0), 3), Hundredths(0));
  EXPECT_EQ(Deduction(rule, Hundredths(-100), 3), Hundredths(0)) << "nobody gains by being late";
}

TEST(LateTest, AfterTheLastDayNothingIsLeft) {
  config::HandInRule rule;
  rule.late_per_day = 0.1;
  rule.most_days_late = 2;
  EXPECT_EQ(Deduction(rule, Hundredths(5000), 2), Hundredths(1000));
  EXPECT_EQ(Deduction(rule, Hundredths(5000), 3), Hundredths(5000));
  rule.most_days_late = 0;
  EXPECT_EQ(Deduction(rule, Hundredths(5000), 1), Hundredths(5000));
}

}  // namespace
}  // namespace warpgrade::score
