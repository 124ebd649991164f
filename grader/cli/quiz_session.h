// The quizzes of a grading run: whose numbers count, and what the answers are worth. `grade`, `check` and `quiz` share
// it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "grader/config/course.h"
#include "grader/config/kit.h"
#include "grader/quiz/marks.h"
#include "grader/quiz/quiz.h"
#include "grader/submission/submission.h"

namespace warpgrade::cli {

using Quizzes = std::map<std::string, quiz::Quiz>;  // by lab

// labs/LAB/quiz.yaml of the kit.
Result<quiz::Quiz> FindQuiz(const config::Kit& kit, const std::string& lab);

// Those of the labs that have one by course.yaml.
Result<Quizzes> FindQuizzes(const config::Kit& kit, const std::vector<config::Lab>& labs);

// Who answers: whom the command line names; at home, where a folder is called anything, whom answers.yaml names; else
// the submission's own name.
struct WhoAnswers {
  std::string named;  // --student; "": nobody
  bool at_home = false;
};

// The student of that name, with the id as submissions have them.
quiz::Student StudentOf(const config::Course& course, const std::string& name);

quiz::Marks MarkSubmission(const quiz::Quiz& quiz, const config::Course& course,
                           const submission::Submission& submission, const WhoAnswers& who);

}  // namespace warpgrade::cli
