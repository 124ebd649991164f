// `warpgrade check LAB quiz`: says which answers are right, without giving the right ones.
#pragma once

#include <string>

#include "grader/cli/quiz_session.h"
#include "grader/result/result.h"

namespace warpgrade::cli {

struct QuizCheck {
  std::string lab;
  std::string submission;   // a folder or an archive; "": the kit's starter
  std::string course_yaml;  // "": the kit's
  std::string student;      // "": the student that answers.yaml names
};

// Prints a line for each question. Errors: those of RunSession; kUsage also for a lab without a quiz.
Status CheckQuiz(const QuizCheck& check);

}  // namespace warpgrade::cli
