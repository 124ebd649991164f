// The questions in the forms that people read: on a terminal, and as an answers.yaml to fill in.
#pragma once

#include <optional>
#include <string>

#include "grader/quiz/quiz.h"

namespace warpgrade::quiz {

// The questions with the student's numbers, `width` columns wide. Without a student, drawn values are left open.
std::string QuestionsText(const Quiz& quiz, const std::optional<Student>& student, int width);

// An answers.yaml to fill in: each question is a comment above the empty line for its answer. Line 1 says that the
// command `made_by` wrote it.
std::string BlankSheet(const Quiz& quiz, const std::optional<Student>& student, const std::string& made_by);

// The arithmetic of an answer in words: Explain of explain.h, which the students' edition does not have.
using ExplainAnswer = std::string (*)(const Function& function, const Values& values);

// The same with the right answers in it, for instructors; with `explain`, a comment above each answer has its
// arithmetic.
std::string AnsweredSheet(const Quiz& quiz, const Student& student, const std::string& made_by,
                          ExplainAnswer explain = nullptr);

}  // namespace warpgrade::quiz
