#include "grader/score/failure_kind.h"

#include <gtest/gtest.h>

namespace warpgrade::score {
namespace {

std::string Kind(const std::string& name, const std::string& message) {
  CaseFailure failure;
  failure.case_name = name;
  failure.message = message;
  return KindOf(failure);
}

TEST(FailureKindTest, NumbersTypesAndTheNameOfTheCaseMakeNoKind) {
  EXPECT_EQ(Kind("n = 0, int, sum", "n = 0, int, sum: out[3] is -1.5e+10, and should be 7."),
            "out[#] is #, and should be #.");
  EXPECT_EQ(Kind("31 x 33, float", "31 x 33: out[12] is -inf, and should be nan"), "out[#] is #, and should be #");
  EXPECT_EQ(Kind("n = 1", "add<int, Max<int> >(0x7f00) stopped in v1_naive.cu:12: no"),
            "add(#) stopped in v1_naive.cu:#: no");
  EXPECT_EQ(Kind("n = 1", "infinite nan"), "infinite #");
  EXPECT_EQ(Kind("n = 1", "1 < 2, and 3 >= 2"), "# < #, and # >= #");
}

TEST(FailureKindTest, OtherWordsAreAnotherKind) {
  EXPECT_NE(Kind("n = 0", "d_out[0] was never written (should be 0)"), Kind("n = 5", "d_out[0] is 4, should be 5"));
}

TEST(FailureKindTest, AFailureWithoutAMessageHasNoKind) { EXPECT_EQ(Kind("n = 0", ""), ""); }

TEST(FailureKindTest, BracketsThatNeverCloseAreText) { EXPECT_EQ(Kind("", "a<b<5"), "a<b<#"); }

}  // namespace
}  // namespace warpgrade::score
