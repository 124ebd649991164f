// Reads poll.yaml into plain structs, and reports every mistake with its place. Tests:
// tests/config/poll_reader_test.cc.
#include <fmt/format.h>

#include <algorithm>

#include "grader/config/poll.h"
#include "grader/config/yaml_reader.h"

namespace warpgrade::config {
namespace {

const std::vector<std::string> kPollFileKeys = {"title", "questions"};
const std::vector<std::string> kPollQuestionKeys = {"text", "choices", "right", "because"};

// Text of several lines becomes one line.
std::string ReadSentence(const YamlNode& node, const std::string& path, Problems* problems) {
  constexpr size_t kLongest = 1200;
  if (node.kind != YamlNode::Kind::kScalar || node.text.empty()) {
    problems->Add(node.place, path + " is not text; write it in quotes or after '>-'");
    return "";
  }
  if (node.text.size() > kLongest) {
    problems->Add(node.place, fmt::format("{} is longer than {} bytes; write a shorter text", path, kLongest));
    return "";
  }
  std::string text = node.text;
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

std::vector<std::string> ReadPollChoices(const YamlNode& node, const std::string& path, Problems* problems) {
  std::vector<std::string> choices;
  if (node.kind != YamlNode::Kind::kSequence || node.items.size() < 2 || node.items.size() > kMostPollChoices) {
    problems->Add(node.place, fmt::format("{} is not a list of 2 to {} answers; write a list such as [more warps, "
                                          "fewer warps]",
                                          path, kMostPollChoices));
    return choices;
  }
  for (const YamlNode& item : node.items) {
    std::string choice = ReadSentence(item, path, problems);
    if (!choice.empty() && std::count(choices.begin(), choices.end(), choice) > 0) {
      problems->Add(item.place, fmt::format("{} has '{}' twice; remove one of them", path, choice));
    }
    choices.push_back(std::move(choice));
  }
  return choices;
}

PollQuestion ReadPollQuestion(const NamedNode& named, Problems* problems) {
  PollQuestion question;
  question.name = named.name;
  const MapReader map(*named.value, named.name, kPollQuestionKeys, problems);
  if (const YamlNode* text = map.Require("text", "add 'text: \"...\"', the question")) {
    question.text = ReadSentence(*text, map.PathOf("text"), problems);
  }
  if (const YamlNode* because = map.Require("because", "add 'because: \"...\"', which is said after the answer")) {
    question.because = ReadSentence(*because, map.PathOf("because"), problems);
  }
  const YamlNode* choices = map.Require("choices", "add 'choices: [...]', from which one is chosen");
  if (choices != nullptr) question.choices = ReadPollChoices(*choices, map.PathOf("choices"), problems);
  const YamlNode* right = map.Require("right", "add 'right: N', the number of the right choice");
  if (right == nullptr || question.choices.empty()) return question;
  const std::optional<uint64_t> number = ReadCount(*right, map.PathOf("right"), problems);
  if (!number) return question;
  if (*number < 1 || *number > question.choices.size()) {
    problems->Add(right->place, fmt::format("{} is no number of a choice; write a number from 1 to {}",
                                            map.PathOf("right"), question.choices.size()));
    return question;
  }
  question.right = static_cast<size_t>(*number) - 1;
  return question;
}

}  // namespace

PollFile ReadPollFile(const std::string& path, Problems* problems) {
  PollFile poll;
  const std::optional<YamlNode> root = ReadYamlFile(path, problems);
  if (!root) return poll;
  const MapReader map(*root, "", kPollFileKeys, problems);
  if (const YamlNode* title = map.Require("title", "add 'title: TEXT', the name of the lab")) {
    poll.title = ReadText(*title, "title", problems).value_or("");
  }
  const YamlNode* questions = map.Require("questions", "add 'questions:' with one entry for each question");
  if (questions == nullptr) return poll;
  for (const NamedNode& named : ReadNames(*questions, "questions", "question", problems)) {
    poll.questions.push_back(ReadPollQuestion(named, problems));
  }
  if (poll.questions.empty() || poll.questions.size() > kMostPollQuestions) {
    problems->Add(questions->place,
                  fmt::format("the poll has {} questions; write 1 to {}", poll.questions.size(), kMostPollQuestions));
  }
  return poll;
}

}  // namespace warpgrade::config
