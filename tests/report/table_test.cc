// The tables as a person sees them are in golden/.
#include "grader/report/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "grader/report/text.h"
#include "tests/report/golden.h"
#include "tests/report/sample_report.h"

namespace warpgrade::report {
namespace {

using score::RungStatus;
using testing::HasSubstr;
using testing::Not;

TEST(TableTest, OneSubmissionOnTheEmulator) {
  ExpectGolden("emulator.txt", Table(EmulatorReport({Submission("s1042", {EmulatorLab()})}), {}));
}

TEST(TableTest, OneSubmissionOnAGpu) {
  ExpectGolden("gpu.txt", Table(GpuReport({Submission("s1042", {GpuLab()})}), {.width = 120}));
}

TEST(TableTest, WhatTheGpuDidIsShownWithDetails) {
  score::LabScore lab = GpuLab();
  lab.rungs[0].measurement.throughput.gpu = SteadyGpu();
  lab.rungs[1].measurement.throughput.gpu = HotGpu();
  const auto report = GpuReport({Submission("s1042", {lab})});
  ExpectGolden("gpu_details.txt", Table(report, {.width = 120, .details = true}));
  EXPECT_THAT(Table(report, {}), Not(HasSubstr("GPU: ")));
  EXPECT_THAT(Table(report, {}), HasSubstr("thermal (hardware)")) << "a slow-down is said without being asked for";
}

TEST(TableTest, TwoLabs) {
  ExpectGolden("two_labs.txt", Table(EmulatorReport({Submission("s1042", {EmulatorLab(), EmulatorLab()})}), {}));
}

TEST(TableTest, ANarrowTerminal) {
  ExpectGolden("narrow.txt", Table(EmulatorReport({Submission("s1042", {EmulatorLab()})}), {.width = 72}));
}

TEST(TableTest, EachLimitShowsItsFigureAlsoWhereAllAreMet) {
  score::LabScore lab = EmulatorLab();
  lab.rungs.resize(1);
  score::TechniqueResult conflicts;
  conflicts.metric = "shared_bank_conflicts";
  conflicts.limit = "<= 0";
  conflicts.value = 0;
  conflicts.passed = true;
  lab.rungs[0].technique.push_back(conflicts);
  const std::string met = Table(EmulatorReport({Submission("s1042", {lab})}), {});
  EXPECT_THAT(met, HasSubstr("ok   4 global load sectors per request"));
  EXPECT_THAT(met, HasSubstr("ok   0 shared bank conflicts (limit 0)"));
  lab.rungs[0].technique[1].passed = false;
  lab.rungs[0].technique[1].value = 31;
  const std::string missed = Table(EmulatorReport({Submission("s1042", {lab})}), {});
  EXPECT_LT(missed.find("MISS 31 shared bank conflicts (limit 0)"), missed.find("ok   4 global load sectors"));
}

TEST(TableTest, Colours) {
  ExpectGolden("colours.txt", Table(EmulatorReport({Submission("s1042", {EmulatorLab()})}), {.colour = true}));
}

TEST(TableTest, NoEscapeCodesUnlessTold) {
  EXPECT_THAT(Table(EmulatorReport({Submission("s1042", {EmulatorLab()})}), {}), Not(HasSubstr("\x1b")));
}

TEST(TableTest, AColouredTableHasTheSameTextInTheSamePlaces) {
  const auto report = EmulatorReport({Submission("s1042", {EmulatorLab()})});
  std::string coloured = Table(report, {.colour = true});
  for (size_t at; (at = coloured.find('\x1b')) != std::string::npos;) {
    coloured.erase(at, coloured.find('m', at) - at + 1);
  }
  EXPECT_EQ(coloured, Table(report, {}));
}

TEST(TableTest, NoLineIsWiderThanTheTerminalOrEndsInASpace) {
  for (const int width : {90, 100, 120, 200}) {
    std::istringstream lines(Table(EmulatorReport({Submission("s1042", {EmulatorLab()})}), {.width = width}));
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(DisplayWidth(line), width) << line;
      EXPECT_FALSE(line.ends_with(' ')) << line;
    }
  }
}

TEST(TableTest, AStudentsEscapeCodesDoNotReachTheTerminal) {
  score::LabScore lab = EmulatorLab();
  lab.rungs[0].rung = "v1\x1b[2J";
  lab.rungs[0].measurement.messages = {"\x1b[31mall tests passed\x1b[0m \x9b"};
  score::SubmissionScore submission = Submission("s\x1b[1A", {lab});
  submission.messages = {"\x1b]0;x\x07"};
  const auto report = EmulatorReport({submission});
  EXPECT_THAT(Table(report, {}), Not(HasSubstr("\x1b")));
  EXPECT_THAT(Table(report, {}), HasSubstr("\\x1b[31mall tests passed\\x1b[0m \\x9b"));
  EXPECT_THAT(Table(EmulatorReport({submission, submission}), {}), Not(HasSubstr("\x1b")));
}

TEST(TableTest, ALongCompilerMessageIsCut) {
  score::LabScore lab = EmulatorLab();
  std::string message;
  for (int i = 0; i < 200; ++i) message += "error " + std::to_string(i) + "\n";
  lab.rungs = {FailedRung("v1", RungStatus::kCompileError)};
  lab.rungs[0].measurement.messages = {message};
  const std::string table = Table(EmulatorReport({Submission("s1042", {lab})}), {});
  EXPECT_THAT(table, HasSubstr("     error 9\n     ... 190 more lines\n"));
  EXPECT_THAT(table, Not(HasSubstr("error 10\n")));
}

TEST(TableTest, ASubmissionThatCouldNotBeReadSaysWhy) {
  score::SubmissionScore submission = Submission("s7.zip", {});
  submission.messages = {"s7.zip: not a zip archive; ask for it again"};
  EXPECT_EQ(Table(EmulatorReport({submission}), {}),
            "s7.zip · emulator (throughput is measured on the course's GPU, not here)\n"
            "\n"
            "  s7.zip: not a zip archive; ask for it again\n"
            "\n"
            "s7.zip: 0 points\n");
}

}  // namespace
}  // namespace warpgrade::report
