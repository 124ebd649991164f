// Every answer of the kit's own quizzes has its arithmetic, and the textbook's answer for occupancy is recognised.
#include "grader/quiz/explain.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "grader/quiz/marks.h"
#include "grader/quiz/missed_rule.h"
#include "grader/quiz/quiz.h"
#include "grader/quiz/sheet.h"
#include "grader/quiz/value_text.h"

namespace warpgrade::quiz {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

Function FunctionOf(const char* name) { return *FindFunction(name); }

TEST(QuizExplainTest, EveryFunctionIsExplained) {
  for (const Function& function : AllFunctions()) {
    EXPECT_TRUE(IsExplained(function.name))
        << "add a row for " << function.name << " to the file grader/quiz/explain_*.cc of its subject";
  }
}

TEST(QuizExplainTest, EveryQuestionOfTheKitEndsWithItsAnswer) {
  int explained = 0;
  for (const auto& lab : std::filesystem::directory_iterator(WARPGRADE_LABS_DIR)) {
    const std::string path = (lab.path() / "quiz.yaml").string();
    if (!std::filesystem::exists(path)) continue;
    const auto quiz = LoadQuiz(lab.path().filename().string(), path);
    ASSERT_TRUE(quiz.ok()) << quiz.error().message;
    for (const Question& question : quiz->questions) {
      for (int student = 0; student < 20; ++student) {
        const Values values = Draw(*quiz, question, {"C", "T", "s" + std::to_string(student)});
        const std::string text = Explain(*question.function, values);
        EXPECT_THAT(text, EndsWith(" = " + ValueText(AnswerOf(question, values)))) << question.name;
        EXPECT_GT(text.rfind(" = "), 4u) << question.name << " has an answer and no arithmetic: " << text;
        ++explained;
      }
    }
  }
  EXPECT_GT(explained, 1000);
}

TEST(QuizExplainTest, ShowsTheNumbersOfTheStep) {
  EXPECT_EQ(
      Explain(FunctionOf("divergent_warps_in_all_steps"), {{"variant", "modulo"}, {"threads", 256.0}}),
      "thread tid adds if tid % (2 x step) == 0; of the 8 warps, those with both kinds of threads; step 1, 2, 4 ...: "
      "8 + 8 + 8 + 8 + 8 + 4 + 2 + 1 = 47");
  EXPECT_THAT(Explain(FunctionOf("occupancy"), {{"registers", 50.0}, {"threads", 128.0}}),
              HasSubstr("rounded up to a multiple of 256: 1792"));
  EXPECT_EQ(Explain(FunctionOf("reduction_launches"), {{"n", 20000000.0}, {"per_block", 256.0}}),
            "20000000 -> 78125 -> 306 -> 2 -> 1; the number of arrows = 4");
}

TEST(QuizExplainTest, TheTextbooksOccupancyIsToldWhichRuleItMissed) {
  const Values kernel = {{"registers", 50.0}, {"threads", 128.0}};
  const auto missed = [&](const char* function, double given) {
    return MissedRule(FunctionOf(function), kernel, Value(given));
  };
  EXPECT_THAT(missed("occupancy", 0.625), HasSubstr("first round 32 x 50 up to a multiple of 256"));
  EXPECT_THAT(missed("occupancy", 0.63), HasSubstr("256")) << "rounded to two digits";
  EXPECT_THAT(missed("resident_blocks", 10), HasSubstr("256"));
  EXPECT_EQ(missed("occupancy", 0.5), "") << "some other mistake";
  EXPECT_EQ(MissedRule(FunctionOf("blocks_for"), {{"n", 1000.0}, {"threads", 128.0}}, Value(10.0)), "");
  EXPECT_THAT(missed("occupancy", 0.625), Not(HasSubstr("0.5625"))) << "no message contains an answer";
}

TEST(QuizExplainTest, AStudentReadsWhichRuleTheAnswerMissed) {
  const auto quiz = LoadQuiz("lab1", WARPGRADE_LABS_DIR "/lab1/quiz.yaml");
  ASSERT_TRUE(quiz.ok()) << quiz.error().message;
  const Question& question = *quiz->Find("occupancy");
  int told = 0;
  for (int i = 0; i < 200; ++i) {
    const Student student = {"C", "T", "s" + std::to_string(i)};
    const Values drawn = Draw(*quiz, question, student);
    if (drawn.at("registers") != Value(50.0) || drawn.at("threads") != Value(128.0)) continue;
    const std::string sheet = "occupancy: 0.625\n";
    const Marks marks = MarkSheet(*quiz, student, &sheet, "answers.yaml");
    EXPECT_EQ(marks.marks[0].verdict, Verdict::kWrong);
    EXPECT_THAT(marks.marks[0].message, HasSubstr("0.625 is wrong; this follows from 65536 registers / (50 x 128)"));
    ++told;
  }
  EXPECT_GT(told, 0);
}

}  // namespace
}  // namespace warpgrade::quiz
