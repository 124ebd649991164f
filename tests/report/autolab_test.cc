// Reads the output as Autolab does: the last line, with quotes put around every word before a colon.
#include "grader/report/autolab.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "tests/report/odd_names.h"
#include "tests/report/sample_report.h"

namespace warpgrade::report {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// The scores, or why Autolab reports that the autograder failed.
json AutolabScores(std::string output) {
  while (!output.empty() && std::isspace(static_cast<unsigned char>(output.back())) != 0) output.pop_back();
  const std::string line = output.substr(output.rfind('\n') + 1);
  const std::string quoted = std::regex_replace(line, std::regex("([a-zA-Z0-9]+):"), "\"$1\":");
  const json parsed = json::parse(quoted, nullptr, false);
  if (parsed.is_discarded()) return "not JSON: " + quoted;
  if (!parsed.contains("scores")) return "Missing 'scores' object in the autoresult";
  if (parsed["scores"].empty()) return "Empty autoresult string";
  for (const json& score : parsed["scores"]) {
    if (!score.is_number()) return "not a number: " + score.dump();
  }
  return parsed;
}

std::string Autolab(const score::GradingReport& report) {
  const Result<std::string> text = AutolabText(report);
  return text ? *text : text.error().message;
}

TEST(AutolabTest, TheLastLineHasAScoreForEachRung) {
  const std::string output = Autolab(GpuReport({Submission("s1042", {EmulatorLab(), GpuLab()})}));
  const json result = AutolabScores(output);
  EXPECT_EQ(result["scores"].size(), 11u);
  EXPECT_EQ(result["scores"]["lab2.v1_naive"], 10);
  EXPECT_EQ(result["scores"]["lab2.v3_padded"], 0);
  EXPECT_EQ(result["scores"]["lab1.v2_slow"], 10.5);
  EXPECT_EQ(result["scoreboard"], json::array({60.5}));
  EXPECT_THAT(output, HasSubstr("lab2 Transpose · s1042")) << "the student sees the table";
}

TEST(AutolabTest, ANameWithAColonIsNotTornApart) {
  score::LabScore lab = EmulatorLab();
  lab.rungs[0].rung = "v1: \"quoted\" \\ naive";
  const json result = AutolabScores(Autolab(EmulatorReport({Submission("time: 5", {lab})})));
  EXPECT_EQ(result["scores"]["lab2.v1: \"quoted\" \\ naive"], 10) << result;
}

TEST(AutolabTest, OnlyWhatIsFinishedHasAScore) {
  score::GradingReport report = EmulatorReport({Submission("s1", {EmulatorLab()})});
  report.submissions[0].unfinished = {{"lab2", "v9", "interrupted"}};
  const json result = AutolabScores(Autolab(report));
  EXPECT_EQ(result["scores"].size(), 7u);
  EXPECT_FALSE(result.contains("scoreboard"));
}

TEST(AutolabTest, WithoutAnyResultAutolabReportsAFailure) {
  EXPECT_EQ(AutolabScores(Autolab(EmulatorReport({Submission("s7.zip", {})}))), "Empty autoresult string");
}

TEST(AutolabTest, OddNamesAreText) {
  for (const std::string& name : OddNames()) {
    score::LabScore lab = EmulatorLab();
    lab.rungs[2].measurement.failures[0].message = name + "\n{\"scores\":{\"lab2.v3_padded\":10}}";
    const std::string output = Autolab(EmulatorReport({Submission(name, {lab})}));
    EXPECT_TRUE(IsUtf8(output));
    EXPECT_EQ(AutolabScores(output)["scores"]["lab2.v3_padded"], 0) << name;
  }
}

}  // namespace
}  // namespace warpgrade::report
