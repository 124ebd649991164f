#include "grader/quiz/sheet.h"

#include <gmock/gmock.h>

#include "tests/quiz/toy_quiz.h"

namespace warpgrade::quiz {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(QuizSheetTest, ABlankOneForEveryoneLeavesOpenWhatIsDrawn) {
  const std::string sheet = BlankSheet(ToyQuiz(), std::nullopt, "warpgrade make-starter");
  EXPECT_THAT(sheet, StartsWith("# Generated from labs/toy/quiz.yaml by `warpgrade make-starter`; yours to edit.\n"));
  EXPECT_THAT(sheet, HasSubstr("\nstudent:\n"));
  EXPECT_THAT(sheet, HasSubstr("\n# 1. 1000 elements, <threads> threads?\n"
                               "#    <threads>: one of 64, 128, 256 or 512\n"
                               "#    A whole number.\n"
                               "blocks:\n"));
  EXPECT_THAT(sheet, HasSubstr("#    A number, within 1%.\nshare:\n"));
  EXPECT_THAT(sheet, HasSubstr("#    One of: memory, compute.\nbound:\n"));
  EXPECT_THAT(sheet, HasSubstr("#    A list of numbers, such as [1, 2, 3].\nlist:\n"));
}

TEST(QuizSheetTest, AStudentsOwnHasNumbersAndNoAnswers) {
  const std::string sheet = BlankSheet(ToyQuiz(), Student{"C", "T", "it's #1"}, "x");
  EXPECT_THAT(sheet, HasSubstr("\nstudent: 'it''s #1'\n"));
  EXPECT_THAT(sheet, Not(HasSubstr("<threads>")));
  EXPECT_THAT(sheet, HasSubstr("\nblocks:\n"));
}

TEST(QuizSheetTest, OnTheTerminalNoLineIsWiderThanAsked) {
  for (const int width : {40, 60, 100}) {
    const std::string text = QuestionsText(ToyQuiz(), Student{"C", "T", "s1"}, width);
    size_t widest = 0;
    for (size_t at = 0; at < text.size();) {
      const size_t end = text.find('\n', at);
      widest = std::max(widest, end - at);
      at = end + 1;
    }
    EXPECT_LE(widest, static_cast<size_t>(width) + 1) << "the dot in the heading has two bytes";
  }
}

}  // namespace
}  // namespace warpgrade::quiz
