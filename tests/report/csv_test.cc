#include "grader/report/csv.h"

#include <gtest/gtest.h>

#include "grader/report/text.h"
#include "tests/report/odd_names.h"
#include "tests/report/sample_report.h"

namespace warpgrade::report {
namespace {

using score::RungStatus;

TEST(CsvTest, ARowPerSubmissionAndAColumnPerRung) {
  score::LabScore first = EmulatorLab(), second = EmulatorLab();
  first.rungs = {RightRung("v1"), FailedRung("v2", RungStatus::kFailed)};
  first.points = config::Points::FromHundredths(1000);
  second.lab = "lab3";
  second.rungs = {RightRung("v1")};
  second.points = config::Points::FromHundredths(1050);
  const auto report = EmulatorReport({Submission("s1", {first}), Submission("s2", {second})});
  EXPECT_EQ(CsvText(report),
            "submission,lab2.v1,lab2.v2,lab2,lab3.v1,lab3,points,max_points,measurable_points,notes\r\n"
            "s1,10,0,10,,,10,84,70,wrong: v2\r\n"
            "s2,,,,10,10.5,10.5,84,70,\r\n");
}

TEST(CsvTest, ARungThatOnlyOneSubmissionHasGetsAColumnWhereverItStands) {
  score::LabScore first = EmulatorLab(), second = EmulatorLab();
  first.rungs = {RightRung("v1"), RightRung("v2")};
  second.rungs = {RightRung("v2"), RightRung("v3")};
  const std::string csv = CsvText(EmulatorReport({Submission("s1", {first}), Submission("s2", {second})}));
  EXPECT_EQ(csv.substr(0, csv.find(",points")), "submission,lab2.v1,lab2.v2,lab2.v3,lab2");
  EXPECT_NE(csv.find("\r\ns2,,10,10,"), std::string::npos) << csv;
}

TEST(CsvTest, QuotesAsRfc4180Says) {
  EXPECT_EQ(CsvField("plain"), "plain");
  EXPECT_EQ(CsvField("a,b"), "\"a,b\"");
  EXPECT_EQ(CsvField("say \"hi\""), "\"say \"\"hi\"\"\"");
  EXPECT_EQ(CsvField("two\nlines"), "two lines");
  EXPECT_EQ(CsvField(" space"), "\" space\"");
  EXPECT_EQ(CsvField(""), "");
}

TEST(CsvTest, DisarmsFormulas) {
  EXPECT_EQ(CsvField("=cmd|' /C calc'!A0"), "'=cmd|' /C calc'!A0");
  EXPECT_EQ(CsvField("=1,2"), "\"'=1,2\"");
  EXPECT_EQ(CsvField("+1"), "'+1");
  EXPECT_EQ(CsvField("-1+2"), "'-1+2");
  EXPECT_EQ(CsvField("-x"), "'-x");
  EXPECT_EQ(CsvField("-1."), "'-1.");
  EXPECT_EQ(CsvField("-"), "'-");
  EXPECT_EQ(CsvField("@SUM(A1)"), "'@SUM(A1)");
  EXPECT_EQ(CsvField("  =1"), "'  =1");
  EXPECT_EQ(CsvField("\t=1"), "'    =1");
  EXPECT_EQ(CsvField("＝1"), "'＝1");
  EXPECT_EQ(CsvField("a=1"), "a=1");
  EXPECT_EQ(CsvField("it's"), "it's");
}

TEST(CsvTest, AReaderGetsEachTextBack) {
  for (const std::string& name : OddNames()) {
    const auto [rows, error] = ReadCsv(CsvLine({"first", name}), "\r\n");
    ASSERT_EQ(error, "") << name;
    EXPECT_FALSE(IsFormula(rows.at(0).at(1))) << name;
    EXPECT_EQ(Recovered(rows.at(0).at(1)), PrintableLine(name));
  }
}

TEST(CsvTest, ANegativeNumberIsNoFormula) {
  EXPECT_EQ(CsvField("-7"), "-7");
  EXPECT_EQ(CsvField("-0.25"), "-0.25");
}

TEST(CsvTest, AFormulaInASubmissionsNameIsDisarmed) {
  const std::string text = CsvText(EmulatorReport({Submission("=HYPERLINK(\"http://x\")", {})}));
  EXPECT_EQ(text,
            "submission,points,max_points,measurable_points,notes\r\n"
            "\"'=HYPERLINK(\"\"http://x\"\")\",0,0,0,\r\n");
}

TEST(CsvTest, SpellsOutControlCharacters) { EXPECT_EQ(CsvField("a\x1b[1m\rb"), "a\\x1b[1m\\x0db"); }

}  // namespace
}  // namespace warpgrade::report
