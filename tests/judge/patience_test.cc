#include "grader/judge/patience.h"

#include <gtest/gtest.h>

namespace warpgrade::judge {
namespace {

TEST(PatienceTest, IsOverWhenTheWorkerHasTakenTheLimitOverAllRequests) {
  Patience patience(100, 1000);
  patience.Begin(1000);
  EXPECT_FALSE(patience.IsOver(1059));
  patience.End(1060);
  patience.Begin(5000);
  EXPECT_EQ(patience.Left(5000), 40);
  EXPECT_FALSE(patience.IsOver(5039));
  EXPECT_TRUE(patience.IsOver(5040));
}

TEST(PatienceTest, WhatTheJudgeDoesBetweenRequestsIsNotCharged) {
  Patience patience(100, 1000);
  patience.Begin(0);
  patience.End(10);
  patience.Begin(1'000'000);
  EXPECT_EQ(patience.Left(1'000'000), 90);
}

TEST(PatienceTest, WhatTheDeviceDoesMeanwhileIsNotCharged) {
  Patience patience(100, 1000);
  patience.Begin(0);
  patience.Forgive(1'000'000);
  EXPECT_FALSE(patience.IsOver(1'000'099));
  EXPECT_TRUE(patience.IsOver(1'000'100));
  patience.End(1'000'030);
  patience.Begin(2'000'000);
  EXPECT_EQ(patience.Left(2'000'000), 70);
}

TEST(PatienceTest, ADeviceCannotTakeTimeAway) {
  Patience patience(100, 1000);
  patience.Begin(0);
  patience.Forgive(-50);
  EXPECT_EQ(patience.Left(0), 100);
}

TEST(PatienceTest, WaitingForACoreIsNotChargedAndIsCountedOnce) {
  Patience patience(100, 1000);
  patience.Begin(0);
  patience.Excuse(70);
  EXPECT_FALSE(patience.IsOver(169));
  patience.Excuse(70);
  EXPECT_TRUE(patience.IsOver(170));
  patience.Excuse(90);
  EXPECT_FALSE(patience.IsOver(170));
  patience.Excuse(10);  // a thread has ended, and its time with it
  EXPECT_EQ(patience.Left(170), 20);
  patience.End(170);
  patience.Begin(1000);
  patience.Excuse(90);
  EXPECT_EQ(patience.Left(1000), 20);
}

TEST(PatienceTest, ExcusesEnd) {
  Patience patience(100, 300);
  patience.Begin(0);
  patience.Excuse(1'000'000);
  EXPECT_FALSE(patience.IsOver(399));
  EXPECT_TRUE(patience.IsOver(400));
}

}  // namespace
}  // namespace warpgrade::judge
