// Prints the questions of a poll and what is said after an answer, and counts lines with answers. Tests:
// tests/cli/poll_test.cc, tests/cli/poll_command_test.cc.
#include "grader/cli/poll.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "grader/report/text.h"
#include "grader/result/counted.h"

namespace warpgrade::cli {
namespace {

constexpr std::string_view kMark = "poll ";
constexpr size_t kLongestLine = 1000;

// `text`, with its lines after the first one below it.
std::string Hanging(const std::string& first, const std::string& text, int width) {
  const std::string indent(first.size(), ' ');
  std::string lines;
  for (const std::string& line :
       report::Wrap(report::Printable(text), std::max(20, width - static_cast<int>(first.size())))) {
    lines += (lines.empty() ? first : indent) + line + "\n";
  }
  return lines;
}

std::vector<std::string_view> WordsOf(std::string_view line) {
  std::vector<std::string_view> words;
  while (!line.empty()) {
    const size_t end = std::min(line.find_first_of(" \t\r"), line.size());
    if (end > 0) words.push_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return words;
}

// The answers of a line, each question once. nullopt: it has something else in it.
std::optional<std::map<size_t, PollAnswer>> AnswersOf(const Poll& poll, const std::vector<std::string_view>& words) {
  std::map<size_t, PollAnswer> answers;
  for (size_t i = 2; i < words.size(); ++i) {
    const size_t equals = words[i].find('=');
    const std::string_view name = words[i].substr(0, equals);
    const auto& questions = poll.file.questions;
    const auto question =
        std::find_if(questions.begin(), questions.end(), [&](const auto& q) { return q.name == name; });
    if (equals == std::string_view::npos || question == questions.end()) return std::nullopt;
    const std::string_view value = words[i].substr(equals + 1);
    const std::optional<size_t> choice = ChoiceOf(value, *question);
    if (!choice && value != "-") return std::nullopt;
    if (!answers.emplace(static_cast<size_t>(question - questions.begin()), choice).second) return std::nullopt;
  }
  return answers;
}

}  // namespace

Result<Poll> LoadPoll(const std::string& lab, const std::string& path) {
  config::Problems problems(path);
  Poll poll{lab, config::ReadPollFile(path, &problems)};
  if (!problems.empty()) return problems.ToError(ErrorKind::kUsage);
  return poll;
}

char LetterOf(size_t choice) { return static_cast<char>('a' + choice); }

std::optional<size_t> ChoiceOf(std::string_view typed, const config::PollQuestion& question) {
  const std::vector<std::string_view> words = WordsOf(typed);
  if (words.size() != 1 || words[0].size() != 1) return std::nullopt;
  const auto c = static_cast<unsigned char>(words[0][0]);
  const int choice = std::isdigit(c) != 0 ? c - '1' : std::tolower(c) - 'a';
  if (choice < 0 || static_cast<size_t>(choice) >= question.choices.size()) return std::nullopt;
  return static_cast<size_t>(choice);
}

std::string PollQuestionText(const config::PollQuestion& question, size_t number, size_t of, int width) {
  std::string text = Hanging(fmt::format("{} of {}  ", number, of), question.text, width);
  for (size_t choice = 0; choice < question.choices.size(); ++choice) {
    text += Hanging(fmt::format("    {}) ", LetterOf(choice)), question.choices[choice], width);
  }
  return text;
}

std::string PollReplyText(const config::PollQuestion& question, const PollAnswer& answer, int width) {
  const bool is_right = answer && *answer == question.right;
  const std::string verdict = is_right ? "Right. " : fmt::format("It is {}). ", LetterOf(question.right));
  return Hanging("    ", verdict + question.because, width);
}

std::string PollLine(const Poll& poll, const std::vector<PollAnswer>& answers) {
  std::string line = std::string(kMark) + poll.lab;
  for (size_t i = 0; i < poll.file.questions.size(); ++i) {
    line += fmt::format(" {}={}", poll.file.questions[i].name, answers[i] ? LetterOf(*answers[i]) : '-');
  }
  return line;
}

void CountPollLines(const Poll& poll, std::string_view text, PollCounts* counts) {
  counts->questions.resize(poll.file.questions.size());
  for (size_t i = 0; i < counts->questions.size(); ++i) {
    counts->questions[i].choices.resize(poll.file.questions[i].choices.size());
  }
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.starts_with(kMark)) continue;
    const std::vector<std::string_view> words = WordsOf(line.substr(0, kLongestLine));
    if (words.size() < 2 || words[1] != poll.lab) continue;
    const auto answers = line.size() > kLongestLine ? std::nullopt : AnswersOf(poll, words);
    if (!answers) {
      ++counts->unreadable;
      continue;
    }
    ++counts->lines;
    for (const auto& [question, answer] : *answers) {
      PollCounts::OfQuestion& of_question = counts->questions[question];
      ++(answer ? of_question.choices[*answer] : of_question.skipped);
    }
  }
}

std::string PollCountsText(const Poll& poll, const PollCounts& counts, int width) {
  std::string text = fmt::format("{} {}: {} with answers\n", poll.lab, poll.file.title, Counted(counts.lines, "line"));
  for (size_t i = 0; i < poll.file.questions.size(); ++i) {
    const config::PollQuestion& question = poll.file.questions[i];
    text += "\n" + Hanging(fmt::format("{} of {}  ", i + 1, poll.file.questions.size()), question.text, width);
    for (size_t choice = 0; choice < question.choices.size(); ++choice) {
      const char* const mark = choice == question.right ? "right" : "";
      text += Hanging(fmt::format("  {:>5}  {:<5}  {}) ", counts.questions[i].choices[choice], mark, LetterOf(choice)),
                      question.choices[choice], width);
    }
    if (counts.questions[i].skipped > 0) text += fmt::format("  {:>5}  skipped\n", counts.questions[i].skipped);
  }
  if (counts.unreadable > 0) {
    text += fmt::format("\n{} of this poll {} not readable, and not counted.\n", Counted(counts.unreadable, "line"),
                        counts.unreadable == 1 ? "is" : "are");
  }
  return text;
}

}  // namespace warpgrade::cli
