// Tests: tests/cli/quiz_command_test.cc.
#include "grader/cli/quiz_session.h"

#include "grader/submission/printable.h"

namespace warpgrade::cli {

Result<quiz::Quiz> FindQuiz(const config::Kit& kit, const std::string& lab) {
  return quiz::LoadQuiz(lab, kit.LabFolder(lab) + "/quiz.yaml");
}

Result<Quizzes> FindQuizzes(const config::Kit& kit, const std::vector<config::Lab>& labs) {
  Quizzes quizzes;
  for (const config::Lab& lab : labs) {
    if (!lab.quiz) continue;
    Result<quiz::Quiz> quiz = FindQuiz(kit, lab.name);
    if (!quiz) return quiz.error();
    quizzes.emplace(lab.name, std::move(*quiz));
  }
  return quizzes;
}

quiz::Student StudentOf(const config::Course& course, const std::string& name) {
  return {course.name, course.term, submission::IdFrom(name)};
}

quiz::Marks MarkSubmission(const quiz::Quiz& quiz, const config::Course& course,
                           const submission::Submission& submission, const WhoAnswers& who) {
  const std::string file = quiz.lab + "/" + quiz::kAnswersFile;
  const auto found = submission.files.find(file);
  const std::string* sheet = found == submission.files.end() ? nullptr : &found->second;
  quiz::Student student = StudentOf(course, who.named.empty() ? submission.student : who.named);
  if (who.named.empty() && who.at_home && sheet != nullptr) {
    const std::optional<std::string> named = quiz::StudentOf(*sheet);
    if (named) student = StudentOf(course, *named);
    student.is_guess = !named;
  }
  return quiz::MarkSheet(quiz, student, sheet, file);
}

}  // namespace warpgrade::cli
