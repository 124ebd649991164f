// quiz.yaml's form, with every mistake by its exact place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "grader/config/quiz.h"

namespace warpgrade::config {
namespace {

// The quiz, and its mistakes with the file called "quiz.yaml".
struct QuizRead {
  QuizFile quiz;
  std::string mistakes;
};
QuizRead ReadQuizText(const std::string& text) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("warpgrade quiz " + std::to_string(getpid()) + ".yaml")).string();
  std::ofstream(path) << text;
  Problems problems("quiz.yaml");
  QuizRead read{ReadQuizFile(path, &problems), problems.empty() ? "" : problems.ToError(ErrorKind::kUsage).message};
  std::filesystem::remove(path);
  return read;
}

std::string MistakesIn(const std::string& question) {
  return ReadQuizText("title: T\nquestions: {q: " + question + "}\n").mistakes;
}

TEST(QuizReaderTest, ReadsEverythingOfAQuestion) {
  const QuizRead read = ReadQuizText(
      "title: Toys\n"
      "questions:\n"
      "  first:\n"
      "    text: >-\n"
      "      two\n"
      "      lines\n"
      "    let: {n: 3, m: [1, 2.5], device: h200, list: [[1, 2], [3]]}\n"
      "    compute: f\n"
      "    tolerance: 2.5%\n"
      "    choices: [a, b]\n");
  ASSERT_EQ(read.mistakes, "");
  EXPECT_EQ(read.quiz.title, "Toys");
  ASSERT_EQ(read.quiz.questions.size(), 1u);
  const QuizQuestion& question = read.quiz.questions[0];
  EXPECT_EQ(question.name, "first");
  EXPECT_EQ(question.text, "two lines");
  EXPECT_EQ(question.compute, "f");
  EXPECT_EQ(question.tolerance.relative, 0.025);
  EXPECT_THAT(question.choices, testing::ElementsAre("a", "b"));
  ASSERT_EQ(question.let.size(), 4u);
  EXPECT_THAT(question.let[0].values, testing::ElementsAre(QuizValue(3.0)));
  EXPECT_THAT(question.let[1].values, testing::ElementsAre(QuizValue(1.0), QuizValue(2.5)));
  EXPECT_THAT(question.let[2].values, testing::ElementsAre(QuizValue("h200")));
  EXPECT_THAT(question.let[3].values,
              testing::ElementsAre(QuizValue(std::vector<double>{1, 2}), QuizValue(std::vector<double>{3})));
  EXPECT_EQ(question.compute_place.line, 8);
}

TEST(QuizReaderTest, RefusesMissingAndUnknownParts) {
  EXPECT_EQ(ReadQuizText("questions: {}\n").mistakes,
            "quiz.yaml:1:1: the file has no 'title'; add 'title: TEXT', the name that reports show\nquiz.yaml:1:12: "
            "questions is empty; add a question");
  EXPECT_EQ(MistakesIn("{text: T, answer: 5}"),
            "quiz.yaml:2:16: q has no 'compute'; add 'compute: FUNCTION', which computes the answer\nquiz.yaml:2:26: "
            "unknown key 'answer' in q; the keys are text, let, compute, tolerance and choices");
  EXPECT_EQ(ReadQuizText("title: T\nquestions: {student: {text: T, compute: f}}\n").mistakes,
            "quiz.yaml:2:13: 'student' stands for the student's id in answers.yaml, so a question cannot have this "
            "name; choose another name");
}

TEST(QuizReaderTest, RefusesValuesOfTheWrongForm) {
  EXPECT_EQ(
      MistakesIn("{text: T, compute: f, tolerance: 0}"),
      "quiz.yaml:2:49: q.tolerance is out of range; write a number above 0 such as 0.01, or a percentage such as 1%");
  EXPECT_EQ(MistakesIn("{text: T, compute: f, choices: [a]}"),
            "quiz.yaml:2:47: q.choices is not a list of 2 to 16 words; write a list such as [memory, compute]");
  EXPECT_EQ(MistakesIn("{text: T, compute: f, choices: [a, a]}"),
            "quiz.yaml:2:51: q.choices has 'a' twice; remove one of them");
  EXPECT_EQ(MistakesIn("{text: T, compute: f, let: {n: []}}"),
            "quiz.yaml:2:47: q.let.n has 0 values to draw from; write from 1 to 16 values");
  EXPECT_EQ(MistakesIn("{text: T, compute: f, let: {n: {}}}"), "quiz.yaml:2:47: q.let.n is a mapping; write some text");
  EXPECT_EQ(MistakesIn("{text: T, compute: f, let: {n: [[a]]}}").substr(0, 17), "quiz.yaml:2:49: q");
  EXPECT_EQ(MistakesIn("{text: [], compute: f}"),
            "quiz.yaml:2:23: q.text is not text; write the question, in quotes or after '>-'");
}

TEST(QuizReaderTest, AQuizIsNoExam) {
  std::string text = "title: T\nquestions:\n";
  for (int i = 0; i < 21; ++i) text += "  q" + std::to_string(i) + ": {text: T, compute: f}\n";
  EXPECT_EQ(ReadQuizText(text).mistakes, "quiz.yaml:3:3: the quiz has 21 questions; write at most 20");
}

}  // namespace
}  // namespace warpgrade::config
