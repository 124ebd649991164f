#include "grader/cli/answer_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(AnswerChecksTest, AFastReferenceAndATinyErrorNeedNoNote) {
  const score::AnswerChecks checks = {0.12, "n = 5", 0.021, "n = 4099"};
  EXPECT_EQ(ChecksWords(checks), "0.02 s at most for a case; the solutions need 12% of the tolerance");
  EXPECT_THAT(ChecksNotes(checks, "v1_each"), IsEmpty());
}

TEST(AnswerChecksTest, ALabOfTheKitSaysNothing) {
  EXPECT_EQ(ChecksWords({}), "");
  EXPECT_THAT(ChecksNotes({}, ""), IsEmpty());
}

TEST(AnswerChecksTest, ASlowReferenceIsNamedWithItsCase) {
  const score::AnswerChecks checks = {std::nullopt, "", 6.14, "n = 4099"};
  EXPECT_EQ(ChecksWords(checks), "6.14 s at most for a case");
  EXPECT_THAT(ChecksNotes(checks, ""),
              ElementsAre("reference.cc: it takes 6.1 s in the case 'n = 4099', for every rung in every grading, and "
                          "nothing is shown meanwhile; make it faster, or the case smaller"));
}

TEST(AnswerChecksTest, AnErrorNearTheToleranceIsNamedWithItsRungAndCase) {
  const score::AnswerChecks checks = {0.934, "n = 5", 0.1, "n = 4099"};
  EXPECT_THAT(ChecksNotes(checks, "v1_each"),
              ElementsAre("v1_each: the largest error of the solution is 93% of what the tolerance allows, in the case "
                          "'n = 5', so a program that adds in another order may miss it; allow twice as much"));
}

TEST(AnswerChecksTest, ASolutionThatIsRightByLuckIsNamed) {
  EXPECT_EQ(RightByLuck("v1_each", 2, 3, "d_out[0] is 1.1, want 1"),
            "v1_each: the solution is right in 2 of 3 gradings, and wrong with other values: d_out[0] is 1.1, want 1; "
            "correct it, or allow a larger error");
  EXPECT_EQ(RightByLuck("v1_each", 3, 3, ""), "");
  EXPECT_EQ(RightByLuck("v1_each", 0, 3, "d_out[0] is 1.1, want 1"), "") << "then it does not get its points";
}

}  // namespace
}  // namespace warpgrade::cli
