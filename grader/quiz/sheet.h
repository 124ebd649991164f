// The questions as a person reads them: on a terminal, and as answers.yaml to fill in.
#pragma once

#include <optional>
#include <string>

#include "grader/quiz/quiz.h"

namespace warpgrade::quiz {

// The questions with the student's numbers, `width` columns wide; without a student, with what is drawn left open.
std::string QuestionsText(const Quiz& quiz, const std::optional<Student>& student, int width);

// answers.yaml: each question as a comment above the line for its answer, which is empty. `made_by` is the command that
// line 1 says made it.
std::string BlankSheet(const Quiz& quiz, const std::optional<Student>& student, const std::string& made_by);

// The same with our answers in it. For instructors.
std::string AnsweredSheet(const Quiz& quiz, const Student& student, const std::string& made_by);

}  // namespace warpgrade::quiz
