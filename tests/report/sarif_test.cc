// Checks the log by the part of SARIF's schema that it uses, and by the rules that stand only in SARIF's text: a result
// names the rule at its ruleIndex, a URI is a URI, and messages contain no link or placeholder.
#include "grader/report/sarif.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/config/json_schema.h"
#include "tests/report/odd_names.h"
#include "tests/report/sample_report.h"

namespace warpgrade::report {
namespace {

using nlohmann::json;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kSarifSchema = R"({
  "type": "object",
  "required": ["version", "runs"],
  "additionalProperties": false,
  "properties": {
    "$schema": {"type": "string", "pattern": "^https://"},
    "version": {"enum": ["2.1.0"]},
    "runs": {"type": "array", "items": {
      "type": "object",
      "required": ["tool", "results"],
      "additionalProperties": false,
      "properties": {
        "tool": {
          "type": "object", "required": ["driver"], "additionalProperties": false,
          "properties": {"driver": {
            "type": "object", "required": ["name"], "additionalProperties": false,
            "properties": {
              "name": {"type": "string"},
              "version": {"type": "string"},
              "rules": {"type": "array", "items": {
                "type": "object", "required": ["id"], "additionalProperties": false,
                "properties": {
                  "id": {"type": "string"},
                  "shortDescription": {"$ref": "#/$defs/message"},
                  "defaultConfiguration": {
                    "type": "object", "additionalProperties": false, "properties": {"level": {"$ref": "#/$defs/level"}}
                  }
                }
              }}
            }
          }}
        },
        "automationDetails": {
          "type": "object", "additionalProperties": false, "properties": {"id": {"type": "string"}}
        },
        "invocations": {"type": "array", "items": {
          "type": "object", "required": ["executionSuccessful"], "additionalProperties": false,
          "properties": {
            "executionSuccessful": {"type": "boolean"},
            "toolExecutionNotifications": {"type": "array", "items": {
              "type": "object", "required": ["message"], "additionalProperties": false,
              "properties": {"level": {"$ref": "#/$defs/level"}, "message": {"$ref": "#/$defs/message"}}
            }}
          }
        }},
        "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
        "results": {"type": "array", "items": {
          "type": "object", "required": ["message"], "additionalProperties": false,
          "properties": {
            "ruleId": {"type": "string"},
            "ruleIndex": {"type": "integer", "minimum": -1},
            "level": {"$ref": "#/$defs/level"},
            "message": {"$ref": "#/$defs/message"},
            "locations": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/location"}},
            "relatedLocations": {"type": "array", "items": {"$ref": "#/$defs/location"}},
            "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}}
          }
        }}
      }
    }}
  },
  "$defs": {
    "level": {"enum": ["none", "note", "warning", "error"]},
    "message": {
      "type": "object", "required": ["text"], "additionalProperties": false, "properties": {"text": {"type": "string"}}
    },
    "location": {
      "type": "object", "additionalProperties": false,
      "properties": {"physicalLocation": {
        "type": "object", "required": ["artifactLocation"], "additionalProperties": false,
        "properties": {
          "artifactLocation": {
            "type": "object", "required": ["uri"], "additionalProperties": false,
            "properties": {
              "uri": {"type": "string", "pattern": "^([A-Za-z0-9._~/-]|%[0-9A-F]{2})+$"},
              "uriBaseId": {"type": "string"}
            }
          },
          "region": {
            "type": "object", "required": ["startLine"], "additionalProperties": false,
            "properties": {"startLine": {"type": "integer", "minimum": 1}}
          }
        }
      }}
    }
  }
})";

void AddMessageErrors(const json& node, std::vector<std::string>* errors) {
  if (node.is_object() && node.contains("text")) {
    const std::string text = node["text"];
    if (text.empty()) errors->push_back("an empty message");
    if (std::regex_search(text, std::regex("\\]\\("))) errors->push_back("a link: " + text);
    if (std::regex_search(text, std::regex("\\{[0-9]+\\}"))) errors->push_back("a placeholder: " + text);
  }
  if (!node.is_structured()) return;
  for (const json& child : node) AddMessageErrors(child, errors);
}

