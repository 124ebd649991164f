#include "grader/report/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/config/json_schema.h"
#include "tests/report/golden.h"
#include "tests/report/sample_report.h"

namespace warpgrade::report {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::IsEmpty;

json Schema() { return json::parse(std::ifstream(WARPGRADE_RESULTS_SCHEMA)); }

score::GradingReport Everything() {
  score::SubmissionScore unreadable = Submission("s7.zip", {});
  unreadable.messages = {"not a zip archive"};
  score::LabScore gpu = GpuLab();
  gpu.rungs[0].measurement.throughput.seconds = 0.00075;
  gpu.rungs[0].measurement.throughput.accepted = score::Acceptance{"ada", "2026-11-22T10:15:00Z", "timed by hand"};
  gpu.rungs[0].measurement.throughput.gpu = SteadyGpu();
  gpu.rungs[1].measurement.throughput.gpu = HotGpu();
  gpu.rungs[2].measurement.throughput.gpu.emplace().readings = 12;
  score::GradingReport report = GpuReport({Submission("s1042", {EmulatorLab(), gpu}), unreadable});
  score::LeaderboardEntry first, last;
  first.id = "s1042";
  first.shown_as = "player 1";
  first.rank = 1;
  first.score_s = 20.00075;
  first.time_s = 0.00075;
  first.rung = "v1_fast";
  first.wrong_answers = 1;
  last.id = last.shown_as = "s7.zip";
  last.note = "nothing handed in";
  report.leaderboards = {{"lab1", "Reduction", 20, true, {first, last}}};
  return report;
}

TEST(JsonTest, HasOneOfEverything) { ExpectGolden("results.json", JsonText(Everything())); }

TEST(JsonTest, FitsItsSchema) {
  EXPECT_THAT(SchemaErrors(Schema(), json::parse(JsonText(Everything()))), IsEmpty());
  EXPECT_THAT(SchemaErrors(Schema(), json::parse(JsonText(EmulatorReport({})))), IsEmpty());
}

// So that the test above can fail.
TEST(JsonTest, TheSchemaRefusesWhatIsOutOfPlace) {
  const json good = json::parse(JsonText(Everything()));
  json changed = good;
  changed["submissions"][0]["labs"][0]["rungs"][0]["status"] = "fine";
  EXPECT_THAT(SchemaErrors(Schema(), changed),
              ElementsAre("/submissions/0/labs/0/rungs/0/status: \"fine\" is not one of those allowed"));
  changed = good;
  changed["submissions"][0]["labs"][0]["rungs"][0].erase("technique");
  changed["submissions"][0]["points"] = "12";
  changed["submissions"][1]["grade"] = 5;
  EXPECT_THAT(SchemaErrors(Schema(), changed),
              testing::UnorderedElementsAre("/submissions/0/labs/0/rungs/0: has no \"technique\"",
                                            "/submissions/0/points: is not \"number\"",
                                            "/submissions/1: may not have \"grade\""));
}

TEST(JsonTest, TheSchemaRefusesTelemetryThatIsOutOfPlace) {
  json changed = json::parse(JsonText(Everything()));
  changed["submissions"][0]["labs"][1]["rungs"][0]["throughput"]["gpu"]["power_w"] = "hot";
  EXPECT_THAT(SchemaErrors(Schema(), changed),
              ElementsAre("/submissions/0/labs/1/rungs/0/throughput/gpu: fits 0 options"));
}

TEST(JsonTest, PointsAreExactToAHundredth) {
  score::GradingReport report = EmulatorReport({Submission("s", {})});
  report.submissions[0].points = config::Points::FromHundredths(10) + config::Points::FromHundredths(20);
  report.submissions[0].max_points = config::Points::FromHundredths(1'000'029);
  const std::string text = JsonText(report);
  EXPECT_THAT(text, testing::HasSubstr("\"points\": 0.3,"));
  EXPECT_THAT(text, testing::HasSubstr("\"max_points\": 10000.29,"));
}

TEST(JsonTest, WhatIsNotAFiniteNumberIsNull) {
  score::LabScore lab = GpuLab();
  lab.rungs[0].measurement.throughput.value = std::nan("");
  lab.rungs[0].technique[0].value = std::numeric_limits<double>::infinity();
  const json parsed = json::parse(JsonText(GpuReport({Submission("s", {lab})})));
  const json& rung = parsed["submissions"][0]["labs"][0]["rungs"][0];
  EXPECT_TRUE(rung["throughput"]["value"].is_null());
  EXPECT_TRUE(rung["throughput"]["share"].is_null());
  EXPECT_TRUE(rung["technique"][0]["value"].is_null());
}

TEST(JsonTest, HoldsTextThatIsNotUtf8) {
  score::SubmissionScore submission = Submission("s\xFF\x1b", {});
  const json parsed = json::parse(JsonText(EmulatorReport({submission})));
  EXPECT_EQ(parsed["submissions"][0]["id"], "s\xEF\xBF\xBD\x1b");
}

}  // namespace
}  // namespace warpgrade::report
