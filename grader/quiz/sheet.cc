// Lays out the questions as text: wrapped for a terminal, and as the comments of answers.yaml. Tested by
// tests/quiz/sheet_test.cc.
#include "grader/quiz/sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "grader/quiz/value_text.h"

namespace warpgrade::quiz {
namespace {

constexpr int kSheetColumns = 100;

// Breaks `text` at spaces. `first` begins the first line, and the other lines are indented to match.
std::string Wrapped(const std::string& prefix, const std::string& first, const std::string& text, int width) {
  std::string out, line = prefix + first;
  const std::string indent = prefix + std::string(first.size(), ' ');
  bool empty = true;  // nothing of the text on this line yet
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!empty && line.size() + 1 + word.size() > static_cast<size_t>(width)) {
      out += line + "\n";
      line = indent;
      empty = true;
    }
    if (!word.empty()) line += (empty ? "" : " ") + word;
    empty = empty && word.empty();
    at = end + 1;
  }
  return out + line + "\n";
}

// "one of 32, 40 or 50".
std::string OneOf(const std::vector<Value>& values) {
  std::string text = "one of ";
  for (size_t i = 0; i < values.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == values.size() ? " or " : ", ") + ValueText(values[i]);
  }
  return text;
}

std::string FormOf(const Question& question) {
  if (!question.choices.empty()) return fmt::format("One of: {}.", fmt::join(question.choices, ", "));
  std::string form = question.function->gives == Kind::kList    ? "A list of numbers, such as [1, 2, 3]"
                     : question.function->gives == Kind::kWhole ? "A whole number"
                                                                : "A number";
  if (question.tolerance.relative > 0) form += fmt::format(", within {:g}%", question.tolerance.relative * 100);
  if (question.tolerance.absolute > 0) form += fmt::format(", within {:g}", question.tolerance.absolute);
  return form + ".";
}

// "1. TEXT", the values that are still to be drawn, and the form of the answer.
std::string Asked(const Quiz& quiz, size_t index, const std::optional<Student>& student, const std::string& prefix,
                  int width) {
  const Question& question = quiz.questions[index];
  const std::string number = fmt::format("{}. ", index + 1);
  const std::string indent(number.size(), ' ');
  std::optional<Values> values;
  if (student) values = Draw(quiz, question, *student);
  std::string text = Wrapped(prefix, number, Pose(question, values), width);
  if (!student) {
    for (const config::QuizParameter& parameter : question.let) {
      if (parameter.values.size() == 1) continue;
      text += Wrapped(prefix + indent, fmt::format("<{}>: ", parameter.name), OneOf(parameter.values), width);
    }
  }
  return text + Wrapped(prefix + indent, "", FormOf(question), width);
}

// The text, in quotes where YAML could read it as something else.
std::string YamlText(const std::string& text) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  const bool is_plain = !text.empty() && std::all_of(text.begin(), text.end(), plain);
  if (is_plain) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "''" : std::string(1, c);
  return quoted + "'";
}

std::string AnswerText(const Value& value) {
  const std::string* word = std::get_if<std::string>(&value);
  return word ? YamlText(*word) : ValueText(value);
}

std::string Sheet(const Quiz& quiz, const std::optional<Student>& student, bool answered, const std::string& made_by,
                  ExplainAnswer explain = nullptr) {
  std::string text = fmt::format(
      "# Generated from labs/{0}/quiz.yaml by `{1}`{2}.\n"
      "# Quiz of {0}, {3}. Write each answer after its colon: a number alone, without a unit or a percent sign.\n"
      "#\n"
      "#   ./warpgrade quiz {0} --student ID    the questions with your own numbers; ID is your submission's name\n"
      "#   ./warpgrade check {0} quiz           which of your answers are right\n"
      "\n"
      "# Your ID, such as s1042. What stands in <...> below depends on it.\n",
      quiz.lab, made_by, answered ? "; do not edit" : "; yours to edit", quiz.title);
  text += student ? "student: " + YamlText(student->id) + "\n" : "student:\n";
  for (size_t i = 0; i < quiz.questions.size(); ++i) {
    const Question& question = quiz.questions[i];
    text += "\n" + Asked(quiz, i, student, "# ", kSheetColumns);
    if (explain != nullptr) {
      text += Wrapped("#    ", "", explain(*question.function, Draw(quiz, question, *student)), kSheetColumns);
    }
    text += question.name + ":";
    if (answered) text += " " + AnswerText(AnswerOf(question, Draw(quiz, question, *student)));
    text += "\n";
  }
  return text;
}

}  // namespace

std::string QuestionsText(const Quiz& quiz, const std::optional<Student>& student, int width) {
  std::string text =
      fmt::format("{} {} quiz · {}\n", quiz.lab, quiz.title,
                  student ? student->id : "no student, so <...> stands for what differs from student to student");
  for (size_t i = 0; i < quiz.questions.size(); ++i) {
    text += "\n" + Asked(quiz, i, student, "  ", width) + fmt::format("     {}:\n", quiz.questions[i].name);
  }
  return text;
}

std::string BlankSheet(const Quiz& quiz, const std::optional<Student>& student, const std::string& made_by) {
  return Sheet(quiz, student, false, made_by);
}

std::string AnsweredSheet(const Quiz& quiz, const Student& student, const std::string& made_by, ExplainAnswer explain) {
  return Sheet(quiz, student, true, made_by, explain);
}

}  // namespace warpgrade::quiz