std::vector<std::string> SarifErrors(const json& log) {
  std::vector<std::string> errors = SchemaErrors(json::parse(kSarifSchema), log);
  AddMessageErrors(log, &errors);
  std::set<std::string> categories;
  for (const json& run : log["runs"]) {
    const json& rules = run["tool"]["driver"]["rules"];
    if (!categories.insert(run["automationDetails"]["id"]).second) errors.push_back("two runs have one category");
    std::set<std::string> ids, fingerprints;
    for (const json& rule : rules) {
      if (!ids.insert(rule["id"]).second) errors.push_back("a rule stands twice: " + rule.dump());
    }
    for (const json& result : run["results"]) {
      if (rules.at(result["ruleIndex"].get<size_t>())["id"] != result["ruleId"]) errors.push_back("the wrong rule");
      if (!fingerprints.insert(result["partialFingerprints"].dump()).second)
        errors.push_back("a fingerprint is double");
    }
  }
  return errors;
}

json Sarif(const score::GradingReport& report) { return json::parse(SarifText(report)); }

const json* ResultOf(const json& run, const std::string& rule) {
  for (const json& result : run["results"]) {
    if (result["ruleId"] == rule) return &result;
  }
  return nullptr;
}

std::string UriOf(const json& result) { return result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]; }

