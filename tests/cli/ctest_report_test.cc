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

TEST(CtestReportTest, TheTotalIsOfWhatCounts) {
  Records records;
  for (const auto& [rung, points] : std::map<std::string, int>{{"v1", 10}, {"v2", 4}, {"v3", 8}, {"v4", 3}}) {
    records["lab1." + rung + ".technique"] = {.outcome = Outcome::kPassed, .points = P(points), .max_points = P(10)};
  }
  EXPECT_EQ(FormatTestTable(records, {{"lab1", {{"v4"}, {{2, {"v1", "v2", "v3"}}}}}}), R"(
  rung              correctness  technique  throughput   points
  lab1.v1           -            passed     -             10/10
  lab1.v2           -            passed     -              4/10
  lab1.v3           -            passed     -              8/10
  lab1.v4           -            passed     -              3/10
  lab1.not_counted  -            -          -                -4
                                            total         21/20

  lab1: a bonus, on top of the lab's points: v4 3/10
  lab1: not counted: v2 4/10; only the best 2 of v1, v2, v3 count
)");
}

}  // namespace
}  // namespace warpgrade::cli
