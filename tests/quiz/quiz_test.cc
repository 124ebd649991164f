// Loading, with every mistake by its place; drawing.
#include "grader/quiz/quiz.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <map>
#include <set>

#include "grader/quiz/value_text.h"
#include "tests/quiz/toy_quiz.h"

namespace warpgrade::quiz {
namespace {

using testing::HasSubstr;

std::string Mistakes(const std::string& right, const std::string& wrong) {
  std::string text = kToyQuiz;
  const size_t at = text.find(right);
  EXPECT_NE(at, std::string::npos) << right;
  const auto quiz = LoadText(text.replace(at, right.size(), wrong));
  return quiz.ok() ? "" : quiz.error().message;
}

TEST(QuizTest, LoadsTheKitsOwnQuizzes) {
  int labs = 0, quizzes = 0;
  for (const auto& lab : std::filesystem::directory_iterator(WARPGRADE_LABS_DIR)) {
    labs += lab.path().filename().string().starts_with("lab") && lab.is_directory() ? 1 : 0;
    const std::string path = (lab.path() / "quiz.yaml").string();
    if (!std::filesystem::exists(path)) continue;
    ++quizzes;
    const auto quiz = LoadQuiz(lab.path().filename().string(), path);
    ASSERT_TRUE(quiz.ok()) << quiz.error().message;
    EXPECT_GE(quiz->questions.size(), 4u) << path << ": a quiz has 4 to 12 questions; add one";
    EXPECT_LE(quiz->questions.size(), 12u) << path << ": a quiz has 4 to 12 questions; take one out";
    // Two students who copy from each other are to notice.
    std::set<std::string> sheets;
    for (int student = 0; student < 10; ++student) {
      std::string asked;
      for (const Question& question : quiz->questions) {
        asked += Pose(question, Draw(*quiz, question, {"C", "T", "s" + std::to_string(student)})) + "\n";
      }
      sheets.insert(asked);
    }
    EXPECT_GE(sheets.size(), 9u) << path;
  }
  EXPECT_EQ(quizzes, labs);
  EXPECT_GE(labs, 9);
}

TEST(QuizTest, TheDrawIsTheSameForEver) {
  const Quiz quiz = ToyQuiz();
  const auto asked = [&](const Student& student) {
    std::string text;
    for (const Question& question : quiz.questions) text += Pose(question, Draw(quiz, question, student)) + " ";
    return text;
  };
  EXPECT_EQ(asked({"Course", "2026", "s1042"}), "1000 elements, 128 threads? Stride 6? Which? Convolve [1, 2, 3]. ");
  EXPECT_EQ(asked({"Course", "2026", "S1042"}), asked({"Course", "2026", "s1042"})) << "case";
}

TEST(QuizTest, StudentsTermsAndCoursesDrawDifferently) {
  const Quiz quiz = ToyQuiz();
  const auto drawn = [&](const Student& student) {
    std::string text;
    for (const Question& question : quiz.questions) text += Pose(question, Draw(quiz, question, student)) + " ";
    return text;
  };
  std::set<std::string> by_student, by_term, by_course;
  for (int i = 0; i < 50; ++i) {
    by_student.insert(drawn({"C", "T", "s" + std::to_string(i)}));
    by_term.insert(drawn({"C", std::to_string(i), "s"}));
    by_course.insert(drawn({std::to_string(i), "T", "s"}));
  }
  // Of 4 * 4 * 2 sheets.
  EXPECT_GT(by_student.size(), 20u);
  EXPECT_GT(by_term.size(), 20u);
  EXPECT_GT(by_course.size(), 20u);
}

TEST(QuizTest, EveryValueIsDrawnAboutAsOften) {
  const Quiz quiz = ToyQuiz();
  std::map<std::string, int> drawn;
  for (int i = 0; i < 4000; ++i) {
    const Values values = Draw(quiz, quiz.questions[0], {"C", "T", std::to_string(i)});
    ++drawn[ValueText(values.at("threads"))];
  }
  ASSERT_EQ(drawn.size(), 4u);
  for (const auto& [value, times] : drawn) EXPECT_NEAR(times, 1000, 150) << value;
}

TEST(QuizTest, PosesWithNumbersOrWithWhatIsDrawnLeftOpen) {
  const Quiz quiz = ToyQuiz();
  EXPECT_EQ(Pose(quiz.questions[0], std::nullopt), "1000 elements, <threads> threads?");
  EXPECT_EQ(Pose(quiz.questions[0], Values{{"n", 1000.0}, {"threads", 64.0}}), "1000 elements, 64 threads?");
  EXPECT_EQ(Pose(quiz.questions[3], Values{{"input", std::vector<double>{1, -2.5}}}), "Convolve [1, -2.5].");
}

TEST(QuizTest, AnUnknownFunctionNamesTheNearest) {
  EXPECT_EQ(Mistakes("blocks_for", "block_for"),
            "quiz.yaml:6:14: blocks: there is no function 'block_for'; did you mean 'blocks_for'?");
}

TEST(QuizTest, RefusesTextsThatDoNotFitTheirParameters) {
  EXPECT_EQ(Mistakes("{n} elements", "{m} elements"),
            "quiz.yaml:4:11: blocks: '{m}' is not a parameter; add it to 'let'");
  EXPECT_EQ(Mistakes("{threads} threads", "some threads"),
            "quiz.yaml:5:20: blocks: the text does not say which threads was drawn; write {threads} there");
  EXPECT_THAT(Mistakes("{n} elements", "{n elements"), HasSubstr("quiz.yaml:4:11: blocks: a brace has no partner"));
}

TEST(QuizTest, RefusesADrawThatCannotBeAnswered) {
  EXPECT_EQ(Mistakes("256, 512", "256, 2048"),
            "quiz.yaml:6:14: blocks: threads of blocks_for cannot be 2048; give a whole number from 1 to 1024 for "
            "threads = 2048");
  EXPECT_THAT(Mistakes("[memory, compute]", "[Speicher, compute]"),
              HasSubstr("quiz.yaml:16:14: bound: 'memory' is not one of the choices"));
  EXPECT_THAT(Mistakes("    tolerance: 1%\n", ""), HasSubstr("quiz.yaml:10:14: share: the answer, "));
}

TEST(QuizTest, RefusesChoicesAndTolerancesWhereTheyMeanNothing) {
  EXPECT_THAT(Mistakes("    choices: [memory, compute]\n", ""), HasSubstr("add 'choices'"));
  EXPECT_THAT(Mistakes("tolerance: 1%", "choices: [a, b]"), HasSubstr("take 'choices' out"));
  EXPECT_THAT(Mistakes("choices: [memory, compute]", "choices: [memory, compute]\n    tolerance: 1"),
              HasSubstr("take 'tolerance' out"));
}

TEST(QuizTest, AFileThatIsNotThereIsNamed) {
  EXPECT_THAT(LoadQuiz("lab9", "/no/such/quiz.yaml").error().message,
              HasSubstr("/no/such/quiz.yaml: there is no such file"));
}

}  // namespace
}  // namespace warpgrade::quiz
