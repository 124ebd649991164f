// A lab's quiz: its questions, checked, and what one student is asked.
//
// A parameter with several values is drawn for each student, by a hash of the course, its term, the lab, the question,
// the parameter and the student's id: always the same for the same student, whatever the machine and the day.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/config/quiz.h"
#include "grader/quiz/functions.h"
#include "grader/result/result.h"

namespace warpgrade::quiz {

// A question of which every draw has an answer.
struct Question : config::QuizQuestion {
  const Function* function = nullptr;
  bool IsDrawn() const;  // whether students get different ones
};

struct Quiz {
  std::string lab;  // "lab1"
  std::string title;
  std::vector<Question> questions;

  const Question* Find(const std::string& name) const;
};

// The student who is asked. Ids that differ only in the case of ASCII letters are the same student.
struct Student {
  std::string course, term, id;
  bool is_guess = false;  // nobody named the student, so `id` is the submission's name
};

inline constexpr size_t kMostDraws = 1024;  // combinations of one question's values

// Reads the quiz.yaml of `lab` at `path`. Errors (kUsage) name all mistakes at once, with their places. Every draw of
// every question is computed, so that no student gets a question without an answer.
Result<Quiz> LoadQuiz(const std::string& lab, const std::string& path);

// The values of all parameters for this student, drawn or fixed.
Values Draw(const Quiz& quiz, const Question& question, const Student& student);

// REQUIRES: `values` are a draw of the question.
Value AnswerOf(const Question& question, const Values& values);

// The text with the values in place of {name}; without values, with <name> where a parameter is drawn.
std::string Pose(const Question& question, const std::optional<Values>& values);

}  // namespace warpgrade::quiz
