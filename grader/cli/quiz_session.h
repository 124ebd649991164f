// The quizzes of a grading run: finds them, decides whose numbers count, and marks the answers. `grade`, `check` and
// `quiz` share it.
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

// The quiz in labs/LAB/quiz.yaml of the kit.
Result<quiz::Quiz> FindQuiz(const config::Kit& kit, const std::string& lab);

// The quizzes of the labs that have one in course.yaml.
Result<Quizzes> FindQuizzes(const config::Kit& kit, const std::vector<config::Lab>& labs);

// Whose quiz it is. The first of these counts: the student of --student; with `at_home`, the student that answers.yaml
// names; the student that the submission is named after.
struct WhoAnswers {
  std::string named;     // the value of --student; "": not given
  bool at_home = false;  // for `check`, where the folder of the submission may have any name
};

// The student of this name. The id is made in the same way as those of submissions.
quiz::Student StudentOf(const config::Course& course, const std::string& name);

// Marks the quiz of one submission. A submission without answers.yaml has the status kMissing.
quiz::Marks MarkSubmission(const quiz::Quiz& quiz, const config::Course& course,
                           const submission::Submission& submission, const WhoAnswers& who);

}  // namespace warpgrade::cli
