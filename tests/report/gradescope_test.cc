// Reads results.json by Gradescope's rules: which keys there are, of which types, and where a score must stand.
#include "grader/report/gradescope.h"

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
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kGradescopeSchema = R"({
  "type": "object",
  "properties": {
    "score": {"type": "number"},
    "execution_time": {"type": "number"},
    "output": {"type": "string"},
    "output_format": {"$ref": "#/$defs/format"},
    "test_output_format": {"$ref": "#/$defs/format"},
    "test_name_format": {"$ref": "#/$defs/format"},
    "visibility": {"$ref": "#/$defs/visibility"},
    "stdout_visibility": {"$ref": "#/$defs/visibility"},
    "extra_data": {"type": "object"},
    "tests": {"type": "array", "items": {
      "type": "object",
      "properties": {
        "score": {"type": "number"},
        "max_score": {"type": "number"},
        "status": {"enum": ["passed", "failed"]},
        "name": {"type": "string"},
        "name_format": {"$ref": "#/$defs/format"},
        "number": {"type": "string"},
        "output": {"type": "string"},
        "output_format": {"$ref": "#/$defs/format"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "visibility": {"$ref": "#/$defs/visibility"},
        "extra_data": {"type": "object"}
      },
      "additionalProperties": false
    }},
    "leaderboard": {"type": "array", "items": {
      "type": "object",
      "properties": {"name": {"type": "string"}, "value": {"type": ["number", "string"]}, "order": {"enum": ["asc", "desc"]}},
      "required": ["name", "value"],
      "additionalProperties": false
    }}
  },
  "additionalProperties": false,
  "$defs": {
    "format": {"enum": ["text", "html", "simple_format", "md", "ansi"]},
    "visibility": {"enum": ["hidden", "after_due_date", "after_published", "visible"]}
  }
})";

// What is wrong with a results.json; empty: nothing. A score must stand at the top or in every test.
std::vector<std::string> GradescopeErrors(const json& results) {
  std::vector<std::string> errors = SchemaErrors(json::parse(kGradescopeSchema), results);
  bool in_every_test = !results["tests"].empty();
  for (const json& test : results["tests"]) in_every_test = in_every_test && test.contains("score");
  if (!results.contains("score") && !in_every_test) errors.push_back("there is no score");
  return errors;
}

json Gradescope(const score::GradingReport& report) {
  const Result<std::string> text = GradescopeText(report);
  return text ? json::parse(*text) : json(text.error().message);
}

TEST(GradescopeTest, HasATestForEachRungAndTheirSum) {
  const json results = Gradescope(EmulatorReport({Submission("s1042", {EmulatorLab()})}));
  EXPECT_THAT(GradescopeErrors(results), IsEmpty());
  EXPECT_EQ(results["score"], 18);
  ASSERT_EQ(results["tests"].size(), 7u);
  double sum = 0, most = 0;
  for (const json& test : results["tests"]) {
    sum += test["score"].get<double>();
    most += test["max_score"].get<double>();
  }
  EXPECT_EQ(sum, 18);
  EXPECT_EQ(most, 84);
  EXPECT_EQ(results["tests"][0]["name"], "lab2.v1_naive");
  EXPECT_EQ(results["tests"][0]["status"], "passed") << "throughput is not measured here";
  EXPECT_EQ(results["tests"][1]["status"], "failed") << "a limit is missed";
  EXPECT_EQ(results["tests"][2]["status"], "failed");
  EXPECT_THAT(results["tests"][2]["output"].get<std::string>(), HasSubstr("WRONG 9/12\n1000 x 33: "));
  EXPECT_THAT(results["output"].get<std::string>(), HasSubstr("70 of 84 points can be measured here"));
}

TEST(GradescopeTest, LeaderboardsHaveTheFigureAndNotTheRank) {
  score::GradingReport report = GpuReport({Submission("s1", {GpuLab()})});
  score::LeaderboardEntry mine, other;
  mine.id = "s1";
  mine.rank = 2;
  mine.score_s = 0.25;
  other.id = "s2";
  other.rank = 1;
  report.leaderboards = {{"lab1", "Reduction", 20, true, {other, mine}}, {"lab5", "Scan", 20, false, {mine}}};
  const json results = Gradescope(report);
  EXPECT_THAT(GradescopeErrors(results), IsEmpty());
  EXPECT_EQ(results["leaderboard"], json::parse(R"([{"name":"lab1 seconds","value":0.25,"order":"asc"},
                            {"name":"lab5 wrong answers","value":0,"order":"asc"}])"));
}

TEST(GradescopeTest, ASubmissionThatCannotBeReadHasNoPointsAndTheReason) {
  score::SubmissionScore unreadable = Submission("s7.zip", {});
  unreadable.messages = {"not a zip archive"};
  const json results = Gradescope(EmulatorReport({unreadable}));
  EXPECT_THAT(GradescopeErrors(results), IsEmpty());
  EXPECT_EQ(results["score"], 0);
  EXPECT_THAT(results["output"].get<std::string>(), HasSubstr("not a zip archive"));
}

TEST(GradescopeTest, WhatIsNotFinishedIsAFailureOfTheAutograderAndNoMark) {
  score::GradingReport report = EmulatorReport({Submission("s1", {EmulatorLab()})});
  report.submissions[0].unfinished = {{"lab2", "v9", "interrupted"}};
  const json results = Gradescope(report);
  EXPECT_THAT(GradescopeErrors(results), testing::ElementsAre("there is no score"));
  EXPECT_THAT(results["output"].get<std::string>(), HasSubstr("NOT FINISHED: lab2.v9: interrupted"));
}

TEST(GradescopeTest, OddNamesAreText) {
  for (const std::string& name : OddNames()) {
    score::LabScore lab = EmulatorLab();
    lab.rungs[2].measurement.failures[0].message = name;
    lab.rungs[4].measurement.messages = {name};
    const json results = Gradescope(EmulatorReport({Submission(name, {lab})}));
    EXPECT_THAT(GradescopeErrors(results), IsEmpty()) << name;
  }
}

TEST(GradescopeTest, SeveralSubmissionsAreAMistakeThatSaysWhatToDo) {
  const Result<std::string> text = GradescopeText(EmulatorReport({Submission("a", {}), Submission("b", {})}));
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().kind, ErrorKind::kUsage);
  EXPECT_EQ(text.error().message,
            "--gradescope is about one submission, but there are 2; grade each by itself: warpgrade grade SUBMISSION "
            "--gradescope FILE");
}

}  // namespace
}  // namespace warpgrade::report
