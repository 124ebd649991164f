#include "grader/cli/limit_hints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace warpgrade::cli {
namespace {

using score::BoundsResult;
using score::RungScore;
using score::TechniqueResult;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

BoundsResult Bounds(const char* metric, double value, bool passed, bool is_above = false) {
  BoundsResult bounds;
  bounds.metric = metric;
  bounds.value = value;
  bounds.passed = passed;
  bounds.is_above = is_above;
  return bounds;
}

// A limit on bank conflicts that is missed: by its own value, or by its condition alone.
TechniqueResult Missed(bool value_holds, BoundsResult condition) {
  TechniqueResult limit;
  static_cast<BoundsResult&>(limit) = Bounds("shared_bank_conflicts", 0, false);
  limit.value_holds = value_holds;
  limit.provided.push_back(std::move(condition));
  return limit;
}

std::vector<std::string> HintsOf(const RungScore& rung) {
  return LimitHints(rung, [](std::string_view metric) { return "the lab's hint on " + std::string(metric); });
}

TEST(LimitHintsTest, AValueThatMissesGetsItsLineAndTheLabsHint) {
  RungScore rung;
  rung.technique.push_back(Missed(/*value_holds=*/false, Bounds("shared_wavefronts", 9, false, true)));
  rung.measurement.metric_lines["shared_bank_conflicts"] = "v3.cu:27: takes 32 turns";
  EXPECT_THAT(HintsOf(rung), ElementsAre("v3.cu:27: takes 32 turns", "the lab's hint on shared_bank_conflicts"));
}

TEST(LimitHintsTest, AConditionThatMissesGetsAHintOfItsOwnAndNotTheOneOnTheGoodValue) {
  RungScore rung;
  rung.technique.push_back(Missed(/*value_holds=*/true, Bounds("shared_wavefronts", 92700, false, true)));
  rung.measurement.metric_lines["shared_bank_conflicts"] = "v3.cu:27: takes 1 turn";
  EXPECT_THAT(HintsOf(rung), ElementsAre(HasSubstr("Which threads must work in each step")));
  rung.technique[0] = Missed(true, Bounds("shared_wavefronts", 3, false, /*is_above=*/false));
  EXPECT_THAT(HintsOf(rung), ElementsAre(HasSubstr("used less than")));
}

TEST(LimitHintsTest, ConditionsThatHoldOrWereNotMeasuredAndLimitsThatPassedGetNone) {
  RungScore rung;
  rung.technique.push_back(Missed(true, Bounds("shared_wavefronts", 1, true)));
  BoundsResult not_measured = Bounds("shared_wavefronts", 1, false);
  not_measured.value.reset();
  rung.technique.push_back(Missed(true, not_measured));
  rung.technique.push_back(Missed(true, Bounds("shared_wavefronts", 9, false, true)));
  rung.technique.back().passed = true;
  EXPECT_THAT(HintsOf(rung), IsEmpty());
}

TEST(LimitHintsTest, AConditionOfAnyOtherMetricGetsTheGeneralHint) {
  RungScore rung;
  rung.technique.push_back(Missed(true, Bounds("flops_per_element", 9, false, true)));
  EXPECT_THAT(HintsOf(rung), ElementsAre(HasSubstr("A limit may have a second condition")));
}

TEST(LimitHintsTest, TwoLimitsWithTheSameConditionSayItOnce) {
  RungScore rung;
  for (int i = 0; i < 2; ++i) {
    rung.technique.push_back(Missed(true, Bounds("warp_instructions", 9, false, true)));
  }
  EXPECT_THAT(HintsOf(rung), ElementsAre(HasSubstr("more instructions than")));
}

}  // namespace
}  // namespace warpgrade::cli
