// Reads results.json by PrairieLearn's rules: the score is a share, all tests have points or none, and a file of more
// than 1 MB is not read.
#include "grader/report/prairielearn.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/config/json_schema.h"
#include "tests/report/odd_names.h"
#include "tests/report/sample_report.h"

namespace warpgrade::report {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kPrairieLearnSchema = R"({
  "type": "object",
  "properties": {
    "gradable": {"type": "boolean"},
    "score": {"type": "number", "minimum": 0, "maximum": 1},
    "format_errors": {"type": "string"},
    "message": {"type": "string"},
    "output": {"type": "string"},
    "tests": {"type": "array", "items": {
      "type": "object",
      "properties": {
        "name": {"type": "string"},
        "description": {"type": "string"},
        "points": {"type": "number"},
        "max_points": {"type": "number"},
        "message": {"type": "string"},
        "output": {"type": "string"}
      },
      "required": ["name"],
      "additionalProperties": false
    }}
  },
  "additionalProperties": false
})";

// What is wrong with a results.json; empty: nothing.
std::vector<std::string> PrairieLearnErrors(const std::string& text) {
  if (text.size() > 1'000'000) return {"is larger than 1 MB"};
  const json results = json::parse(text);
  std::vector<std::string> errors = SchemaErrors(json::parse(kPrairieLearnSchema), results);
  if (results.value("gradable", true) && !results.contains("score")) errors.push_back("there is no score");
  size_t with_points = 0;
  for (const json& test : results["tests"]) {
    with_points += test.contains("points") && test.contains("max_points") ? 1 : 0;
  }
  if (with_points != 0 && with_points != results["tests"].size()) errors.push_back("only some tests have points");
  return errors;
}

std::string PrairieLearn(const score::GradingReport& report) {
  const Result<std::string> text = PrairieLearnText(report);
  return text ? *text : text.error().message;
}

TEST(PrairieLearnTest, TheScoreIsTheShareOfThePoints) {
  const std::string text = PrairieLearn(EmulatorReport({Submission("s1042", {EmulatorLab()})}));
  EXPECT_THAT(PrairieLearnErrors(text), IsEmpty());
  const json results = json::parse(text);
  EXPECT_EQ(results["gradable"], true);
  EXPECT_DOUBLE_EQ(results["score"], 18.0 / 84);
  ASSERT_EQ(results["tests"].size(), 7u);
  double points = 0, most = 0;
  for (const json& test : results["tests"]) {
    points += test["points"].get<double>();
    most += test["max_points"].get<double>();
  }
  EXPECT_DOUBLE_EQ(points / most, results["score"]);
  EXPECT_EQ(results["tests"][2]["message"], "WRONG 9/12");
  EXPECT_THAT(results["tests"][2]["output"].get<std::string>(), HasSubstr("never written"));
}

TEST(PrairieLearnTest, TextsAreCutSoThatTheFileIsRead) {
  score::LabScore lab = EmulatorLab();
  for (score::RungScore& rung : lab.rungs) rung.measurement.messages.assign(10, std::string(100'000, 'e') + "é\n\"");
  score::SubmissionScore submission = Submission("s1042", {lab});
  submission.messages.assign(30, std::string(10'000, '"'));
  const std::string text = PrairieLearn(EmulatorReport({submission}));
  EXPECT_THAT(PrairieLearnErrors(text), IsEmpty());
  EXPECT_GT(text.size(), 300'000u) << "no more is cut than must be";
  EXPECT_THAT(text, HasSubstr("the rest is left out"));
}

TEST(PrairieLearnTest, WhatIsNotFinishedOrNotReadableIsNotGradable) {
  score::SubmissionScore unreadable = Submission("s7.zip", {});
  unreadable.messages = {"not a zip archive"};
  score::SubmissionScore begun = Submission("s1", {EmulatorLab()});
  begun.unfinished = {{"lab2", "v9", "interrupted"}};
  for (const score::SubmissionScore& submission : {unreadable, begun}) {
    const std::string text = PrairieLearn(EmulatorReport({submission}));
    EXPECT_THAT(PrairieLearnErrors(text), IsEmpty());
    const json results = json::parse(text);
    EXPECT_EQ(results["gradable"], false);
    EXPECT_FALSE(results.contains("score"));
    EXPECT_THAT(results["tests"], IsEmpty());
    EXPECT_THAT(results["format_errors"].get<std::string>(),
                HasSubstr(submission.unfinished.empty() ? "not a zip archive" : "NOT FINISHED: lab2.v9"));
  }
}

TEST(PrairieLearnTest, ACourseWithoutPointsHasTheScoreZero) {
  score::LabScore lab = EmulatorLab();
  lab.points = lab.max_points = lab.measurable_points = config::Points();
  EXPECT_EQ(json::parse(PrairieLearn(EmulatorReport({Submission("s1", {lab})})))["score"], 0);
}

TEST(PrairieLearnTest, OddNamesAreText) {
  for (const std::string& name : OddNames()) {
    score::LabScore lab = EmulatorLab();
    lab.rungs[2].measurement.failures[0].message = name;
    const std::string text = PrairieLearn(EmulatorReport({Submission(name, {lab})}));
    EXPECT_THAT(PrairieLearnErrors(text), IsEmpty()) << name;
  }
}

}  // namespace
}  // namespace warpgrade::report
