#include "grader/report/case_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/report/sample_report.h"

namespace warpgrade::report {
namespace {

using testing::HasSubstr;
using testing::Not;

score::GradingReport OfRung(size_t rung) {
  score::LabScore lab = EmulatorLab();
  lab.rungs = {lab.rungs.at(rung)};
  return EmulatorReport({Submission("starter", {lab})});
}

TEST(CaseTextTest, ShowsAllAboutOneCaseAndNoPoints) {
  EXPECT_EQ(CaseText(OfRung(3), "case 5 of 12: 33 x 1", {}),
            "lab2 v4_unrolled · starter · emulator · case 5 of 12: 33 x 1\n"
            "\n"
            "  FAULT: the values are right, but the emulator found a fault\n"
            "  v4_unrolled.cu:27  shared-race: read a value of tile that thread (1,0,0) writes without a barrier\n"
            "  between them\n"
            "    seen   kernel transpose_v3, block (3,0,0), thread (0,1,0), 33 times in 3 of 12 cases\n"
            "    to do  put a __syncthreads() between the two accesses\n");
}

TEST(CaseTextTest, ARightCaseIsSaidToBeRight) {
  const std::string text = CaseText(OfRung(0), "case 5 of 12: 33 x 1", {});
  EXPECT_THAT(text, HasSubstr("\n  right in this case, and the emulator found no fault\n"));
  EXPECT_THAT(text, Not(HasSubstr("12/12")));
}

TEST(CaseTextTest, AWrongValueComesWithTheHint) {
  const std::string text = CaseText(OfRung(2), "case 7 of 12: 1000 x 33", {});
  EXPECT_THAT(text, HasSubstr("\n  WRONG\n  1000 x 33: out[32992] was never written"));
  EXPECT_THAT(text, HasSubstr("Which rows does the last tile hold?"));
}

TEST(CaseTextTest, ARungThatDoesNotCompileSaysSo) {
  EXPECT_THAT(CaseText(OfRung(4), "case 1 of 12: 1 x 1", {}),
              HasSubstr("\n  does not compile\n  v5_open.cu(12): error"));
}

}  // namespace
}  // namespace warpgrade::report