TEST(SarifTest, AFindingIsAnErrorAtItsLine) {
  const json log = Sarif(EmulatorReport({Submission("s1042", {EmulatorLab()})}));
  EXPECT_THAT(SarifErrors(log), IsEmpty());
  const json* race = ResultOf(log["runs"][0], "shared-race");
  ASSERT_NE(race, nullptr);
  EXPECT_EQ((*race)["level"], "error");
  EXPECT_EQ(UriOf(*race), "lab2/v4_unrolled.cu") << "a path in the student's own repository";
  EXPECT_EQ((*race)["locations"][0]["physicalLocation"]["region"]["startLine"], 27);
  EXPECT_EQ((*race)["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 22);
  EXPECT_THAT((*race)["message"]["text"].get<std::string>(), HasSubstr("put a __syncthreads()"));
}

TEST(SarifTest, EachErrorOfACompilerIsAResultAtItsLine) {
  score::LabScore lab = EmulatorLab();
  lab.rungs[4].measurement.messages = {
      "v5_open.cu(12): error: expected a \";\"\n    tile[y][x] = in[i]\n                      ^\n"
      "v5_open.cu(20): error: identifier \"n\" is undefined\n"};
  const json log = Sarif(EmulatorReport({Submission("s1042", {lab})}));
  EXPECT_THAT(SarifErrors(log), IsEmpty());
  std::vector<int> lines;
  for (const json& result : log["runs"][0]["results"]) {
    if (result["ruleId"] == "compile-error") {
      lines.push_back(result["locations"][0]["physicalLocation"]["region"]["startLine"]);
    }
  }
  EXPECT_THAT(lines, testing::ElementsAre(12, 20));
}

TEST(SarifTest, AMissedLimitIsAWarningAtTheLineToLookAt) {
  score::LabScore lab = EmulatorLab();
  lab.rungs[1].measurement.metric_lines["global_load_sectors_per_request"] = "v2_shared.cu:34: 31.5 sectors";
  const json log = Sarif(EmulatorReport({Submission("s1042", {lab})}));
  const json* missed = ResultOf(log["runs"][0], "missed-limit");
  ASSERT_NE(missed, nullptr);
  EXPECT_EQ((*missed)["level"], "warning");
  EXPECT_EQ((*missed)["locations"][0]["physicalLocation"]["region"]["startLine"], 34);
}

TEST(SarifTest, AWrongRungIsAnErrorOfTheWholeFile) {
  const json log = Sarif(EmulatorReport({Submission("s1042", {EmulatorLab()})}));
  for (const char* rule : {"failed", "timeout"}) {
    const json* result = ResultOf(log["runs"][0], rule);
    ASSERT_NE(result, nullptr) << rule;
    EXPECT_FALSE((*result)["locations"][0]["physicalLocation"].contains("region"));
  }
}

TEST(SarifTest, WhatIsNotWrittenYetIsNoError) {
  score::LabScore lab = EmulatorLab();
  lab.rungs = {FailedRung("v6_more", score::RungStatus::kNotWritten), FailedRung("v7", score::RungStatus::kMissing)};
  EXPECT_THAT(Sarif(EmulatorReport({Submission("s1", {lab})}))["runs"][0]["results"], IsEmpty());
}

TEST(SarifTest, APlaceInAnotherFileIsNotMistakenForALineOfTheRung) {
  score::LabScore lab = EmulatorLab();
  lab.rungs[3].measurement.findings[0].file = "/usr/local/cuda/include/cuda_pipeline.h";
  const json log = Sarif(EmulatorReport({Submission("s1", {lab})}));
  const json* race = ResultOf(log["runs"][0], "shared-race");
  EXPECT_EQ(UriOf(*race), "lab2/v4_unrolled.cu");
  EXPECT_FALSE((*race)["locations"][0]["physicalLocation"].contains("region"));
}

TEST(SarifTest, InAClassTheFolderOfTheStudentStandsBeforeThePath) {
  const json log = Sarif(EmulatorReport({Submission("s 1", {EmulatorLab()}), Submission("s2", {EmulatorLab()})}));
  EXPECT_THAT(SarifErrors(log), IsEmpty());
  EXPECT_EQ(UriOf(log["runs"][0]["results"][0]), "s%201/lab2/v2_shared.cu");
}

// The indented logs of two halves of the class say what the runs are.
TEST(SarifTest, OfMoreThanTwentySubmissionsEachRunIsOneLine) {
  std::vector<score::SubmissionScore> all;
  for (int i = 0; i < 21; ++i) {
    score::LabScore lab = EmulatorLab();
    lab.rungs[3].measurement.findings[0].message = std::to_string(i) + "\nsecond line, \"quoted\"";
    all.push_back(Submission("s" + std::to_string(i), i == 7 ? std::vector<score::LabScore>() : std::vector{lab}));
  }
  json want = json::array();
  for (const auto& half : {std::vector(all.begin(), all.begin() + 10), std::vector(all.begin() + 10, all.end())}) {
    const std::string indented = SarifText(EmulatorReport(half));
    EXPECT_THAT(indented, HasSubstr("\n      \"results\": ["));
    const json log = json::parse(indented);
    for (const json& run : log["runs"]) want.push_back(run);
  }
  const std::string text = SarifText(EmulatorReport(all));
  EXPECT_EQ(json::parse(text)["runs"], want);
  EXPECT_THAT(SarifErrors(json::parse(text)), IsEmpty());
  std::istringstream lines(text);
  size_t runs = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("{\"tool\"")) continue;
    EXPECT_EQ(json::parse(line.substr(0, line.rfind('}') + 1)), want[runs]);
    ++runs;
  }
  EXPECT_EQ(runs, 21u);
}

TEST(SarifTest, WhatIsNotFinishedMakesTheInvocationAFailure) {
  score::GradingReport report = EmulatorReport({Submission("s1", {EmulatorLab()})});
  report.submissions[0].unfinished = {{"lab2", "v9", "interrupted"}};
  const json log = Sarif(report);
  EXPECT_THAT(SarifErrors(log), IsEmpty());
  const json& invocation = log["runs"][0]["invocations"][0];
  EXPECT_EQ(invocation["executionSuccessful"], false);
  EXPECT_EQ(invocation["toolExecutionNotifications"][0]["message"]["text"], "NOT FINISHED: lab2.v9: interrupted");
}

TEST(SarifTest, OddNamesAreText) {
  for (const std::string& name : OddNames()) {
    score::LabScore lab = EmulatorLab();
    lab.rungs[2].measurement.failures[0].message = name;
    lab.rungs[3].measurement.findings[0].message = name;
    lab.rungs[4].measurement.messages = {name};
    score::SubmissionScore submission = Submission(name, {lab});
    submission.messages = {name};
    EXPECT_THAT(SarifErrors(Sarif(EmulatorReport({submission, Submission("s2", {})}))), IsEmpty()) << name;
  }
}

}  // namespace
}  // namespace warpgrade::report
