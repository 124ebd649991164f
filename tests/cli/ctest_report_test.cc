#include "grader/cli/ctest_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::cli {
namespace {

using config::Points;
using testing::HasSubstr;
using testing::Not;

Points P(int whole) { return Points::FromHundredths(whole * 100); }

TEST(CtestReportTest, NothingRanNothingIsSaid) { EXPECT_EQ(FormatTestTable({}), ""); }

TEST(CtestReportTest, TellsNotWrittenYetFromWrong) {
  const Records records = {
      {"lab1.v1_a.correctness", {.outcome = Outcome::kPassed, .device = "the emulator (no GPU here)"}},
      {"lab1.v1_a.technique", {.outcome = Outcome::kPassed, .points = P(10), .max_points = P(10)}},
      {"lab1.v1_a.throughput", {.outcome = Outcome::kSkipped, .note = "skipped: no GPU"}},
      {"lab1.v2_b.correctness", {.outcome = Outcome::kNotWritten}},
      {"lab1.v2_b.technique", {.outcome = Outcome::kNotWritten, .max_points = P(15)}},
      {"lab1.v3_c.correctness", {.outcome = Outcome::kFailed}},
      {"lab1.v10_d.correctness", {.outcome = Outcome::kCompileError}},
  };
  EXPECT_EQ(FormatTestTable(records), R"(
Tests ran on the emulator (no GPU here).

  rung        correctness       technique        throughput        points
  lab1.v1_a   passed            passed           skipped: no GPU    10/10
  lab1.v2_b   not written yet   not written yet  -                   0/15
  lab1.v3_c   WRONG             -                -                      -
  lab1.v10_d  does not compile  -                -                      -
                                                 total              10/25
)");
}

TEST(CtestReportTest, AWrongAnswerEarnsNothingWhateverItsTechnique) {
  const Records records = {
      {"lab2.v1.correctness", {.outcome = Outcome::kFailed}},
      {"lab2.v1.technique", {.outcome = Outcome::kPassed, .points = P(7), .max_points = P(7)}},
  };
  EXPECT_THAT(FormatTestTable(records), HasSubstr(" 0/7\n"));
  EXPECT_THAT(FormatTestTable(records), Not(HasSubstr("7/7")));
}

}  // namespace
}  // namespace warpgrade::cli
