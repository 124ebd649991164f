// The data of the page of the thresholds: whole hundredths, numbers that JSON has, and no more than data.
#include "grader/report/html_thresholds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace warpgrade::report {
namespace {

using config::Points;
using nlohmann::json;

// Three submissions, of which the second has no result.
score::GradingReport ThreeStudents() {
  score::GradingReport report;
  report.device.kind = "gpu";
  report.device.name = "NVIDIA H200";
  for (const char* id : {"=cmd|' /C calc'!A0", "nobody", "<script>"}) report.submissions.push_back({.id = id});
  return report;
}

score::ClassSpread SpreadOfThree() {
  score::LimitSpread limit;
  limit.bounds = {.metric = "shared_bank_conflicts", .min = {}, .max = 0.5};
  limit.unit = "per request";
  limit.points = Points::FromHundredths(250);
  limit.samples = {{0, NAN, {}, true}, {2, 0.25, 31, true}, {2, 1, INFINITY, true}};
  score::SpeedSpread speed;
  speed.target = "h200";
  speed.scale.unit = config::ThroughputScale::Unit::kShareOfCopy;
  speed.scale.steps = {{0.5, Points::FromHundredths(100)}};
  speed.points = Points::FromHundredths(100);
  speed.samples = {{2, 0.75}};
  speed.flagged = 1;
  score::RungSpread rung;
  rung.rung = "v1";
  rung.most = Points::FromHundredths(1000);
  rung.limits = {limit};
  rung.speed = speed;
  score::ClassSpread spread;
  spread.labs = {{"lab1", "Reduction", {rung}}};
  spread.checks = {{"compile_error", 2, 1, Points::FromHundredths(5)}, {"shared-race", 1, 1, {}}};
  spread.totals = {Points::FromHundredths(710), std::nullopt, Points::FromHundredths(30)};
  return spread;
}

TEST(ThresholdsPageTest, HasPointsInHundredthsAndTheSamplesOfWhoHasAResult) {
  const json data = json::parse(ThresholdsData(SpreadOfThree(), ThreeStudents(), {"a note"}));
  EXPECT_EQ(data["ids"], json({"=cmd|' /C calc'!A0", "<script>"}));
  EXPECT_EQ(data["totals"], json({710, 30}));
  EXPECT_EQ(data["notes"], json({"a note"}));
  EXPECT_EQ(data["checks"], json({{"does not compile", 1, 2, 5}, {"shared-race", 1, 1, 0}}));
  const json& rung = data["labs"][0]["rungs"][0];
  EXPECT_EQ(rung["limits"][0]["words"], "shared bank conflicts");
  EXPECT_EQ(rung["limits"][0]["bounds"], json({nullptr, 0.5}));
  EXPECT_EQ(rung["limits"][0]["samples"],
            json({{0, nullptr, nullptr, true}, {1, 0.25, 31.0, true}, {1, 1.0, nullptr, false}}))
      << "a value of the answer that is no number misses the limit";
  EXPECT_EQ(rung["speed"]["scale"], json({{"steps", {{0.5, 100}}}}));
  EXPECT_EQ(rung["speed"]["unit"], "share of copy");
  EXPECT_EQ(rung["speed"]["samples"], json({{1, 0.75}}));
}

TEST(ThresholdsPageTest, NothingInItIsMoreThanData) {
  const std::string data = ThresholdsData(SpreadOfThree(), ThreeStudents(), {"</script>\x1b[2J\xff"});
  EXPECT_EQ(data.find_first_of("<>&"), std::string::npos);
  for (const char c : data) EXPECT_TRUE(c >= 0x20 && c < 0x7f);
  EXPECT_EQ(json::parse(ThresholdsData({}, {}, {}))["labs"], json::array());
}

}  // namespace
}  // namespace warpgrade::report
