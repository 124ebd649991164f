// The form of answers.yaml; what the answers are worth is tested in tests/quiz/marks_test.cc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/config/quiz.h"

namespace warpgrade::config {
namespace {

using Form = SheetAnswer::Form;

struct Read {
  std::optional<AnswerSheet> sheet;
  std::string mistakes;
};
Read ReadText(const std::string& text) {
  Problems problems("answers.yaml");
  Read read{ReadAnswerSheet(text, &problems), ""};
  if (!problems.empty()) read.mistakes = problems.ToError(ErrorKind::kSubmission).message;
  return read;
}

TEST(AnswersReaderTest, ReadsEveryFormWithItsPlace) {
  const Read read = ReadText(
      "student: s1042\n"
      "empty:\n"
      "number: 1.5\n"
      "quoted: ' x '\n"
      "list: [1, two]\n"
      "map: {a: 1}\n"
      "nested: [[1]]\n");
  ASSERT_EQ(read.mistakes, "");
  EXPECT_EQ(read.sheet->student, "s1042");
  const auto& answers = read.sheet->answers;
  ASSERT_EQ(answers.size(), 6u);
  EXPECT_EQ(answers[0].form, Form::kEmpty);
  EXPECT_EQ(answers[1].form, Form::kOne);
  EXPECT_EQ(answers[1].texts[0], "1.5");
  EXPECT_EQ(answers[1].place.line, 3);
  EXPECT_EQ(answers[1].place.column, 9);
  EXPECT_EQ(answers[2].texts[0], " x ");
  EXPECT_EQ(answers[3].form, Form::kList);
  EXPECT_THAT(answers[3].texts, testing::ElementsAre("1", "two"));
  EXPECT_EQ(answers[4].form, Form::kOther);
  EXPECT_EQ(answers[5].form, Form::kOther);
}

TEST(AnswersReaderTest, AStudentMayBeLeftOut) {
  EXPECT_EQ(ReadText("student:\na: 1\n").sheet->student, std::nullopt);
  EXPECT_EQ(ReadText("a: 1\n").sheet->student, std::nullopt);
  const Read list = ReadText("student: [s1]\na: 1\n");
  EXPECT_EQ(list.mistakes, "answers.yaml:1:10: student is not a single value; write your id, such as s1042");
  EXPECT_EQ(list.sheet->answers.size(), 1u);
}

TEST(AnswersReaderTest, TheFirstOfTwoAnswersCounts) {
  const Read read = ReadText("a: 1\na: 2\n");
  EXPECT_EQ(read.mistakes,
            "answers.yaml:2:1: 'a' has another answer on line 1, and that one counts; remove one of them");
  ASSERT_EQ(read.sheet->answers.size(), 1u);
  EXPECT_EQ(read.sheet->answers[0].texts[0], "1");
}

TEST(AnswersReaderTest, WhatIsNoSheetIsRefusedAsAWhole) {
  EXPECT_FALSE(ReadText("- 1\n- 2\n").sheet);
  EXPECT_FALSE(ReadText("a: [1\n").sheet);
  EXPECT_THAT(ReadText("a: [1\n").mistakes, testing::StartsWith("answers.yaml:"));
  const Read large = ReadText(std::string(kMostSheetBytes + 1, '#'));
  EXPECT_FALSE(large.sheet);
  EXPECT_THAT(large.mistakes, testing::HasSubstr("the limit is 65536"));
}

TEST(ShownTest, IsOneShortLineThatMovesNoCursor) {
  EXPECT_EQ(Shown("50 %"), "50 %");
  EXPECT_EQ(Shown("\x1b[2J\a\x7f\n"), "\\x1B[2J\\x07\\x7F\\x0A");
  EXPECT_EQ(Shown(std::string(40, 'a')), std::string(40, 'a'));
  EXPECT_EQ(Shown(std::string(41, 'a')), std::string(40, 'a') + "...");
  // Not cut inside of a character.
  EXPECT_EQ(Shown(std::string(39, 'a') + "\u00fcb"), std::string(39, 'a') + "\u00fc...");
}

}  // namespace
}  // namespace warpgrade::config
