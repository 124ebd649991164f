// Marks the quiz of one submission and prints a line for each question. It loads the course, the quiz and the
// submission, and lets grader/quiz compare the answers. Tests: tests/cli/quiz_command_test.cc.
#include "grader/cli/check_quiz.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "grader/cli/executable_path.h"
#include "grader/cli/lab_files.h"
#include "grader/cli/metric_names.h"
#include "grader/cli/outside_labs.h"
#include "grader/cli/selection.h"
#include "grader/report/text.h"
#include "grader/score/score.h"
#include "grader/score/visibility.h"

namespace warpgrade::cli {
namespace {

const char* Words(quiz::Verdict verdict) {
  switch (verdict) {
    case quiz::Verdict::kRight:
      return "right";
    case quiz::Verdict::kWrong:
      return "WRONG";
    case quiz::Verdict::kUnreadable:
      return "NOT READABLE";
    case quiz::Verdict::kNotAnswered:
      return "not answered";
  }
  return "";
}

std::string QuestionLine(const quiz::Mark& mark, int name_width) {
  std::string line = fmt::format("  {}  {}", report::PadRight(mark.question, name_width), Words(mark.verdict));
  if (!mark.message.empty()) {
    line += fmt::format("\n{}{}", std::string(static_cast<size_t>(name_width) + 4, ' '),
                        report::PrintableLine(mark.message));
  }
  return line + "\n";
}

void Print(const quiz::Quiz& quiz, const quiz::Marks& marks, config::Points points, const std::string& source) {
  fmt::print("{} {} quiz · {}\n\n", quiz.lab, report::PrintableLine(quiz.title), report::PrintableLine(source));
  // First, since they may say why every answer is wrong.
  for (const std::string& message : marks.messages) fmt::print("  {}\n\n", report::PrintableLine(message));
  int name_width = 0;
  for (const quiz::Mark& mark : marks.marks) name_width = std::max(name_width, report::DisplayWidth(mark.question));
  for (const quiz::Mark& mark : marks.marks) fmt::print("{}", QuestionLine(mark, name_width));
  if (marks.status == score::RungStatus::kMissing) {
    fmt::print("\n  The submission has no {}/{}.\n", quiz.lab, quiz::kAnswersFile);
  }
  const score::RungScore score = score::ScoreQuiz(points, quiz::MeasurementOf(marks));
  fmt::print("\n  {} of {} right, {}/{} points\n", marks.Right(), marks.marks.size(), score.points.ToString(),
             score.max_points.ToString());
}

}  // namespace

Status CheckQuiz(const QuizCheck& check) {
  auto kit = config::FindKit(ExecutablePath());
  if (!kit) return kit.error();
  const auto course = config::LoadCourse(check.course_yaml.empty() ? kit->course_yaml : check.course_yaml,
                                         MetricNames(), {}, {}, config::BrokenLabs::kKeep);
  if (!course) return course.error();
  config::AddOutsideLabs(*course, &*kit);
  const auto labs = SelectRungs(*course, {check.lab}, {config::kQuizName});
  if (!labs) return labs.error();
  const auto quizzes = FindQuizzes(*kit, *labs);
  if (!quizzes) return quizzes.error();
  const std::string path =
      check.submission.empty() ? StarterFolder(*kit, check.course_yaml, check.lab) : check.submission;
  const auto found = submission::Discover({path}, FilesOf(course->labs));
  if (!found) return found.error();
  if (found->size() != 1) {
    return Error{ErrorKind::kUsage, path + ": this folder holds several submissions; name one of them"};
  }
  const config::Lab& lab = labs->front();
  if (!score::MaySee(lab.quiz_visibility, {lab.due, lab.published}, score::Reader::kStudents, std::time(nullptr))) {
    fmt::print("The marks of the quiz of {} are not shown now: its visibility in course.yaml is {}.\n", check.lab,
               config::Name(lab.quiz_visibility));
    return {};
  }
  const quiz::Quiz& quiz = quizzes->at(check.lab);
  const quiz::Marks marks = MarkSubmission(quiz, *course, found->front(), {check.student, true});
  Print(quiz, marks, *labs->front().quiz, path);
  return {};
}

}  // namespace warpgrade::cli
