// Reads quiz.yaml into plain structs, and reports every mistake in its form. grader/quiz knows what a question means.
// Tests: tests/config/quiz_reader_test.cc.
#include <fmt/format.h>

#include <algorithm>

#include "grader/config/quantity.h"
#include "grader/config/quiz.h"
#include "grader/config/yaml_reader.h"

namespace warpgrade::config {
namespace {

const std::vector<std::string> kQuizFileKeys = {"title", "questions"};
const std::vector<std::string> kQuestionKeys = {"text", "let", "compute", "tolerance", "choices"};

// A question may be several lines long, folded by YAML's '>-' or quotes. Line ends become spaces.
std::string ReadQuestionText(const YamlNode& node, const std::string& path, Problems* problems) {
  constexpr size_t kLongest = 1200;
  if (node.kind != YamlNode::Kind::kScalar || node.text.empty()) {
    problems->Add(node.place, path + " is not text; write the question, in quotes or after '>-'");
    return "";
  }
  if (node.text.size() > kLongest) {
    problems->Add(node.place, fmt::format("{} is longer than {} bytes; write a shorter question", path, kLongest));
    return "";
  }
  std::string text = node.text;
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

// A number, or, where words are welcome, a word.
std::optional<QuizValue> ReadOne(const YamlNode& node, const std::string& path, Problems* problems) {
  if (node.kind == YamlNode::Kind::kScalar && !node.quoted) {
    if (const Result<double> number = ParseNumber(node.text)) return QuizValue(*number);
  }
  const std::optional<std::string> word = ReadText(node, path, problems);
  if (!word) return std::nullopt;
  return QuizValue(*word);
}

std::optional<QuizValue> ReadNumbers(const YamlNode& list, const std::string& path, Problems* problems) {
  std::vector<double> numbers;
  if (list.items.empty() || list.items.size() > kMostListed) {
    problems->Add(list.place,
                  fmt::format("{} lists {} numbers; list from 1 to {} numbers", path, list.items.size(), kMostListed));
    return std::nullopt;
  }
  for (const YamlNode& item : list.items) {
    const std::optional<double> number = ReadNumber(item, path, problems);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return QuizValue(std::move(numbers));
}

// `device: h200`, `threads: [128, 256]`, `input: [[1, 2, 3], [4, 5, 6]]`.
void ReadLet(const YamlNode& node, const std::string& path, QuizQuestion* question, Problems* problems) {
  for (const NamedNode& named : ReadNames(node, path, "parameter", problems)) {
    const std::string of_parameter = path + "." + named.name;
    QuizParameter parameter{named.name, named.name_place, {}};
    const bool drawn = named.value->kind == YamlNode::Kind::kSequence;
    if (drawn && (named.value->items.empty() || named.value->items.size() > kMostDrawn)) {
      problems->Add(named.value->place, fmt::format("{} has {} values to draw from; write from 1 to {} values",
                                                    of_parameter, named.value->items.size(), kMostDrawn));
      continue;
    }
    const size_t count = drawn ? named.value->items.size() : 1;
    for (size_t i = 0; i < count; ++i) {
      const YamlNode& item = drawn ? named.value->items[i] : *named.value;
      const std::optional<QuizValue> value = item.kind == YamlNode::Kind::kSequence
                                                 ? ReadNumbers(item, of_parameter, problems)
                                                 : ReadOne(item, of_parameter, problems);
      if (value) parameter.values.push_back(*value);
    }
    if (!parameter.values.empty()) question->let.push_back(std::move(parameter));
  }
}

QuizTolerance ReadTolerance(const YamlNode& node, const std::string& path, Problems* problems) {
  QuizTolerance tolerance;
  YamlNode number = node;
  const bool percent = number.kind == YamlNode::Kind::kScalar && number.text.ends_with('%');
  if (percent) number.text.pop_back();
  const std::optional<double> value = ReadNumber(number, path, problems);
  if (value && (*value <= 0 || (percent && *value >= 100))) {
    problems->Add(node.place,
                  path + " is out of range; write a number above 0 such as 0.01, or a percentage such as 1%");
  } else if (value) {
    (percent ? tolerance.relative : tolerance.absolute) = percent ? *value / 100 : *value;
  }
  return tolerance;
}

std::vector<std::string> ReadChoices(const YamlNode& node, const std::string& path, Problems* problems) {
  std::vector<std::string> choices;
  if (node.kind != YamlNode::Kind::kSequence || node.items.size() < 2 || node.items.size() > kMostDrawn) {
    problems->Add(node.place, fmt::format("{} is not a list of 2 to {} words; write a list such as [memory, compute]",
                                          path, kMostDrawn));
    return choices;
  }
  for (const YamlNode& item : node.items) {
    const std::optional<std::string> choice = ReadText(item, path, problems);
    if (!choice) continue;
    if (std::count(choices.begin(), choices.end(), *choice) > 0) {
      problems->Add(item.place, fmt::format("{} has '{}' twice; remove one of them", path, *choice));
    }
    choices.push_back(*choice);
  }
  return choices;
}

QuizQuestion ReadQuestion(const NamedNode& named, Problems* problems) {
  QuizQuestion question;
  question.name = named.name;
  question.place = named.name_place;
  if (named.name == kStudentKey) {
    problems->Add(named.name_place,
                  "'student' stands for the student's id in answers.yaml, so a question cannot have this name; choose "
                  "another name");
  }
  const MapReader map(*named.value, named.name, kQuestionKeys, problems);
  if (const YamlNode* text = map.Require("text", "add 'text: \"...\"', the question")) {
    question.text = ReadQuestionText(*text, map.PathOf("text"), problems);
    question.text_place = text->place;
  }
  if (const YamlNode* compute = map.Require("compute", "add 'compute: FUNCTION', which computes the answer")) {
    question.compute = ReadText(*compute, map.PathOf("compute"), problems).value_or("");
    question.compute_place = compute->place;
  }
  if (const YamlNode* let = map.Find("let")) ReadLet(*let, map.PathOf("let"), &question, problems);
  if (const YamlNode* tolerance = map.Find("tolerance")) {
    question.tolerance = ReadTolerance(*tolerance, map.PathOf("tolerance"), problems);
    question.tolerance_place = tolerance->place;
  }
  if (const YamlNode* choices = map.Find("choices")) {
    question.choices = ReadChoices(*choices, map.PathOf("choices"), problems);
    question.choices_place = choices->place;
  }
  return question;
}

}  // namespace

QuizFile ReadQuizFile(const std::string& path, Problems* problems) {
  QuizFile quiz;
  const std::optional<YamlNode> root = ReadYamlFile(path, problems);
  if (!root) return quiz;
  const MapReader map(*root, "", kQuizFileKeys, problems);
  if (const YamlNode* title = map.Require("title", "add 'title: TEXT', the name that reports show")) {
    quiz.title = ReadText(*title, "title", problems).value_or("");
  }
  const YamlNode* questions = map.Require("questions", "add 'questions:' with one entry for each question");
  if (!questions) return quiz;
  for (const NamedNode& named : ReadNames(*questions, "questions", "question", problems)) {
    quiz.questions.push_back(ReadQuestion(named, problems));
  }
  if (quiz.questions.size() > kMostQuestions) {
    problems->Add(questions->place,
                  fmt::format("the quiz has {} questions; write at most {}", quiz.questions.size(), kMostQuestions));
  }
  return quiz;
}

}  // namespace warpgrade::config
