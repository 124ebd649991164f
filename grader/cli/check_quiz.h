// `warpgrade check LAB quiz`: which answers are right, in a moment, and without saying what the right ones are.
#pragma once

#include <string>

#include "grader/cli/quiz_session.h"
#include "grader/result/result.h"

namespace warpgrade::cli {

struct QuizCheck {
  std::string lab;
  std::string submission;   // a folder or an archive; "": the kit's starter
  std::string course_yaml;  // "": the kit's
  std::string student;      // "": whom answers.yaml names
};

// Prints a line for each question. Errors: as RunSession's, kUsage also for a lab without a quiz.
Status CheckQuiz(const QuizCheck& check);

}  // namespace warpgrade::cli
