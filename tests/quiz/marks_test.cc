// What answers are worth; students' files may hold anything.
#include "grader/quiz/marks.h"

#include <gmock/gmock.h>

#include <cstdio>
#include <random>

#include "grader/quiz/sheet.h"
#include "grader/quiz/value_text.h"
#include "tests/quiz/toy_quiz.h"

namespace warpgrade::quiz {
namespace {

using score::RungStatus;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const Student kStudent = {"Course", "2026", "s1042"};

// With all digits that a double has.
std::string Exactly(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

class MarksTest : public testing::Test {
 protected:
  Marks Mark(const std::string& sheet) { return MarkSheet(quiz_, kStudent, &sheet, "toy/answers.yaml"); }
  // Of the first question whose name is in the sheet.
  quiz::Mark Only(const std::string& line) {
    const Marks marks = Mark(line + "\n");
    for (const quiz::Mark& mark : marks.marks) {
      if (line.starts_with(mark.question)) return mark;
    }
    ADD_FAILURE() << line;
    return {};
  }
  double Want(const std::string& name) {
    return std::get<double>(AnswerOf(*quiz_.Find(name), Draw(quiz_, *quiz_.Find(name), kStudent)));
  }
  std::string Answered() { return AnsweredSheet(quiz_, kStudent, "a test"); }

  Quiz quiz_ = ToyQuiz();
};

TEST_F(MarksTest, OurOwnAnswersAreAllRight) {
  const Marks marks = Mark(Answered());
  EXPECT_EQ(marks.Right(), 4);
  EXPECT_EQ(marks.status, RungStatus::kPassed);
  EXPECT_THAT(marks.messages, IsEmpty());
  const score::RungMeasurement measurement = MeasurementOf(marks);
  EXPECT_EQ(measurement.cases, 4);
  EXPECT_EQ(measurement.cases_passed, 4);
  EXPECT_THAT(measurement.failures, IsEmpty());
}

TEST_F(MarksTest, AnEmptySheetIsNotWrittenAndNoneIsMissing) {
  EXPECT_EQ(Mark(BlankSheet(quiz_, std::nullopt, "a test")).status, RungStatus::kNotWritten);
  EXPECT_EQ(Mark(BlankSheet(quiz_, kStudent, "a test")).status, RungStatus::kNotWritten);
  const Marks none = MarkSheet(quiz_, kStudent, nullptr, "toy/answers.yaml");
  EXPECT_EQ(none.status, RungStatus::kMissing);
  EXPECT_EQ(none.marks.size(), 4u);
  EXPECT_EQ(MeasurementOf(none).cases_passed, 0);
}

TEST_F(MarksTest, SomeoneElsesAnswersAreMarkedWithTheSubmissionsNumbers) {
  const Student other = {"Course", "2026", "s77"};
  const std::string sheet = AnsweredSheet(quiz_, other, "a test");
  const Marks marks = Mark(sheet);
  EXPECT_LT(marks.Right(), 4);
  ASSERT_EQ(marks.messages.size(), 1u);
  EXPECT_THAT(marks.messages[0], HasSubstr("toy/answers.yaml:8:10: these are the answers of 's77'"));
}

TEST_F(MarksTest, AToleranceIncludesItsEdges) {
  const double want = Want("share");
  const auto precise = [&](double answer) { return Only("share: " + Exactly(answer)).verdict; };
  EXPECT_EQ(precise(want), Verdict::kRight);
  EXPECT_EQ(precise(want * 1.01), Verdict::kRight);
  EXPECT_EQ(precise(want * 0.99), Verdict::kRight);
  EXPECT_EQ(precise(want * 1.0101), Verdict::kWrong);
  EXPECT_EQ(precise(want * 0.9899), Verdict::kWrong);
  EXPECT_EQ(precise(-want), Verdict::kWrong);
  EXPECT_EQ(Only("blocks: " + ValueText(Want("blocks"))).verdict, Verdict::kRight);
  EXPECT_EQ(Only("blocks: " + ValueText(Want("blocks") + 1)).verdict, Verdict::kWrong) << "no tolerance";
  EXPECT_EQ(Only("blocks: " + ValueText(Want("blocks")) + ".001").verdict, Verdict::kWrong);
}

TEST_F(MarksTest, NumbersMayBeWrittenInSeveralWays) {
  const std::string right = ValueText(Want("blocks"));
  for (const std::string& form : {right, right + ".0", right + "e0", "\"" + right + "\"", "'" + right + "'"}) {
    EXPECT_EQ(Only("blocks: " + form).verdict, Verdict::kRight) << form;
  }
}

TEST_F(MarksTest, WhatIsNoNumberSaysWhatToWrite) {
  const std::pair<const char*, const char*> kCases[] = {
      {"50 %", "percent sign"},
      {"50%", "percent sign"},
      {"8 warps", "without a unit"},
      {"1,5", "has a comma"},
      {"1,000,000", "has a comma"},
      {"3/4", "worked out"},
      {"2^20", "worked out"},
      {".nan", "not a finite number"},
      {"nan", "not a finite number"},
      {".inf", "not a finite number"},
      {"-inf", "not a finite number"},
      {"1e999", "out of range"},
      {"0x10", "unit"},
      {"eight", "not a number"},
      {"[8]", "without brackets"},
      {"{a: 8}", "not one answer"},
  };
  for (const auto& [text, advice] : kCases) {
    const quiz::Mark mark = Only(std::string("blocks: ") + text);
    EXPECT_EQ(mark.verdict, Verdict::kUnreadable) << text;
    EXPECT_THAT(mark.message, HasSubstr("toy/answers.yaml:1:9: ")) << text;
    EXPECT_THAT(mark.message, HasSubstr(advice)) << text;
  }
  EXPECT_EQ(Only("blocks: 1e300").verdict, Verdict::kWrong);
  EXPECT_EQ(Only("blocks: -0").verdict, Verdict::kWrong);
}

TEST_F(MarksTest, WordsAreTakenInAnyCase) {
  EXPECT_EQ(Only("bound: memory").verdict, Verdict::kRight);
  EXPECT_EQ(Only("bound: ' Memory '").verdict, Verdict::kRight);
  EXPECT_EQ(Only("bound: compute").verdict, Verdict::kWrong);
  const quiz::Mark mark = Only("bound: both");
  EXPECT_EQ(mark.verdict, Verdict::kUnreadable);
  EXPECT_THAT(mark.message, HasSubstr("memory or compute"));
}

TEST_F(MarksTest, ListsMustHaveEveryNumber) {
  std::string right = ValueText(AnswerOf(quiz_.questions[3], Draw(quiz_, quiz_.questions[3], kStudent)));
  EXPECT_EQ(Only("list: " + right).verdict, Verdict::kRight);
  EXPECT_EQ(Only("list: [1]").verdict, Verdict::kWrong);
  right.insert(right.size() - 1, ", 0");
  EXPECT_EQ(Only("list: " + right).verdict, Verdict::kWrong);
  EXPECT_EQ(Only("list: []").verdict, Verdict::kWrong);
  EXPECT_EQ(Only("list: [1, two, 3]").verdict, Verdict::kUnreadable);
  EXPECT_EQ(Only("list: [1, [2], 3]").verdict, Verdict::kUnreadable);
  EXPECT_THAT(Only("list: 1, 2, 3").message, HasSubstr("write the numbers as [1, 2, 3]"));
}

TEST_F(MarksTest, NoMessageHoldsTheRightAnswer) {
  const std::string right = ValueText(Want("blocks"));
  const Marks marks = Mark("blocks: 99999\nshare: wrong\n");
  for (const quiz::Mark& mark : marks.marks) EXPECT_THAT(mark.message, Not(HasSubstr(" " + right)));
  for (const score::CaseFailure& failure : MeasurementOf(marks).failures) EXPECT_EQ(failure.want, "");
}

TEST_F(MarksTest, OneBadAnswerCostsNoOther) {
  std::string sheet = Answered();
  const size_t at = sheet.find("\nshare:");
  sheet.replace(at, sheet.find('\n', at + 1) - at, "\nshare: {a: [b, !!float c]}\nunknown: 3\nshare: 0.5\n? [x]\n: 4");
  const Marks marks = Mark(sheet);
  EXPECT_EQ(marks.Right(), 3);
  EXPECT_EQ(marks.status, RungStatus::kFailed);
  const std::string messages = testing::PrintToString(marks.messages);
  EXPECT_THAT(messages, HasSubstr("the quiz has no question 'unknown'"));
  EXPECT_THAT(messages, HasSubstr("'share' has another answer on line"));
  EXPECT_THAT(messages, HasSubstr("cannot be the name of a question"));
  EXPECT_THAT(messages, HasSubstr("tag"));
}

TEST_F(MarksTest, AMistypedQuestionNamesTheNearest) {
  EXPECT_THAT(Mark("blocs: 3\n").messages,
              ElementsAre("toy/answers.yaml:1:8: the quiz has no question 'blocs'; did you mean 'blocks'?"));
}

TEST_F(MarksTest, HostileFilesAreAnsweredAtOnce) {
  std::string bomb = "a: &a [x, x, x, x, x, x, x, x]\n";
  for (char c = 'b'; c < 'm'; ++c) {
    bomb += std::string(1, c) + ": &" + c + " [";
    for (int i = 0; i < 8; ++i) bomb += std::string(i ? ", " : "") + "*" + char(c - 1);
    bomb += "]\n";
  }
  const std::string cases[] = {
      bomb,
      "blocks: " + std::string(5000, '['),
      "blocks: " + std::string(60000, '{'),
      std::string(30000, '-') + " x",
      "blocks: &x [*x]\n",
      std::string("blocks: 1\0 2", 12),
      "blocks: \xff\xfe\n",
      "\tblocks: 1\n",
      "- a\n- b\n",
      "just text",
      "",
      "# nothing\n",
      "--- 1\n--- 2\n",
      "blocks: \"unclosed\n",
      "<<: {blocks: 3}\n",
      "student: [a, b]\nblocks: 3\n",
      "student: " + std::string(50000, 'x') + "\n",
      std::string(50000, 'q') + ": 3\n",
  };
  for (const std::string& text : cases) {
    SCOPED_TRACE(text.substr(0, 60));
    const Marks marks = Mark(text);
    EXPECT_EQ(marks.marks.size(), 4u);
    EXPECT_LT(marks.Right(), 4);
    EXPECT_NE(marks.status, RungStatus::kPassed);
    for (const std::string& message : marks.messages) {
      EXPECT_THAT(message, HasSubstr("toy/answers.yaml:"));
      EXPECT_LT(message.size(), 400u);
    }
  }
  std::string many;
  for (int i = 0; many.size() < 60000; ++i) many += "q" + std::to_string(i) + ": 1\n";
  EXPECT_LT(Mark(many).messages.size(), 100u);
}

TEST_F(MarksTest, AFileThatIsTooLargeIsRefused) {
  const Marks marks = Mark(Answered() + "#" + std::string(config::kMostSheetBytes, 'x') + "\n");
  EXPECT_EQ(marks.status, RungStatus::kRefused);
  EXPECT_EQ(marks.Right(), 0);
}

// Right answers, changed by chance: never a crash, never more right than before, and the marks are the same twice.
TEST_F(MarksTest, MutantsOfAnswersAreNeverWorthMore) {
  const std::string right = Answered();
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    std::string mutant = right;
    const int changes = 1 + static_cast<int>(random() % 4);
    for (int k = 0; k < changes; ++k) {
      const size_t at = random() % mutant.size();
      static constexpr char kBytes[] = "0123456789.-e%[]{}:,'\"&*!?|># \n\t\0\xff";
      const char byte = kBytes[random() % (sizeof(kBytes) - 1)];
      if (random() % 3 == 0) {
        mutant.erase(at, 1);
      } else {
        mutant.insert(at, 1, byte);
      }
    }
    const Marks marks = Mark(mutant);
    EXPECT_LE(marks.Right(), 4);
    EXPECT_EQ(marks.Right(), Mark(mutant).Right());
    EXPECT_EQ(marks.status == RungStatus::kPassed, marks.Right() == 4) << mutant;
  }
}

}  // namespace
}  // namespace warpgrade::quiz
