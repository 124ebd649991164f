// Reads the result as Classroom's reporter does: base64, JSON, and the mark in two ways.
#include "grader/report/github_classroom.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "tests/config/json_schema.h"
#include "tests/report/odd_names.h"
#include "tests/report/sample_report.h"

namespace warpgrade::report {
namespace {

using nlohmann::json;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kClassroomSchema = R"({
  "type": "object",
  "properties": {
    "version": {"const": 1},
    "status": {"enum": ["pass", "fail", "error"]},
    "max_score": {"type": "number", "minimum": 0},
    "tests": {"type": "array", "minItems": 1, "items": {
      "type": "object",
      "properties": {
        "name": {"type": "string"},
        "status": {"enum": ["pass", "fail", "error"]},
        "message": {"type": "string"},
        "line_no": {"type": "integer", "minimum": 0},
        "execution_time": {"type": "string", "pattern": "^[0-9]+ms$"},
        "score": {"type": "number", "minimum": 0}
      },
      "required": ["name", "status", "message", "line_no", "execution_time", "score"],
      "additionalProperties": false
    }}
  },
  "required": ["version", "status", "max_score", "tests"],
  "additionalProperties": false
})";

json Classroom(const score::GradingReport& report) {
  const Result<std::string> line = ClassroomText(report);
  if (!line) return line.error().message;
  EXPECT_TRUE(line->ends_with('\n'));
  // With its name, an environment variable may have 128 KiB.
  EXPECT_LT(line->size() + std::string("WARPGRADE_RESULTS=").size(), 128u << 10);
  json result = json::parse(FromBase64(line->substr(0, line->size() - 1)));
  EXPECT_THAT(SchemaErrors(json::parse(kClassroomSchema), result), IsEmpty());
  return result;
}

// What the reporter tells Classroom.
double SumOfScores(const json& result) {
  double sum = 0;
  for (const json& test : result["tests"]) sum += test["score"].get<double>();
  return sum;
}

// What the reporter prints.
double ShareOfTests(const json& result) {
  double passed = 0;
  for (const json& test : result["tests"]) passed += test["status"] == "pass" ? 1 : 0;
  return passed / static_cast<double>(result["tests"].size()) * result["max_score"].get<double>();
}

TEST(GithubClassroomTest, Base64IsThatOfRfc4648) {
  EXPECT_EQ(Base64(""), "");
  EXPECT_EQ(Base64("f"), "Zg==");
  EXPECT_EQ(Base64("ab"), "YWI=");
  EXPECT_EQ(Base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(Base64("\xFF\xFE\xFD"), "//79");
}

TEST(GithubClassroomTest, BothWaysToComputeTheMarkGiveThePoints) {
  const json emulated = Classroom(EmulatorReport({Submission("s1042", {EmulatorLab()})}));
  EXPECT_EQ(emulated["max_score"], 84);
  EXPECT_DOUBLE_EQ(SumOfScores(emulated), 18);
  EXPECT_DOUBLE_EQ(ShareOfTests(emulated), 18);
  EXPECT_EQ(emulated["status"], "fail");
  const json timed = Classroom(GpuReport({Submission("s1042", {GpuLab()})}));
  EXPECT_DOUBLE_EQ(SumOfScores(timed), 42.5) << "half points";
  EXPECT_DOUBLE_EQ(ShareOfTests(timed), 42.5);
}

TEST(GithubClassroomTest, OnlyTheFirstTestOfARungSaysWhatIsWrong) {
  const json result = Classroom(EmulatorReport({Submission("s1042", {EmulatorLab()})}));
  int explained = 0;
  for (const json& test : result["tests"]) {
    if (!test["name"].get<std::string>().starts_with("s1042 lab2.v4_unrolled")) continue;
    if (test["message"] == "see above") continue;
    ++explained;
    EXPECT_THAT(test["message"].get<std::string>(), HasSubstr("shared-race"));
    EXPECT_EQ(test["line_no"], 27);
    EXPECT_EQ(test["status"], "fail");
  }
  EXPECT_EQ(explained, 1);
}

TEST(GithubClassroomTest, ARightSubmissionPassesWhereSpeedIsNotMeasured) {
  score::LabScore lab = EmulatorLab();
  lab.rungs = {RightRung("v1_naive")};
  lab.points = lab.measurable_points = lab.rungs[0].points;
  lab.max_points = lab.rungs[0].max_points;
  EXPECT_EQ(Classroom(EmulatorReport({Submission("s1", {lab})}))["status"], "pass");
}

TEST(GithubClassroomTest, PointsWithManyDecimalsAreOneTestForEachRung) {
  score::LabScore lab = EmulatorLab();
  lab.rungs[0].points = config::Points::FromHundredths(997);
  lab.points = config::Points::FromHundredths(1797);
  const json result = Classroom(EmulatorReport({Submission("s1", {lab})}));
  EXPECT_EQ(result["tests"].size(), 7u);
  EXPECT_NEAR(SumOfScores(result), 17.97, 1e-9) << "the sum is what Classroom gets";
}

TEST(GithubClassroomTest, LongMessagesAreCutSoThatTheyFitIntoTheEnvironment) {
  score::LabScore lab = EmulatorLab();
  for (score::RungScore& rung : lab.rungs) rung.measurement.messages.assign(3, std::string(50'000, '"'));
  const json result = Classroom(EmulatorReport({Submission(std::string(100'000, 'x'), {lab})}));
  EXPECT_DOUBLE_EQ(SumOfScores(result), 18);
}

TEST(GithubClassroomTest, WhatIsNotFinishedReportsNoMark) {
  score::GradingReport report = EmulatorReport({Submission("s1", {EmulatorLab()})});
  report.submissions[0].unfinished = {{"lab2", "v9", "interrupted"}};
  const json result = Classroom(report);
  EXPECT_EQ(result["status"], "error");
  EXPECT_EQ(result["max_score"], 0) << "the reporter then tells nothing to Classroom";
  EXPECT_THAT(result["tests"][0]["message"].get<std::string>(), HasSubstr("NOT FINISHED: lab2.v9"));
}

TEST(GithubClassroomTest, OddNamesAreText) {
  for (const std::string& name : OddNames()) {
    score::LabScore lab = EmulatorLab();
    lab.rungs[2].measurement.failures[0].message = name;
    EXPECT_EQ(SumOfScores(Classroom(EmulatorReport({Submission(name, {lab})}))), 18) << name;
  }
}

}  // namespace
}  // namespace warpgrade::report
