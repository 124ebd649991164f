// Reads a student's answers.yaml, which may hold anything, and compares each answer with the computed one within the
// question's tolerance. No message contains a right answer. Tested by tests/quiz/marks_test.cc.
#include "grader/quiz/marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grader/config/nearest.h"
#include "grader/config/quantity.h"
#include "grader/config/yaml_reader.h"
#include "grader/quiz/missed_rule.h"

namespace warpgrade::quiz {
namespace {

using config::SheetAnswer;
using config::Shown;
using score::RungStatus;

// A decimal that a person types differs a little from the binary number that we compute. With this slack an answer on
// the edge of the tolerance is right.
constexpr double kTypingSlack = 1e-9;

bool SameWord(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

std::string_view Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

// Reads a number as students write it. The error has advice for the usual mistakes.
Result<double> ParseAnswer(const std::string& text) {
  const std::string_view trimmed = Trimmed(text);
  Result<double> number = config::ParseNumber(trimmed);
  if (number) return number;
  const auto wrong = [&](std::string_view what) {
    return Error{ErrorKind::kSubmission, fmt::format("'{}' {}", Shown(text), what)};
  };
  if (trimmed.ends_with('%')) return wrong("has a percent sign; write the number alone");
  const size_t digits = trimmed.find_first_not_of("+-.0123456789eE");
  const bool begins =
      digits != 0 && digits != std::string_view::npos && config::ParseNumber(Trimmed(trimmed.substr(0, digits))).ok();
  if (begins && trimmed[digits] == ',')
    return wrong("has a comma; write 1.5 with a point, 1024 without a comma, and a list in brackets");
  if (begins && (trimmed[digits] == '/' || trimmed[digits] == '*' || trimmed[digits] == '^')) {
    return wrong("must be worked out first; write the resulting number");
  }
  if (begins) return wrong("has more than a number; write the number alone, without a unit");
  return Error{ErrorKind::kSubmission, number.error().message};
}

bool IsNear(double got, double want, const config::QuizTolerance& tolerance) {
  const double allowed = std::max(tolerance.absolute, tolerance.relative * std::fabs(want));
  return std::fabs(got - want) <= allowed + kTypingSlack * std::max(allowed, std::fabs(want));  // false for NaN
}

Result<bool> IsRightWord(const Question& question, const SheetAnswer& answer, const std::string& want) {
  const std::string got(Trimmed(answer.texts[0]));
  for (const std::string& choice : question.choices) {
    if (SameWord(got, choice)) return SameWord(got, want);
  }
  return Error{ErrorKind::kSubmission, fmt::format("'{}' is not one of the choices; write {}", Shown(got),
                                                   fmt::join(question.choices, " or "))};
}

Result<bool> IsRightList(const Question& question, const SheetAnswer& answer, const std::vector<double>& want) {
  bool right = answer.texts.size() == want.size();
  for (size_t i = 0; i < answer.texts.size(); ++i) {
    const Result<double> got = ParseAnswer(answer.texts[i]);
    if (!got) return got.error();
    right = right && IsNear(*got, want[i], question.tolerance);
  }
  return right;
}

// Whether the answer is right. Errors: why it cannot be read.
Result<bool> IsRight(const Question& question, const SheetAnswer& answer, const Value& want) {
  const auto unreadable = [](const char* what) { return Error{ErrorKind::kSubmission, what}; };
  if (question.function->gives == Kind::kList) {
    if (answer.form != SheetAnswer::Form::kList) {
      return unreadable("this is not a list; write the numbers as [1, 2, 3]");
    }
    return IsRightList(question, answer, std::get<std::vector<double>>(want));
  }
  if (answer.form == SheetAnswer::Form::kList) return unreadable("this is a list; write one answer without brackets");
  if (answer.form == SheetAnswer::Form::kOther) {
    return unreadable("this is not one answer; write one number or word after the colon");
  }
  if (const std::string* word = std::get_if<std::string>(&want)) return IsRightWord(question, answer, *word);
  const Result<double> got = ParseAnswer(answer.texts[0]);
  if (!got) return got.error();
  return IsNear(*got, std::get<double>(want), question.tolerance);
}

std::string Placed(const std::string& file, config::Place place, const std::string& what) {
  return fmt::format("{}:{}:{}: {}", file, place.line, place.column, what);
}

void MarkAnswer(const Quiz& quiz, const Student& student, const SheetAnswer& answer, const std::string& file,
                Mark* mark) {
  if (answer.form == SheetAnswer::Form::kEmpty) return;
  const Question& question = *quiz.Find(mark->question);
  const Values drawn = Draw(quiz, question, student);
  const Result<bool> right = IsRight(question, answer, AnswerOf(question, drawn));
  if (!right) {
    mark->verdict = Verdict::kUnreadable;
    mark->message = Placed(file, answer.place, right.error().message);
  } else if (*right) {
    mark->verdict = Verdict::kRight;
  } else {
    mark->verdict = Verdict::kWrong;
    mark->message =
        Placed(file, answer.place, fmt::format("{} is wrong", Shown(fmt::format("{}", fmt::join(answer.texts, ", ")))));
    const Result<double> got = ParseAnswer(answer.texts.empty() ? "" : answer.texts[0]);
    const std::string missed = got ? MissedRule(*question.function, drawn, Value(*got)) : "";
    if (!missed.empty()) mark->message += "; " + missed;
  }
}

void ReportUnknown(const Quiz& quiz, const config::AnswerSheet& sheet, config::Problems* problems) {
  std::vector<std::string> names;
  for (const Question& question : quiz.questions) names.push_back(question.name);
  for (const SheetAnswer& answer : sheet.answers) {
    if (quiz.Find(answer.name) != nullptr) continue;
    const std::string name = Shown(answer.name);
    problems->Add(answer.place, fmt::format("the quiz has no question '{}'{}", name,
                                            config::Suggest(name, names, "it asks " + config::ListNames(names))));
  }
}

void CheckStudent(const Student& student, const config::AnswerSheet& sheet, config::Problems* problems) {
  const bool answered = std::any_of(sheet.answers.begin(), sheet.answers.end(),
                                    [](const SheetAnswer& answer) { return answer.form != SheetAnswer::Form::kEmpty; });
  if (sheet.student && !SameWord(Trimmed(*sheet.student), student.id)) {
    problems->Add(sheet.student_place, fmt::format("these are the answers of '{}', but they are marked with the "
                                                   "numbers of '{}'; the id must be the name of the submission",
                                                   Shown(*sheet.student), student.id));
  } else if (student.is_guess && answered) {
    problems->Add(sheet.student_place, fmt::format("this file does not say whose answers these are, so they are marked "
                                                   "with the numbers of '{}'; write your id after 'student:'",
                                                   student.id));
  }
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

RungStatus StatusOf(const Marks& marks) {
  const auto count = [&](Verdict verdict) {
    return static_cast<size_t>(std::count_if(marks.marks.begin(), marks.marks.end(),
                                             [&](const Mark& mark) { return mark.verdict == verdict; }));
  };
  if (count(Verdict::kRight) == marks.marks.size()) return RungStatus::kPassed;
  const bool untouched = count(Verdict::kNotAnswered) == marks.marks.size() && marks.messages.empty();
  return untouched ? RungStatus::kNotWritten : RungStatus::kFailed;
}

}  // namespace

int Marks::Right() const {
  return static_cast<int>(
      std::count_if(marks.begin(), marks.end(), [](const Mark& mark) { return mark.verdict == Verdict::kRight; }));
}

Marks MarkSheet(const Quiz& quiz, const Student& student, const std::string* text, const std::string& file) {
  Marks marks;
  for (const Question& question : quiz.questions) marks.marks.push_back({question.name, Verdict::kNotAnswered, ""});
  if (text == nullptr) return marks;
  config::Problems problems(file);
  const std::optional<config::AnswerSheet> sheet = config::ReadAnswerSheet(*text, &problems);
  if (sheet) {
    for (Mark& mark : marks.marks) {
      const auto answer = std::find_if(sheet->answers.begin(), sheet->answers.end(),
                                       [&](const SheetAnswer& a) { return a.name == mark.question; });
      if (answer != sheet->answers.end()) MarkAnswer(quiz, student, *answer, file, &mark);
    }
    ReportUnknown(quiz, *sheet, &problems);
    CheckStudent(student, *sheet, &problems);
  }
  if (!problems.empty()) marks.messages = Lines(problems.ToError(ErrorKind::kSubmission).message);
  marks.status = text->size() > config::kMostSheetBytes ? RungStatus::kRefused : StatusOf(marks);
  return marks;
}

std::optional<std::string> StudentOf(const std::string& text) {
  config::Problems ignored("");
  const std::optional<config::AnswerSheet> sheet = config::ReadAnswerSheet(text, &ignored);
  if (!sheet || !sheet->student || Trimmed(*sheet->student).empty()) return std::nullopt;
  return std::string(Trimmed(*sheet->student));
}

score::RungMeasurement MeasurementOf(const Marks& marks) {
  score::RungMeasurement measurement;
  measurement.status = marks.status;
  measurement.messages = marks.messages;
  measurement.cases = static_cast<int>(marks.marks.size());
  measurement.cases_passed = marks.Right();
  if (marks.status == RungStatus::kMissing || marks.status == RungStatus::kNotWritten) return measurement;
  for (const Mark& mark : marks.marks) {
    if (mark.verdict == Verdict::kRight) continue;
    const bool silent = mark.verdict == Verdict::kNotAnswered;
    measurement.failures.push_back({mark.question, std::nullopt, "", "", silent ? "not answered" : mark.message});
  }
  return measurement;
}

}  // namespace warpgrade::quiz
