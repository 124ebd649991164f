// A submission that was not graded to its end is in every report, with the reason, and no report has a number that
// could be taken for its mark.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "grader/report/case_text.h"
#include "grader/report/csv.h"
#include "grader/report/json.h"
#include "grader/report/json_reader.h"
#include "grader/report/junit.h"
#include "grader/report/table.h"
#include "tests/config/json_schema.h"
#include "tests/report/sample_report.h"

namespace warpgrade::report {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// "begun" has a lab, of which one rung is missing; "not_begun" has nothing.
score::GradingReport Report() {
  score::SubmissionScore begun = Submission("begun", {EmulatorLab()});
  begun.unfinished = {{"lab2", "v9_last", "the judge itself failed\nits last words"}};
  score::SubmissionScore not_begun = Submission("not_begun", {});
  for (const char* rung : {"v1", "v2", "v3", "v4"}) not_begun.unfinished.push_back({"lab2", rung, "interrupted"});
  return EmulatorReport({Submission("whole", {EmulatorLab()}), begun, not_begun});
}

TEST(UnfinishedTest, TheTableHasARowWithTheReasonAndWithoutASum) {
  const std::string table = Table(Report(), {.width = 200});
  EXPECT_THAT(table, HasSubstr("NOT FINISHED: lab2.v9_last: the judge itself failed"));
  EXPECT_THAT(table, HasSubstr("not_begun       -       -  NOT FINISHED: 4 rungs: interrupted"));
  EXPECT_THAT(table, HasSubstr("2 submissions not finished\n1 submission: mean "));
}

TEST(UnfinishedTest, ATableOfNobodyWhoIsFinishedHasNoMean) {
  score::GradingReport report = Report();
  report.submissions.erase(report.submissions.begin());
  EXPECT_THAT(Table(report, {}), Not(HasSubstr("mean")));
}

TEST(UnfinishedTest, TheTableOfOneSubmissionSaysSoAboveItsRungs) {
  score::GradingReport report = Report();
  EXPECT_THAT(Table(EmulatorReport({report.submissions[1]}), {}), HasSubstr("NOT FINISHED: lab2.v9_last"));
  EXPECT_THAT(Table(EmulatorReport({report.submissions[2]}), {}), HasSubstr("NOT FINISHED: 4 rungs"));
}

TEST(UnfinishedTest, TheOnlyCaseOfARungThatWasNotGradedIsNoRow) {
  EXPECT_EQ(CaseText(EmulatorReport({Report().submissions[2]}), "case 1", {}), "NOT FINISHED: 4 rungs: interrupted\n");
}

TEST(UnfinishedTest, TheSpreadsheetHasNoPointsForIt) {
  const std::string csv = CsvText(Report());
  const std::string row = csv.substr(csv.find("not_begun"));
  EXPECT_THAT(row, HasSubstr(",,0,0,NOT FINISHED: 4 rungs: interrupted\r\n")) << csv;
  const std::string begun = csv.substr(csv.find("begun"), csv.find("not_begun") - csv.find("begun"));
  EXPECT_THAT(begun, HasSubstr(",,,")) << "neither the lab's sum nor the whole: " << begun;
}

TEST(UnfinishedTest, JunitHasAnErrorForEachRung) {
  const std::string xml = JunitText(Report());
  EXPECT_THAT(xml,
              HasSubstr("<testsuite name=\"not_begun.lab2\" tests=\"4\" failures=\"0\" disabled=\"0\" errors=\"4\""));
  EXPECT_THAT(xml, HasSubstr("<testcase name=\"v9_last\" classname=\"begun.lab2\""));
  EXPECT_THAT(xml, HasSubstr("<error message=\"not finished\" type=\"not_finished\">the judge itself failed"));
}

TEST(UnfinishedTest, JsonNamesEachRungAndIsReadAgain) {
  const std::string text = JsonText(Report());
  EXPECT_THAT(text, HasSubstr("\"finished\": false"));
  EXPECT_THAT(text, HasSubstr("\"rung\": \"v9_last\""));
  const Result<score::GradingReport> read = ParseReport(text, "results.json");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(JsonText(*read), text);
  const auto schema = nlohmann::json::parse(std::ifstream(WARPGRADE_RESULTS_SCHEMA));
  EXPECT_THAT(SchemaErrors(schema, nlohmann::json::parse(text)), IsEmpty());
}

}  // namespace
}  // namespace warpgrade::report
